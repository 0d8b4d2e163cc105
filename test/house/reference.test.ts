import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultGates } from '../../src/api/index.ts';

const page = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8');
const keys = readFileSync(new URL('../../src/api/keys.ts', import.meta.url), 'utf8');

test.each(Object.entries(defaultGates))('docs/reference.md names the gate %s with its default', (gate, on) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${gate}\``));
  expect(row?.split('|')[2]?.trim()).toBe(on ? 'on' : 'off');
});

const named = [...keys.matchAll(/'((?:[\w.]+\.)?(?:karmada\.io|sluice\.dev)\/[\w-]+)'/g)].map(([, key = '']) => key);
const finalizers = /\/(?:execution-controller|cluster-controller|binding-dependencies-distributor)$/;

test.each(named.filter((key) => !finalizers.test(key)))('docs/reference.md names the key %s', (key) => {
  expect(page).toContain(key);
});

/** The types of conditions in the sources that write conditions. */
const conditions = globSync('src/engine/**/*.ts', { cwd: new URL('../..', import.meta.url) })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
  .filter((text) => text.includes('withCondition') || /\w+Condition = '/.test(text))
  .flatMap((text) => [...text.matchAll(/(?:\btype: |const type = |Condition = )'([A-Z]\w+)'/g)])
  .map(([, type = '']) => type);

test('docs/reference.md names every condition', () => {
  expect(conditions).toContain('Moving');
  expect([...new Set(conditions)].filter((type) => !page.includes(`| \`${type}\` `))).toEqual([]);
});

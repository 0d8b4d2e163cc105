import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reasons } from '../../src/engine/index.ts';
import { reasonsPage } from '../../tools/reasons.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('docs/reasons.md is what the code says (`node tools/reasons.ts` writes it)', () => {
  expect(read('docs/reasons.md')).toBe(reasonsPage(read('src/engine/reasons.ts')));
});

test('the page has every reason with its meaning', () => {
  const rows = read('docs/reasons.md').matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm);
  expect(Object.fromEntries([...rows].map(([, name, meaning]) => [name, meaning]))).toEqual(reasons);
});

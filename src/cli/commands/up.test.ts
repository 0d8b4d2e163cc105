import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { goodbyeText, readyText } from './up.ts';

const members = [{ name: 'east' }, { name: 'west' }];
const told = (words: Partial<Parameters<typeof readyText>[0]> = {}): string =>
  readyText({ url: 'https://127.0.0.1:1', kubeconfig: '.sluice/kubeconfig', members, kept: '.sluice', ...words });

test('it says where it is, and how to use it from here', () => {
  expect(told()).toMatch(/^sluice is ready: https:\/\/127\.0\.0\.1:1, 2 simulated members \(east, west\)\n/);
  expect(told()).toContain('export KUBECONFIG=.sluice/kubeconfig\n');
  expect(told()).toContain('Everything is kept in .sluice; the next start continues from there.');
  expect(told()).toMatch(/^ {2}(npx )?sluice status +what is in effect/m);
});

test('a file elsewhere is named by its whole path', () => {
  const kubeconfig = path.resolve('..', 'elsewhere', 'kubeconfig');
  expect(told({ kubeconfig })).toContain(`export KUBECONFIG=${kubeconfig}\n`);
});

test('the first steps are aligned, name files that exist, and show plan and status', () => {
  const usual = told({ members: ['member1', 'member2', 'member3'].map((name) => ({ name })) });
  const steps = usual.split('\n').slice(3, 8);
  expect(new Set(steps.map((line) => line.search(/(?<= {3})\S[^/]+$/))).size).toBe(1);
  expect(usual).toMatch(/sluice plan -f .*policy-edited\.yaml/);
  const files = [...usual.matchAll(/-f (\S+)/g)].flatMap(([, list = '']) => list.split(','));
  for (const file of files) expect(existsSync(file), file).toBe(true);
  for (const line of steps) expect(line.length).toBeLessThanOrEqual(80);
  // The examples name member1 to member3.
  expect(told()).not.toContain('-f ');
});

test('it promises nothing that is not so', () => {
  expect(told({ kept: undefined })).toContain('Nothing is kept.');
  expect(told({ members: [] })).not.toContain('--context');
});

test('goodbye says what is kept, where, and how to continue', () => {
  expect(goodbyeText('.sluice')).toMatch(
    /^sluice has stopped\. Everything is kept in \.sluice; `(npx )?sluice up` continues/,
  );
  expect(goodbyeText('data')).toContain('up --data-dir data`');
  expect(goodbyeText(undefined)).toBe('sluice has stopped. Nothing was kept.\n');
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { readyText } from './up.ts';

const members = [{ name: 'east' }, { name: 'west' }];
const told = (words: Partial<Parameters<typeof readyText>[0]> = {}): string =>
  readyText({ url: 'https://127.0.0.1:1', kubeconfig: '.sluice/kubeconfig', members, keeps: true, ...words });

test('it says where it is, and how to use it from here', () => {
  expect(told()).toMatch(/^sluice is ready: https:\/\/127\.0\.0\.1:1, 2 simulated members \(east, west\)\n/);
  expect(told()).toContain('export KUBECONFIG=.sluice/kubeconfig\n');
  expect(told()).toContain('kubectl --context east get deployments');
  expect(told()).toContain('what you did stays');
});

test('a file elsewhere is named by its whole path', () => {
  const kubeconfig = path.resolve('..', 'elsewhere', 'kubeconfig');
  expect(told({ kubeconfig })).toContain(`export KUBECONFIG=${kubeconfig}\n`);
});

test('it promises nothing that is not so', () => {
  expect(told({ keeps: false })).not.toContain('stays');
  expect(told({ members: [] })).not.toContain('--context');
});

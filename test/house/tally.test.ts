import { expect, test } from 'vitest';
import { tallyOf } from '../../tools/tally.ts';
import { plant } from './tree.ts';

const report = (over: object): string =>
  JSON.stringify({
    success: true,
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    testResults: [{ status: 'passed', assertionResults: [{}] }],
    ...over,
  });

const failing = { success: false, numFailedTests: 2 };
const unloaded = { success: false, testResults: [{ status: 'failed', assertionResults: [] }] };

test.each([
  ['adds runs up', { 'a.json': report({}), 'b.json': report({ numPassedTests: 4 }) }, 7, 0],
  ['counts failures', { 'a.json': report(failing), 'b.json': report({}) }, 6, 2],
  ['counts a file that does not load', { 'a.json': report(unloaded), 'b.json': report({}) }, 6, 1],
  ['counts a failed run without a failed test', { 'a.json': report({ success: false }), 'b.json': report({}) }, 6, 1],
  ['counts a skipped test as not passed', { 'a.json': report({ numPendingTests: 1 }), 'b.json': report({}) }, 6, 1],
  ['counts a run that left no report', { 'a.json': report({}) }, 3, 1],
  ['counts other steps', { 'a.json': report({}), 'b.json': report({}), 'steps.json': '{"failed":["lint"]}' }, 6, 1],
])('%s', (_, files, passed, failed) => {
  using tree = plant(files);
  expect(tallyOf(tree.root, ['a', 'b'])).toEqual({ passed, failed });
});

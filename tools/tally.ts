/**
 * Adds up the reports of a pipeline: `node tools/tally.ts DIR fast long …` reads `DIR/fast.json` and so on and prints
 * `N passed, N failed` alone on a line. A named run that left no report counts as a failure: silence is not success.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The result of a number of runs. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** The sum of the named reports in a folder, and of the steps that failed beside them. */
export function tallyOf(folder: string, runs: readonly string[]): Tally {
  const tallies = runs.map((run) => tallyOfRun(join(folder, `${run}.json`)));
  const sum = (pick: keyof Tally): number => tallies.reduce((total, tally) => total + tally[pick], 0);
  return { passed: sum('passed'), failed: sum('failed') + failedSteps(join(folder, 'steps.json')) };
}

function tallyOfRun(file: string): Tally {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  // A file that fails to load has no tests to count, and a test that was skipped has not been seen to pass.
  const unloaded = report.testResults.filter((it) => it.status === 'failed' && it.assertionResults.length === 0).length;
  const failed = report.numFailedTests + report.numPendingTests + unloaded;
  return { passed: report.numPassedTests, failed: report.success ? failed : Math.max(1, failed) };
}

function failedSteps(file: string): number {
  if (!existsSync(file)) return 0;
  return (JSON.parse(readFileSync(file, 'utf8')) as { failed: readonly string[] }).failed.length;
}

if (import.meta.main) {
  const [folder = '', ...runs] = process.argv.slice(2);
  const { passed, failed } = tallyOf(folder, runs);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

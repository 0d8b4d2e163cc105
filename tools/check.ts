/**
 * All that must hold before a change lands: `npm run check`.
 * Stops at the first step that fails and shows what it said; `--keep-going` runs the rest too. `--no-fast` leaves out
 * the suites of `npm test`. `--reports DIR` keeps the results of the test runs there, for `tools/tally.ts`.
 * Start with `steps`: cheap ones first.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** One thing that must hold; `tests` names the report of a test run. */
interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly tests?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly step: Step;
  readonly state: 'passed' | 'failed' | 'not run';
  readonly seconds: number;
}

const { values: options } = parseArgs({
  options: {
    'no-fast': { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
    reports: { type: 'string' },
  },
});

const steps: readonly Step[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'rooms', command: ['node', 'tools/rooms.ts'] },
  { name: 'purity', command: ['node', 'tools/purity.ts'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the pure rooms', command: ['tsc', '-p', 'tsconfig.pure.json'] },
  { name: 'types of the page', command: ['tsc', '-p', 'src/dashboard/page'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'words', command: ['node', 'tools/words.ts'] },
  { name: 'sizes', command: ['node', 'tools/sizes.ts'] },
  { name: 'docs', command: ['node', 'tools/docs.ts'] },
  { name: 'fast tests', command: ['vitest', 'run'], tests: 'fast' },
  {
    name: 'properties, at length',
    command: ['vitest', 'run', 'test/properties'],
    tests: 'properties',
    environment: { SLUICE_STORIES: '1000' },
  },
  { name: 'long tests', command: ['vitest', 'run', '--config', 'vitest.long.config.ts'], tests: 'long' },
  { name: 'scenarios on a server', command: ['vitest', 'run', '--config', 'vitest.server.config.ts'], tests: 'server' },
];

function commandOf({ command, tests }: Step): readonly string[] {
  if (!tests || !options.reports) return command;
  const file = join(options.reports, `${tests}.json`);
  return [...command, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
}

/** Resolves to the exit code; what was said is shown only if it is not 0. */
async function run(step: Step): Promise<number> {
  const [program = '', ...args] = commandOf(step);
  const path = `${join(process.cwd(), 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  const child = spawn(program, args, {
    env: { ...process.env, ...step.environment, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      resolve(127);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
  if (code !== 0) process.stdout.write(Buffer.concat(said));
  return code;
}

async function outcomeOf(step: Step, go: boolean): Promise<Outcome> {
  if (!go) return { step, state: 'not run', seconds: 0 };
  const start = performance.now();
  const code = await run(step);
  const seconds = (performance.now() - start) / 1000;
  const outcome: Outcome = { step, state: code === 0 ? 'passed' : 'failed', seconds };
  console.log(lineOf(outcome));
  return outcome;
}

function lineOf({ step, state, seconds }: Outcome): string {
  const mark = { passed: 'ok  ', failed: 'FAIL', 'not run': '–   ' }[state];
  return `${mark} ${step.name.padEnd(24)} ${state === 'not run' ? 'not run' : `${seconds.toFixed(1)} s`}`;
}

/** A failed step that is not a test run counts as one failure in the tally. */
function report(outcomes: readonly Outcome[]): void {
  if (!options.reports) return;
  const failed = outcomes.filter(({ step, state }) => state === 'failed' && !step.tests).map(({ step }) => step.name);
  writeFileSync(join(options.reports, 'steps.json'), JSON.stringify({ failed }));
}

if (options.reports) mkdirSync(options.reports, { recursive: true });
const outcomes: Outcome[] = [];
for (const step of steps) {
  if (options['no-fast'] && step.tests === 'fast') continue;
  const stopped = !options['keep-going'] && outcomes.some(({ state }) => state === 'failed');
  outcomes.push(await outcomeOf(step, !stopped));
}
report(outcomes);
const failed = outcomes.filter(({ state }) => state === 'failed');
const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
for (const outcome of outcomes) if (outcome.state === 'not run') console.log(lineOf(outcome));
console.log(
  failed.length === 0
    ? `\nAll of it holds (${seconds.toFixed(1)} s).`
    : `\nDoes not hold: ${failed.map(({ step }) => step.name).join(', ')} (${seconds.toFixed(1)} s).`,
);
if (failed.length > 0) process.exitCode = 1;

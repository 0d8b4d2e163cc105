import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programOf } from '../kit/programs.ts';

const run = promisify(execFile);
const top = path.join(import.meta.dirname, '../..');

/** A command of the README with the output that it promises. */
interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

/** The console blocks of the quick start, in their order. */
function steps(): readonly Step[] {
  const readme = readFileSync(path.join(top, 'README.md'), 'utf8');
  const section = /## Quick start\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
  const lines = [...section.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );
  const found: { command: string; output: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) found.push({ command: line.slice(2), output: [] });
    else found.at(-1)?.output.push(line);
  }
  return found;
}

let folder: string;
let server: ChildProcess | undefined;
const said: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-quickstart-'));
  await run('git', ['clone', '--quiet', top, folder]);
}, 120_000);

afterAll(async () => {
  server?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Ages and widths of columns differ from run to run. */
const plain = (line: string): string =>
  line
    .replace(/\s+\d+[smh](\d+[smh])?$/, ' AGE')
    .replaceAll(/\s+/g, ' ')
    .trim();

async function until(what: string, check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${said.join('')}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function shell(command: string): Promise<readonly string[]> {
  const kubectl = path.dirname(programOf('kubectl'));
  const env = {
    ...process.env,
    PATH: `${kubectl}:${process.env['PATH']}`,
    KUBECONFIG: '.sluice/kubeconfig',
    HOME: folder,
  };
  const { stdout } = await run('bash', ['-c', command], { cwd: folder, env });
  return stdout.trimEnd().split('\n');
}

/** Starts what the README starts, and waits for the line that it promises. */
async function start({ command, output }: Step): Promise<void> {
  server = spawn('bash', ['-c', `exec bash -c ${JSON.stringify(command)}`], { cwd: folder, detached: true });
  server.stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  server.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await until('sluice is ready', () => said.join('').includes(output[0] ?? 'sluice is ready'));
}

test('the README can be followed word for word', async () => {
  const [first, ...rest] = steps();
  expect(rest.length).toBeGreaterThan(5);
  expect(rest.length).toBeLessThanOrEqual(10);
  if (!first) throw new Error('the README has no quick start');
  await start(first);
  for (const { command, output } of rest) {
    if (command.startsWith('export ')) continue;
    const wanted = output.map(plain);
    let seen: readonly string[] = [];
    const reading = command.includes(' get ');
    await until(`${command}\nwanted: ${wanted.join('\n')}`, async () => {
      seen = (await shell(command).catch((error: unknown) => [String(error)])).map(plain);
      return !reading || JSON.stringify(seen) === JSON.stringify(wanted);
    });
    expect(seen).toEqual(wanted);
  }
  const ended = new Promise<number | null>((resolve) => server?.on('exit', (code) => resolve(code)));
  process.kill(Number(readFileSync(path.join(folder, '.sluice/holder'), 'utf8')), 'SIGTERM');
  expect(await ended).toBe(0);
}, 240_000);

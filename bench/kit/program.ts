import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

/** The times of a run of the program, in seconds. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly wall: number;
  /** Processor time of all its threads. */
  readonly processor: number;
}

/** Called on a pipe of its own when the program ends. */
const report = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  (await_fs()).writeSync(3, String(user + system));
}); function await_fs() { return process.getBuiltinModule('node:fs'); }`;

/** Runs the program to its end, in a folder. */
export async function runProgram(args: readonly string[], folder: string): Promise<Run> {
  const hook = `data:text/javascript,${encodeURIComponent(report)}`;
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', hook, bin, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const texts = ['', ''];
  for (const [i, stream] of [child.stdout, child.stdio[3]].entries())
    stream?.on('data', (chunk: Buffer) => (texts[i] += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    code,
    out: texts[0] ?? '',
    wall: (performance.now() - start) / 1000,
    processor: Number(texts[1]) / 1e6,
  };
}

/** Starts `sluice up` in a folder and waits until it is ready. */
export async function startUp(folder: string): Promise<ChildProcess> {
  const args = ['up', '--data-dir', '.sluice', '--listen', '127.0.0.1:0'];
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('sluice is ready')) break;
  child.stdout?.resume();
  return child;
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../kit/until.ts';

const bin = path.join(import.meta.dirname, '../../bin/sluice.js');
/** Makes this Node pass for one that is too old, which hands over to the one that came with the package. */
const old = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})`;

let folder = '';
const started: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'launcher-'));
});
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

const serverPid = (): number => Number(readFileSync(path.join(folder, 'holder'), 'utf8'));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts the program through the launcher and resolves when it is ready. */
async function up(): Promise<ChildProcess> {
  const args = ['up', '--data-dir', folder, '--listen', '127.0.0.1:0', '--members', '0', '--dashboard', 'off'];
  const launcher = spawn(process.execPath, ['--import', old, bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ready = new Promise<void>((resolve) => {
    launcher.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('sluice is ready')) resolve();
    });
  });
  launcher.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const early = once(launcher, 'exit').then(() => Promise.reject(new Error(`it ended at once: ${said}`)));
  early.catch(() => {});
  await Promise.race([ready, early]);
  started.push(launcher.pid ?? 0, serverPid());
  return launcher;
}

test('the server ends when its launcher is killed, and another one can start', async () => {
  const launcher = await up();
  const server = serverPid();
  expect(server).not.toBe(launcher.pid);
  launcher.kill('SIGKILL');
  // The lock of the data directory is free when the server has ended.
  const second = await until('another one can start', up, 20_000);
  expect(serverPid()).not.toBe(server);
  const exited = once(second, 'exit');
  second.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('the launcher ends with the code of the program, and a server that is killed leaves none', async () => {
  const launcher = await up();
  const exited = once(launcher, 'exit');
  process.kill(serverPid(), 'SIGKILL');
  expect(await exited).toEqual([137, null]);
});

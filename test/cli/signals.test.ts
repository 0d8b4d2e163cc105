import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../kit/until.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-signals-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = path.resolve('bin/sluice.js');

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s while it starts ends it without a complaint',
  async (signal) => {
    const dataDir = path.join(folder, signal);
    const child = spawn(process.execPath, [program, 'up', '--data-dir', dataDir, '--listen', '127.0.0.1:0']);
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const ended = once(child, 'exit');
    await until('it has begun', async () => existsSync(path.join(dataDir, 'lock')));
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(said).toEqual([]);
  },
  60_000,
);

/** Starts the system where that cannot work; what hangs is killed. */
function failed(...words: readonly string[]): readonly [number | null, string, string] {
  const args = [program, 'up', '--listen', '127.0.0.1:0', '--members', '0', ...words];
  const patience = { encoding: 'utf8', timeout: 30_000, killSignal: 'SIGKILL' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, patience);
  return [status, stdout, stderr];
}

const line = /^sluice: .*\/proc\/sluice.*no such file or directory.*\n$/;

test.skipIf(!existsSync('/proc/self')).each(['/proc/sluice', '/proc/sluice/below'])(
  'a data directory that cannot be made is told in one line: %s',
  (dataDir) => expect(failed('--data-dir', dataDir)).toEqual([1, '', expect.stringMatching(line)]),
  60_000,
);

test.skipIf(!existsSync('/proc/self'))(
  'a kubeconfig that cannot be written is told in one line',
  () => {
    const words = ['--data-dir', path.join(folder, 'well'), '--kubeconfig', '/proc/sluice/kubeconfig'];
    expect(failed(...words)).toEqual([1, '', expect.stringMatching(line)]);
  },
  60_000,
);

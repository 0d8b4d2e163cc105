import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-refused-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** This refusal of the kernel needs no disk of its own: a soft limit on the size of files, in KiB. */
test('when the kernel refuses its writes, the store is read-only until they pass again', async () => {
  const dataDir = join(folder, 'data');
  const limited = `ulimit -S -f 4096; exec "$0" "$@"`;
  const program = join(import.meta.dirname, 'store-refused.ts');
  const child = spawn('bash', ['-c', limited, process.execPath, program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const told = async () => JSON.parse((await lines.next()).value ?? 'null') as Record<string, unknown>;

  const refused = await told();
  expect(refused).toMatchObject({ code: 'readonly', message: expect.stringMatching(/store\.db failed: /) });
  const { acknowledged } = refused;
  expect(refused).toMatchObject({ revision: acknowledged, count: acknowledged });
  expect(acknowledged).toBeGreaterThan(100);

  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:']);
  expect(await told()).toEqual({ revision: Number(acknowledged) + 1 });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const store = await openStore({ dataDir });
  expect([store.revision, store.count('')]).toEqual([Number(acknowledged) + 1, Number(acknowledged) + 1]);
  await store.close();
});

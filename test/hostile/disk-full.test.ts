import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const program = path.join(import.meta.dirname, 'disk-full.ts');

test('a store on a full disk goes on as soon as there is space, without a restart', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'disk-full-'));
  try {
    const { stdout } = await run('unshare', ['-rm', process.execPath, program, folder]);
    expect(stdout).toContain('refused: the store is read-only');
    expect(stdout).toContain('then: writable');
    expect(stdout).toContain('kept: 67');
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Node.js runs what is in its cache of compiled code: another user of the machine must not be able to put anything there. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeCacheFolder } from '../../src/cli/code-cache.ts';

const run = promisify(execFile);
const bin = path.join(import.meta.dirname, '../../bin/sluice.js');
let home = '';
let cache = '';
let temporary = '';

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'home-'));
  cache = path.join(home, '.cache/sluice/code');
  temporary = path.join(home, 'tmp');
  mkdirSync(temporary);
});
afterEach(() => rmSync(home, { recursive: true }));

/** Runs the program as a user with this home; the cache of the test itself is not inherited. */
async function version(): Promise<void> {
  const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...rest } = process.env;
  await run(process.execPath, [bin, 'version'], { env: { ...rest, HOME: home, TMPDIR: temporary } });
}

const where = (): string | undefined => codeCacheFolder({ environment: {}, home });

test('the program keeps compiled code in a folder of its user alone, and nothing in the folder for temporary files', async () => {
  await version();
  expect(lstatSync(cache).mode & 0o777).toBe(0o700);
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(10);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a folder that others may enter is not used', async () => {
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o777);
  await version();
  expect(readdirSync(cache)).toEqual([]);
  expect(where()).toBeUndefined();
});

test('a folder whose parent others may write to is not used', () => {
  expect(where()).toBe(cache);
  chmodSync(path.join(home, '.cache'), 0o777);
  expect(where()).toBeUndefined();
});

test('a link in place of the folder is not used', () => {
  mkdirSync(path.dirname(cache), { recursive: true });
  mkdirSync(path.join(home, 'theirs'), { mode: 0o700 });
  symlinkSync(path.join(home, 'theirs'), cache);
  expect(where()).toBeUndefined();
});

test('without a home that can be written to there is no cache, and the program runs', async () => {
  rmSync(temporary, { recursive: true });
  expect(codeCacheFolder({ environment: {}, home: '/proc/none' })).toBeUndefined();
  await version();
  expect(existsSync(temporary)).toBe(false);
});

test('XDG_CACHE_HOME names the place', () => {
  const folder = path.join(home, 'elsewhere');
  expect(codeCacheFolder({ environment: { XDG_CACHE_HOME: folder }, home })).toBe(path.join(folder, 'sluice/code'));
});

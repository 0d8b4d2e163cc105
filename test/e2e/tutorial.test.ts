import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Reader, stepsIn } from '../kit/page.ts';

const top = path.join(import.meta.dirname, '../..');

let folder: string;
let reader: Reader;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-tutorial-'));
  await promisify(execFile)('git', ['clone', '--quiet', top, folder]);
  await symlink(path.join(top, 'node_modules'), path.join(folder, 'node_modules'));
  reader = new Reader(folder);
}, 120_000);

afterAll(async () => {
  reader.close();
  await rm(folder, { recursive: true, force: true });
});

test('the tutorial can be followed word for word', async () => {
  const [first, ...rest] = stepsIn(readFileSync(path.join(top, 'docs/tutorial.md'), 'utf8'));
  expect(rest.length).toBeGreaterThan(30);
  if (!first) throw new Error('the tutorial has no commands');
  await reader.starts(first);
  for (const step of rest) await reader.follows(step);
  expect(await reader.stops()).toBe(0);
}, 300_000);

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Reader, stepsIn } from '../kit/page.ts';

const top = path.join(import.meta.dirname, '../..');

let folder: string;
let reader: Reader;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-quickstart-'));
  await promisify(execFile)('git', ['clone', '--quiet', top, folder]);
  reader = new Reader(folder);
}, 120_000);

afterAll(async () => {
  reader.close();
  await rm(folder, { recursive: true, force: true });
});

test('the README can be followed word for word', async () => {
  const readme = readFileSync(path.join(top, 'README.md'), 'utf8');
  const [first, ...rest] = stepsIn(/## Quick start\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '');
  expect(rest.length).toBeGreaterThan(5);
  expect(rest.length).toBeLessThan(10);
  if (!first) throw new Error('the README has no quick start');
  await reader.starts(first);
  for (const step of rest) await reader.follows(step);
  expect(await reader.stops()).toBe(0);
}, 240_000);

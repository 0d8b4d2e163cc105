import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases, object } from '../jsonpath/cases.ts';
import { programOf } from '../kit/programs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-jsonpath-'));
  await writeFile(path.join(folder, 'pod.json'), JSON.stringify(object));
});
afterAll(() => rm(folder, { recursive: true }));

/** kubectl prints a local object, and asks no server. */
function printed(template: string): Promise<{ readonly failed: boolean; readonly out: string; readonly err: string }> {
  const file = path.join(folder, 'pod.json');
  const args = ['label', '--local', '-f', file, '--overwrite', 'app=web', '-o', `jsonpath=${template}`];
  const env = { HOME: folder, PATH: process.env['PATH'] };
  return new Promise((resolve) => {
    execFile(programOf('kubectl'), args, { env }, (error, out, err) => resolve({ failed: error !== null, out, err }));
  });
}

test.each(cases.filter(({ template }) => template !== ''))('kubectl prints the same for $template', async (wanted) => {
  const { failed, out, err } = await printed(wanted.template);
  expect({ failed, err: failed ? '' : err }).toEqual({ failed: wanted.fails === true, err: '' });
  if (!wanted.fails) expect(out).toBe(wanted.prints);
});

import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plant } from './tree.ts';

const top = join(import.meta.dirname, '../..');
const config = (name: string): string => readFileSync(join(top, name), 'utf8');

/** Compiles a copy of the pure rooms with one more file planted into each. */
function compiled(text: string): { readonly status: number | null; readonly said: string } {
  using tree = plant({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': config('tsconfig.json'),
    'tsconfig.pure.json': config('tsconfig.pure.json'),
    ...Object.fromEntries(rooms.map((folder) => [`src/${folder}/planted.ts`, text])),
  });
  // With the packages in reach: the types of Node must be kept out by the configuration, not by their absence.
  symlinkSync(join(top, 'node_modules'), join(tree.root, 'node_modules'));
  for (const folder of rooms) cpSync(join(top, 'src', folder), join(tree.root, 'src', folder), { recursive: true });
  const tsc = join(top, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.pure.json', '--pretty', 'false'], {
    cwd: tree.root,
    encoding: 'utf8',
  });
  return { status: run.status, said: run.stdout };
}

const rooms = ['base', 'api', 'lua', 'engine'];

describe('the pure rooms', () => {
  test('compile as they are', () => expect(compiled('export const planted = 1;\n')).toEqual({ status: 0, said: '' }));

  // All plants stand in one file: a run of the compiler costs more than all the checks.
  test('cannot reach the world', () => {
    const plants = [
      ['setTimeout(() => {}, 1);', "'setTimeout'"],
      ["export const a = Buffer.from('x');", "'Buffer'"],
      ["export { readFileSync } from 'node:fs';", "'node:fs'"],
      ["console.log('x');", "'console'"],
      ["export const b = fetch('x');", "'fetch'"],
      ["export const c = new URL('x:y');", "'URL'"],
      ['export const d = new TextEncoder();', "'TextEncoder'"],
      ['export const e = crypto.randomUUID();', "'crypto'"],
      ['export const f = process.env;', "'process'"],
      ['export const g = performance.now();', "'performance'"],
    ] as const;
    const { status, said } = compiled(`${plants.map(([line]) => line).join('\n')}\n`);
    expect(status).not.toBe(0);
    for (const folder of rooms) {
      plants.forEach(([, thing], i) => {
        expect(said).toMatch(
          new RegExp(`src/${folder}/planted\\.ts\\(${i + 1},\\d+\\): error TS\\d+: Cannot find (name|module) ${thing}`),
        );
      });
    }
  });
});

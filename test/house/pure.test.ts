import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plant } from './tree.ts';

const top = join(import.meta.dirname, '../..');
const config = (name: string): string => readFileSync(join(top, name), 'utf8');

/** What the pure tsconfig says of a copy of the pure rooms with one more file planted into each. */
function compiled(text: string): string {
  using tree = plant({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': config('tsconfig.json'),
    'tsconfig.pure.json': config('tsconfig.pure.json'),
    ...Object.fromEntries(rooms.map((room) => [`src/${room}/planted.ts`, text])),
  });
  for (const room of rooms) {
    if (existsSync(join(top, 'src', room))) {
      cpSync(join(top, 'src', room), join(tree.root, 'src', room), { recursive: true });
    }
  }
  const tsc = join(top, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', 'tsconfig.pure.json'], { cwd: tree.root, encoding: 'utf8' }).stdout;
}

const rooms = ['base', 'api', 'engine'];

describe('the pure rooms', () => {
  test('compile as they are', () => expect(compiled('export const planted = 1;\n')).toBe(''));

  // All plants stand in one file: a run of the compiler costs more than all the checks.
  test('cannot reach the world', () => {
    const plants = [
      ['setTimeout(() => {}, 1);', "Cannot find name 'setTimeout'"],
      ["export const a = Buffer.from('x');", "Cannot find name 'Buffer'"],
      ["export { readFileSync } from 'node:fs';", "Cannot find module 'node:fs'"],
      ["console.log('x');", "Cannot find name 'console'"],
      ["export const b = fetch('x');", "Cannot find name 'fetch'"],
      ["export const c = new URL('x:y');", "Cannot find name 'URL'"],
      ['export const d = new TextEncoder();', "Cannot find name 'TextEncoder'"],
      ['export const e = crypto.randomUUID();', "Cannot find name 'crypto'"],
      ['export const f = process.env;', "Cannot find name 'process'"],
      ['export const g = performance.now();', "Cannot find name 'performance'"],
    ] as const;
    const said = compiled(`${plants.map(([line]) => line).join('\n')}\n`);
    for (const room of rooms) {
      plants.forEach(([, error], i) => {
        expect(said).toMatch(new RegExp(`src/${room}/planted\\.ts\\(${i + 1},\\d+\\): error TS\\d+: ${error}`));
      });
    }
  });
});

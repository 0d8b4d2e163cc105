import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPurity } from '../../tools/purity.ts';
import { plant } from './tree.ts';

const config = readFileSync(new URL('../../tsconfig.pure.json', import.meta.url), 'utf8');

function problemsOf(path: string, text: string): readonly string[] {
  using tree = plant({ 'tsconfig.pure.json': config, [path]: text });
  return checkPurity(tree.root);
}

test.each([
  ['Date.now', 'export const a =\n  Date.now();', 2],
  ['Date.now', 'export const a = Date.now;', 1],
  ['Date.now', "export const a = Date['now']();", 1],
  ['Date()', 'export const a = new Date();', 1],
  ['Date()', 'export const a = Date();', 1],
  ['Math.random', 'export const a = Math.random();', 1],
])('%s is caught in a pure room', (what, text, line) => {
  const problem = `src/engine/a/x.ts:${line}: ${what} in a pure room: time and chance are facts`;
  expect(problemsOf('src/engine/a/x.ts', text)).toEqual([problem]);
});

test.each([
  ['a time that is given', 'src/engine/x.ts', 'export const a = new Date(0).toISOString() + Date.parse("x");'],
  ['a comment', 'src/engine/x.ts', '// Date.now()\nexport const a = "Math.random()";'],
  ['a test', 'src/engine/x.test.ts', 'export const a = Date.now();'],
  ['a room that meets the world', 'src/runtime/x.ts', 'export const a = Date.now();'],
])('%s is fine', (_, path, text) => expect(problemsOf(path, text)).toEqual([]));

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programOf } from '../kit/programs.ts';
import { plant } from './tree.ts';

const program = '#!/bin/sh\n';

function found(paths: readonly string[], env: (root: string) => Record<string, string>): string {
  using tree = plant(Object.fromEntries(paths.map((path) => [path, program])));
  for (const path of paths) chmodSync(join(tree.root, path), 0o755);
  return programOf('kubectl', env(tree.root)).replace(tree.root, '');
}

test.each([
  ['on PATH', ['a/bin/kubectl'], (root: string) => ({ PATH: `${root}/none:${root}/a/bin` }), '/a/bin/kubectl'],
  ['the first on PATH', ['a/kubectl', 'b/kubectl'], (root: string) => ({ PATH: `${root}/b:${root}/a` }), '/b/kubectl'],
  [
    'beside PATH',
    ['usr/lib/sdk/bin/kubectl'],
    (root: string) => ({ PATH: `${root}/usr/bin` }),
    '/usr/lib/sdk/bin/kubectl',
  ],
  ['named', ['x/k', 'a/kubectl'], (root: string) => ({ PATH: `${root}/a`, KUBECTL: `${root}/x/k` }), '/x/k'],
])('a program is found %s', (_, paths, env, place) => expect(found(paths, env)).toBe(place));

test('one that is nowhere is an error that says what to do', () => {
  expect(() => found([], (root) => ({ PATH: root }))).toThrow('this suite needs kubectl: install it, or set KUBECTL');
  expect(() => found(['a/kubectl'], (root) => ({ PATH: `${root}/a`, KUBECTL: `${root}/x` }))).toThrow(
    'is not a program',
  );
});

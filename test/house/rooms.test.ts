import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkRooms, printed, readRooms } from '../../tools/rooms.ts';
import { plant } from './tree.ts';

const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');

const clean = {
  'ARCHITECTURE.md': page,
  'src/base/index.ts': `export const one = 1;\n`,
  'src/api/index.ts': `export * from '../base/index.ts';\n`,
  'src/api/meta.ts': `import { one } from '../base/index.ts';\nexport const two = one + 1;\n`,
  'src/store/index.ts': `export const store = 1;\n`,
  'src/engine/index.ts': `export * from './claim/claim.ts';\n`,
  'src/engine/claim/claim.ts': `import type { two } from '../../api/index.ts';\nexport type Two = typeof two;\n`,
  'src/controllers/index.ts': `export * from './detector/detector.ts';\nexport * from './binder/binder.ts';\n`,
  'src/controllers/detector/detector.ts': `import fs from 'node:fs';\nexport const detector = fs;\n`,
  'src/controllers/binder/binder.ts': `export const binder = 1;\n`,
};

function problemsWith(files: Readonly<Record<string, string>>): readonly string[] {
  using tree = plant({ ...clean, ...files });
  return checkRooms(tree.root).map(printed);
}

const breaks = 'src/engine/claim/breaks.ts';
const notStore = 'engine may not import store (ARCHITECTURE.md allows: base, api, lua)';

describe('a tree that keeps the rules', () => {
  test('has no problems', () => expect(problemsWith({})).toEqual([]));

  test.each([
    ['its tests import anything', { 'src/engine/x.test.ts': `import '../store/index.ts';\n` }],
    ['a comment', { [breaks]: `// import '../../store/index.ts'\n/* import('../../store/index.ts') */\nexport {};\n` }],
    ['a string', { [breaks]: `export const x = "import '../../store/index.ts'";\n` }],
    ['a template', { [breaks]: 'export const x = `\nimport "../../store/index.ts";\n`;\n' }],
    ['a regular expression', { [breaks]: `export const x = /import "..\\/..\\/store"/;\n` }],
    [
      'a JSON file at the root',
      { 'src/base/v.ts': `import p from '../../package.json' with { type: 'json' };\nvoid p;` },
    ],
    ['app may import every room that is not closed to it', { 'src/app/a.ts': `import '../store/index.ts';\n` }],
  ])('also with %s', (_, files) => expect(problemsWith(files)).toEqual([]));
});

describe('an import between rooms that the table does not allow', () => {
  test.each([
    ['import', `import { store } from '../../store/index.ts';\nvoid store;`, 1],
    ['import for its effect', `\nimport '../../store/index.ts';`, 2],
    ['import type', `import type { store } from '../../store/index.ts';\nexport type S = typeof store;`, 1],
    ['import over lines', `import {\n  store,\n} from\n  '../../store/index.ts';\nvoid store;`, 4],
    ['export from', `export { store } from '../../store/index.ts';`, 1],
    ['export type from', `export type { store } from '../../store/index.ts';`, 1],
    ['export all', `export * as all from '../../store/index.ts';`, 1],
    ['dynamic import', `export async function f() {\n  return await import('../../store/index.ts');\n}`, 2],
    ['import in a type', `export type S = typeof import('../../store/index.ts');`, 1],
    ['the package by its own name', `export * from 'sluice/store';`, 1],
  ])('is caught as %s', (_, text, line) => {
    expect(problemsWith({ [breaks]: text })).toEqual([`${breaks}:${line}: ${notStore}`]);
  });

  test('is caught where a room may import nothing', () => {
    expect(problemsWith({ 'src/base/x.ts': `import '../api/index.ts';\n` })).toEqual([
      'src/base/x.ts:1: base may not import api (ARCHITECTURE.md allows: nothing)',
    ]);
  });

  test('is caught where a room may import all but a few', () => {
    const files = { 'src/cli/index.ts': 'export {};\n', 'src/app/a.ts': `import '../cli/index.ts';\n` };
    expect(problemsWith(files)).toEqual([expect.stringContaining('src/app/a.ts:1: app may not import cli')]);
  });

  test('is caught in every kind of source file', () => {
    const files = { 'src/engine/x.tsx': `import '../store/index.ts';\nexport const x = <p>hi</p>;\n` };
    expect(problemsWith(files)).toEqual([`src/engine/x.tsx:1: ${notStore}`]);
  });
});

test('another room is entered by its index only', () => {
  expect(problemsWith({ [breaks]: `import { two } from '../../api/meta.ts';\nvoid two;` })).toEqual([
    `${breaks}:1: engine must enter api by src/api/index.ts, not by src/api/meta.ts`,
  ]);
});

test('the source does not import what stands outside it', () => {
  expect(problemsWith({ [breaks]: `import '../../../test/x.ts';` })).toEqual([
    `${breaks}:1: engine may not import test/x.ts: it stands outside src`,
  ]);
});

describe('a controller', () => {
  const shared = { 'src/controllers/controller.ts': 'export const events = 1;\n', 'src/controllers/pipeline/x.ts': '' };

  test.each([
    ['binder/x.ts', '../detector/detector.ts', 'binder', 'detector'],
    ['binder/deep/x.ts', '../../detector/deep/x.ts', 'binder', 'detector'],
    ['binder/x.ts', '../index.ts', 'binder', 'index.ts'],
    ['binder/x.ts', '../pipeline/x.ts', 'binder', 'pipeline'],
    ['messages.ts', './detector/detector.ts', 'messages.ts', 'detector'],
    ['messages.ts', './index.ts', 'messages.ts', 'index.ts'],
  ])('%s does not import %s', (file, specifier, from, to) => {
    expect(problemsWith({ ...shared, [`src/controllers/${file}`]: `import '${specifier}';` })).toEqual([
      `src/controllers/${file}:1: controllers/${from} may not import controllers/${to}: controllers meet in the store`,
    ]);
  });

  test.each([
    ['binder/x.ts', '../controller.ts'],
    ['binder/x.ts', './binder.ts'],
    ['messages.ts', './controller.ts'],
    ['pipeline/y.ts', '../binder/binder.ts'],
    ['pipeline/y.ts', '../controller.ts'],
  ])('%s imports %s', (file, specifier) => {
    expect(problemsWith({ ...shared, [`src/controllers/${file}`]: `import '${specifier}';` })).toEqual([]);
  });
});

test('a room has a row in the table', () => {
  expect(problemsWith({ 'src/attic/index.ts': '' })).toEqual([
    'src/attic/: the table of rooms in ARCHITECTURE.md has no row for attic',
  ]);
});

test('a file stands in a room', () => {
  expect(problemsWith({ 'src/main.ts': '' })).toEqual(['src/main.ts: stands outside every room']);
});

test.each('utils helpers common misc shared types constants manager impl'.split(' '))(
  'nothing is called %s',
  (name) => {
    const caught = `"${name}" says nothing; name it for what it holds`;
    expect(problemsWith({ [`src/api/${name}.ts`]: '' })).toEqual([`src/api/${name}.ts: ${caught}`]);
    expect(problemsWith({ [`src/api/${name}.test.ts`]: '' })).toEqual([`src/api/${name}.test.ts: ${caught}`]);
    expect(problemsWith({ [`src/api/${name}/x.ts`]: '' })).toEqual([`src/api/${name}/: ${caught}`]);
    expect(problemsWith({ [`test/${name}/x.ts`]: '' })).toEqual([`test/${name}/: ${caught}`]);
  },
);

test('a page without the table is an error, not an empty house', () => {
  expect(() => readRooms('# Nothing here')).toThrow('no table');
});

test('the tool itself says no', async () => {
  const { spawnSync } = await import('node:child_process');
  using tree = plant({ ...clean, [breaks]: `import '../../store/index.ts';` });
  const tool = new URL('../../tools/rooms.ts', import.meta.url).pathname;
  const run = spawnSync(process.execPath, [tool], { cwd: tree.root, encoding: 'utf8' });
  expect(run.stderr).toContain(`${breaks}:1: ${notStore}`);
  expect(run.status).toBe(1);
});

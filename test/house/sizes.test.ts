import { expect, test } from 'vitest';
import { measure, sizeProblems } from '../../tools/sizes.ts';
import { plant } from './tree.ts';

function sizesOf(files: Readonly<Record<string, string>>): ReturnType<typeof measure> {
  using tree = plant(files);
  return measure(tree.root);
}

const lines = (n: number): string => '//\n'.repeat(n);

test('this repository keeps its bounds', () => {
  expect(sizeProblems(measure(new URL('../..', import.meta.url).pathname))).toEqual([]);
});

test('a file has at most 400 lines, a test 500, a generated file as many as it likes', () => {
  const fine = {
    'src/a/x.ts': lines(400),
    'src/a/x.test.ts': lines(500),
    'test/y.ts': lines(500),
    'src/a/gen/z.ts': lines(900),
  };
  expect(sizeProblems(sizesOf(fine))).toEqual([]);
  const long = { 'src/a/x.ts': lines(401), 'src/a/x.test.ts': lines(501), 'bench/y.ts': lines(501) };
  expect(sizeProblems(sizesOf(long))).toEqual([
    'src/a/x.test.ts: more than 500 lines',
    'src/a/x.ts: more than 400 lines',
    'bench/y.ts: more than 500 lines',
  ]);
});

test('a short file with a single importer is a fragment, but not one that the index offers or that two files import', () => {
  const sizes = sizesOf({
    'src/a/index.ts': "export * from './offered.ts';",
    'src/a/offered.ts': "import './short.ts'; import './long.ts'; import './two.ts';",
    'src/a/other.ts': "import './two.ts';",
    'src/a/short.ts': lines(59),
    'src/a/long.ts': lines(60),
    'src/a/two.ts': '',
  });
  expect(sizes.fragments).toEqual(['src/a/short.ts']);
  expect(sizeProblems(sizes, 1)).toEqual([]);
  expect(sizeProblems(sizes, 0)).toEqual([expect.stringContaining('1 fragments, at most 0')]);
});

test('lengths of functions are counted from the name to the closing brace', () => {
  const text = 'function a() {\n  return 1;\n}\nconst b = () => 1;\nconst c = () => {\n};\n';
  expect(sizesOf({ 'src/a/x.ts': text }).functionLines).toEqual([2, 3]);
});

test('four files may give a type the same name, and a fifth may not', () => {
  const four = {
    'src/a/x.ts': 'export interface Place {}',
    'src/a/y.ts': 'type Place = 1;',
    'src/b/z.ts': 'class Place {}',
    'src/b/v.ts': 'interface Place {}',
  };
  expect(sizeProblems(sizesOf(four))).toEqual([]);
  expect(sizeProblems(sizesOf({ ...four, 'src/b/w.ts': 'export type Place = 2;' }))).toEqual([
    'type Place has several meanings: src/a/x.ts, src/a/y.ts, src/b/v.ts, src/b/w.ts, src/b/z.ts',
  ]);
});

test('an exported thing needs a sentence, beyond the few that have none yet', () => {
  const without = (count: number): Readonly<Record<string, string>> => ({
    'src/a/x.ts': Array.from({ length: count }, (_, i) => `export const x${i} = 1;`).join('\n'),
    'src/a/y.ts': '/** One. */\nexport function one() {}\n// Two.\nexport type Two = 2;\nconst four = 3;',
  });
  expect(sizesOf(without(0)).silent).toEqual([]);
  expect(sizeProblems(sizesOf(without(20)))).toEqual([]);
  expect(sizeProblems(sizesOf(without(21)))).toHaveLength(21);
});

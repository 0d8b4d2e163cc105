import { expect, test } from 'vitest';
import { beyond, checkWords, isHeadless, readRetired, refusedWords } from '../../tools/words.ts';
import { plant } from './tree.ts';

const page = `# Terms

A brake on this page is refused, too.

## Retired words

| retired           | use        | refused in  |
| ----------------- | ---------- | ----------- |
| \`brake\`           | suspension | names, text |
| \`held\`            | suspended  | names       |
| \`held by\`         | managed by | text        |

| allowed         | because     |
| --------------- | ----------- |
| \`heldByAnother\` | an old name |
`;

function findingsIn(files: Readonly<Record<string, string>>): readonly string[] {
  using tree = plant({ 'docs/terms.md': page.replace('A brake', 'A suspension'), ...files });
  return checkWords(tree.root).map(({ file, line, message }) => `${file}:${line}: ${message.split(' (')[0]}`);
}

test('this repository keeps its own words', () => {
  expect(refusedWords(new URL('../..', import.meta.url).pathname)).toEqual([]);
});

test.each([
  [
    'the name of a file',
    { 'src/a/brake-lines.ts': '' },
    'src/a/brake-lines.ts:0: src/a/brake-lines.ts: "brake" is retired: suspension',
  ],
  [
    'an identifier',
    { 'src/a/x.ts': '\nexport const isHeld = 1;' },
    'src/a/x.ts:2: isHeld: "held" is retired: suspended',
  ],
  [
    'a comment',
    { 'src/a/x.ts': '/**\n * The policy\n * is held  by somebody.\n */\n' },
    'src/a/x.ts:1: "held by" is retired: managed by',
  ],
  ['a line comment', { 'src/a/x.ts': 'export {}; // under a brake' }, 'src/a/x.ts:1: "brake" is retired: suspension'],
  [
    'a string',
    { 'src/a/x.ts': 'export const a = `the brake of ${1}`;' },
    'src/a/x.ts:1: "brake" is retired: suspension',
  ],
  [
    'the title of a test',
    { 'test/x.test.ts': "test('a brake', () => {});" },
    'test/x.test.ts:1: "brake" is retired: suspension',
  ],
  ['a page', { 'README.md': '# A\n\nThe brake.' }, 'README.md:3: "brake" is retired: suspension'],
  ['the page of terms', { 'docs/terms.md': page }, 'docs/terms.md:3: "brake" is retired: suspension'],
])('a retired word is found in %s', (_, files, finding) => expect(findingsIn(files)).toEqual([finding]));

test.each([
  ['an allowed name', { 'src/a/x.ts': 'export const heldByAnother = 1;' }],
  ['a word that is refused in names only', { 'src/a/x.ts': '// The lock is held.\nexport {};' }],
  ['a longer word', { 'src/a/x.ts': '// brakeman\nexport const upheld = 1;' }],
  ['the path of an import', { 'src/a/x.ts': "import './brake.ts';" }],
  ['a comment inside a string', { 'src/a/x.ts': "export const a = '// What counts';" }],
  ['the changelog, which tells of the past', { 'CHANGELOG.md': 'brake' }],
])('%s is fine', (_, files) => expect(findingsIn(files)).toEqual([]));

test.each([
  'What counts.',
  'Whoever comes.',
  'Those that wait.',
  'of two: the first',
  'That there is none.',
  'Who it is: a user?',
  'Told of changes.',
  'So many wait.',
])('"%s" is headless', (text) => {
  expect(isHeadless(text)).toBe(true);
  expect(findingsIn({ 'src/a/x.ts': `/** ${text} */\nexport {};` })).toEqual([
    expect.stringContaining('has no subject'),
  ]);
});

test.each([
  'The events that count.',
  'So many fail that none waits.',
  'What counts?',
  'Whole numbers.',
  'Offers a list.',
  'Whether it is true.',
])('"%s" has a subject', (text) => expect(isHeadless(text)).toBe(false));

test('a comment that asks instead of telling is found', () => {
  expect(findingsIn({ 'src/a/x.ts': '/** Is this a policy? Others are not. */\nexport {};' })).toEqual([
    expect.stringContaining('asks: say what is returned'),
  ]);
  expect(findingsIn({ 'src/a/x.ts': '/** Tells whether this is a policy. Is it? */\nexport {};' })).toEqual([]);
});

test('the title of a test needs a subject', () => {
  const titles = "describe.each([1])('what waits', () => test('whoever %s', () => {}));\ntest(`of a`, () => {});";
  expect(findingsIn({ 'test/x.test.ts': titles })).toHaveLength(3);
});

test('a folder may have as many findings as it is allowed, and not one more', () => {
  const finding = { file: 'src/a/x.ts', line: 1, message: '' };
  expect(beyond([finding, finding], { 'src/a': 2 })).toEqual([]);
  expect(beyond([finding, finding], { 'src/a': 1 })).toHaveLength(2);
  expect(beyond([finding], { 'src/b': 1 })).toHaveLength(1);
});

test('a page without the table is an error', () => expect(() => readRetired('# Terms')).toThrow('has no table'));

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkDocs } from '../../tools/docs.ts';
import { plant } from './tree.ts';

function problemsOf(page: string): readonly string[] {
  using tree = plant({
    'README.md': page,
    'docs/a.md': '# One thing\n\n## `Code` & more\n\n## One thing\n',
    'src/x.ts': '',
  });
  return checkDocs(tree.root);
}

test.each([
  ['a page', '[a](docs/a.md)'],
  ['a folder', '[a](docs/)'],
  ['a heading', '[a](docs/a.md#one-thing)'],
  ['the second heading of a name', '[a](docs/a.md#one-thing-1)'],
  ['a heading with signs', '[a](docs/a.md#code--more)'],
  ['a heading of the same page', '# Here\n[a](#here)'],
  ['another host', '[a](https://example.com/nowhere)'],
  ['nothing, in code', '`[a](nowhere.md)`\n\n```md\n[a](nowhere.md)\n```'],
])('a link to %s is good', (_, page) => expect(problemsOf(page)).toEqual([]));

test.each([
  ['a missing page', '\n[a](docs/b.md)', 'README.md:2: docs/b.md leads nowhere'],
  ['a missing image', '![a](a.png "title")', 'README.md:1: a.png leads nowhere'],
  ['a missing page by label', '[a]\n\n[a]: b.md', 'README.md:3: b.md leads nowhere'],
  ['a missing heading', '[a](docs/a.md#two)', 'README.md:1: docs/a.md#two: docs/a.md has no heading #two'],
  ['a missing heading of the same page', '[a](#two)', 'README.md:1: #two: README.md has no heading #two'],
  ['outside', '[a](../x.md)', 'README.md:1: ../x.md leads out of the repository'],
  ['a missing page, after code', '```md\nx\n```\n[a](b.md)', 'README.md:4: b.md leads nowhere'],
])('a link to %s is caught', (_, page, problem) => expect(problemsOf(page)).toEqual([problem]));

test.each([
  ['a file', '`src/x.ts`'],
  ['a folder', '`docs/`'],
  ['a file of a room, without src', '`engine/claim`'],
  ['nothing that looks like a path of this repository', '`apps/v1` `a/b` `src/*.ts` `docs/<page>`'],
  ['a missing file, in a block of code', '```\n`src/y.ts`\n```'],
])('a page may name %s', (_, page) => {
  using tree = plant({ 'README.md': page, 'docs/a.md': '', 'src/x.ts': '', 'src/engine/claim/decide.ts': '' });
  expect(checkDocs(tree.root)).toEqual([]);
});

test('a path that does not exist is caught in the pages of the root and of docs', () => {
  using tree = plant({
    'README.md': 'See\n`src/y.ts`.',
    'docs/a.md': '`engine/schedule`',
    'docs/adr/0001-a.md': '`src/past.ts`',
    'CHANGELOG.md': '`src/past.ts`',
    'src/x.ts': '',
  });
  expect(checkDocs(tree.root)).toEqual([
    'README.md:2: src/y.ts does not exist',
    'docs/a.md:1: engine/schedule does not exist',
  ]);
});

test('a comment may name only files that exist', () => {
  using tree = plant({
    'src/a/x.ts': '/** Start with b/y.ts; gone.ts is gone, and x.test.ts stands beside x.ts. */\nexport {};',
    'src/a/b/y.ts': "export const name = 'other.ts';",
    'src/a/x.test.ts': '',
  });
  expect(checkDocs(tree.root)).toEqual(['src/a/x.ts:1: gone.ts does not exist']);
});

test('CONTRIBUTING.md says of every folder of tests what belongs there', () => {
  const root = new URL('../../', import.meta.url);
  const page = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8');
  const folders = readdirSync(new URL('test', root), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !page.includes(`test/${name}`))).toEqual([]);
});

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

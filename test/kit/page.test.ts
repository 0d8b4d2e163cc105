import { expect, test } from 'vitest';
import { isAsPromised, stepsIn } from './page.ts';

test('a page is read as commands with what they print', () => {
  const page = 'Do this:\n\n```console\n$ one\n$ two \\\n> more\nout\n```\n\nand\n\n```console\n$ three\n```\n';
  expect(stepsIn(page)).toEqual([
    { command: 'one', output: [] },
    { command: 'two \\\nmore', output: ['out'] },
    { command: 'three', output: [] },
  ]);
});

test.each([
  ['the same', ['a  b 5s', 'c'], ['a b 3m', 'c'], true],
  ['another word', ['a', 'c'], ['a', 'd'], false],
  ['a line more', ['a', 'b'], ['a'], false],
  ['a line less', ['a'], ['a', 'b'], false],
  ['any lines', ['a', 'x', 'y', 'b'], ['a', '…', 'b'], true],
  ['no lines', ['a', 'b'], ['a', '…', 'b'], true],
  ['any text', ['app7 (failed): x'], ['app… (failed): …'], true],
  ['other text', ['app7 is well'], ['app… failed'], false],
  ['nothing', [], [], true],
])('%s', (_, seen, promised, expected) => expect(isAsPromised(seen, promised)).toBe(expected));

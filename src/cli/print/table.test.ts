import { expect, test } from 'vitest';
import { cut, table, widthOf } from './table.ts';

test('columns stand below their heads', () => {
  const text = table(
    ['NAME', 'READY'],
    [
      ['nginx', '1/1'],
      ['a', 'no'],
    ],
    { columns: undefined },
  );
  expect(text).toBe('NAME    READY\nnginx   1/1\na       no\n');
});

test('columns that do not fit on the terminal stand below their row, with their heads', () => {
  const rows = [
    ['one', 'a long word', 'x'],
    ['two', '-', ''],
  ];
  expect(table(['A', 'B', 'WHY'], rows, { columns: 12 })).toBe(
    ['A', 'one', '    b: a', '    long', '    word;', '    why: x', 'two', ''].join('\n'),
  );
  expect(table(['A', 'B', 'WHY'], rows, { columns: 20 })).toBe(
    ['A     B', 'one   a long word', '    why: x', 'two   -', ''].join('\n'),
  );
  expect(table(['A', 'B', 'WHY'], rows, { columns: 23 })).toBe(
    ['A     B             WHY', 'one   a long word   x', 'two   -', ''].join('\n'),
  );
});

test('a first column that is wider than the terminal is cut', () => {
  expect(table(['A'], [['a long word']], { columns: 8 })).toBe('A\na long …\n');
});

test('colours take no place', () => {
  const red = '\u001B[31mred\u001B[39m';
  expect(widthOf(red)).toBe(3);
  expect(
    table(
      ['A', 'B'],
      [
        [red, 'x'],
        ['plain', 'y'],
      ],
      { columns: undefined },
    ),
  ).toBe(`A       B\n${red}     x\nplain   y\n`);
  expect(cut(`${red}dish`, 5)).toBe(`${red}d…`);
  expect(cut(`\u001B[31mreddish\u001B[39m`, 4)).toBe('\u001B[31mred\u001B[39m…');
});

test('signs of many code points take one place', () => expect(widthOf('→ 👩‍💻é')).toBe(4));

test('text that matters to its end goes on below: beside the other columns, or under them where that is too narrow', () => {
  const rows = [['one', 'paused by somebody until noon because of lunch and of a nap after it']];
  expect(table(['A', 'WHY'], rows, { columns: 40, prose: true })).toBe(
    [
      'A     WHY',
      'one   paused by somebody until noon',
      '      because of lunch and of a nap',
      '      after it',
      '',
    ].join('\n'),
  );
  expect(table(['A', 'WHY'], rows, { columns: 24, prose: true })).toBe(
    [
      'A     WHY',
      'one',
      '    paused by somebody',
      '    until noon because',
      '    of lunch and of a',
      '    nap after it',
      '',
    ].join('\n'),
  );
  expect(table(['A', 'WHY'], [['one', 'x'.repeat(30)]], { columns: 24, prose: true })).toBe(
    ['A     WHY', 'one', `    ${'x'.repeat(20)}`, `    ${'x'.repeat(10)}`, ''].join('\n'),
  );
});

test('an empty column takes no line where the text does not fit', () => {
  expect(table(['TEMPLATE', 'WHY'], [['deployment', '-']], { columns: 10, prose: true })).toBe(
    'TEMPLATE …\ndeployment\n',
  );
});

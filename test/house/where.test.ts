import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const source = read('src/engine/world/wakes.ts') + read('src/engine/world/policy-wakes.ts');
const page = read('docs/where.md');

/** The rows of the page's second table: changed kinds, function, questions. */
const rows = [...page.matchAll(/^\| ([^|]+?) +\| `(wake\w+)` +\| (.+?) +\|$/gm)].map(
  ([, change = '', wake = '', questions = '']) => ({ change, wake, questions }),
);

const quoted = (text: string, quote: string): readonly string[] =>
  [...text.matchAll(new RegExp(`${quote}([a-z]+)${quote}`, 'g'))].map(([, word = '']) => word);

/** The questions in the type `Wake<…>` of the last parameter of a function, its aliases resolved. */
function questionsOf(wake: string): readonly string[] {
  const head = new RegExp(`^(?:export )?function ${wake}\\([\\s\\S]*?Wake<([^>]*)>`, 'm').exec(source)?.[1] ?? '';
  const aliases = [...head.matchAll(/\bOf\w+/g)].map(
    ([name]) => new RegExp(`^type ${name} =([\\s\\S]*?);`, 'm').exec(source)?.[1] ?? '',
  );
  return quoted(head + aliases.join(''), "'");
}

test.each(rows.filter(({ wake }) => wake !== 'wakeAll'))('a change of $change asks its questions', (row) => {
  expect(quoted(row.questions, '`').toSorted()).toEqual(questionsOf(row.wake).toSorted());
});

test('every kind with a waker has a row', () => {
  const table = /const wakers[\s\S]*?lookup\(\{([\s\S]*?)\}\)/.exec(source)?.[1] ?? '';
  const wakers = [...table.matchAll(/(\w+): (wake\w+)/g)].map(([, kind, wake]) => `${kind ?? ''} ${wake ?? ''}`);
  const told = new Set(rows.flatMap(({ change, wake }) => change.split(', ').map((kind) => `${kind} ${wake}`)));
  expect(wakers.length).toBeGreaterThan(10);
  expect(wakers.filter((one) => !told.has(one))).toEqual([]);
});

test.each([
  ['wakeTaintPolicy', ['cluster']],
  ['wakeRollout', ['suspension', 'namespace', 'evict', 'dependencies', 'render']],
  ['wakeNothing', []],
])('the type of %s names %j', (wake, expected) => expect(questionsOf(wake)).toEqual(expected));

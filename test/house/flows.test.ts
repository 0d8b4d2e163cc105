import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const pages = ['edit.md', 'plan.md', 'restart.md'];

/** The boxes of the diagrams of a page: `name<br/>file`, where a name is a function, or a class and its method. */
function boxesOf(page: string): readonly (readonly [string, string])[] {
  const text = readFileSync(new URL(`docs/flows/${page}`, root), 'utf8');
  return [...text.matchAll(/"([\w.]+)<br\/>(src\/[\w./-]+)"/g)].map(
    ([, name = '', file = '']) => [name, file] as const,
  );
}

/** Tells whether a source defines a function, or a class with a method of that name. */
function defines(source: string, name: string): boolean {
  const [first = '', method] = name.split('.');
  const isThere = new RegExp(`^(?:export )?(?:async )?(?:function\\*?|const|class) ${first}\\b`, 'm').test(source);
  return isThere && (method === undefined || new RegExp(`^  (?:readonly |async )?[#*]?${method}\\b`, 'm').test(source));
}

test.each(pages.flatMap((page) => boxesOf(page).map(([name, file]) => [page, name, file] as const)))(
  '%s: %s is in %s',
  (_, name, file) => {
    const url = new URL(file, root);
    expect(existsSync(url), `${file} exists`).toBe(true);
    expect(defines(readFileSync(url, 'utf8'), name), `${file} defines ${name}`).toBe(true);
  },
);

test('every box of a diagram has a file, but for the round ones', () => {
  for (const page of pages) {
    const text = readFileSync(new URL(`docs/flows/${page}`, root), 'utf8');
    const square = [...text.matchAll(/(?<!\()\["/g)].length;
    expect([page, boxesOf(page).length]).toEqual([page, square]);
  }
});

test.each([
  ['function wake() {}', 'wake', true],
  ['export const questions = 1;', 'questions', true],
  ['class Pipeline {\n  #answer() {}\n}', 'Pipeline.answer', true],
  ['class Pipeline {\n  #ask() {}\n}', 'Pipeline.answer', false],
  ['import { wake } from "x";\nwake();', 'wake', false],
])('%j defines %s: %s', (source, name, expected) => expect(defines(source, name)).toBe(expected));

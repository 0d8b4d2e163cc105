import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
const folder = new URL('../../src/controllers/', import.meta.url);

/** The rows of the table of controllers: the folder, and its questions. */
function rows(): readonly (readonly [string, readonly string[]])[] {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => /^\| controller +\| question +\| what it does/.test(line));
  const body = lines.slice(head + 2);
  const end = body.findIndex((line) => !line.startsWith('|'));
  return body.slice(0, end).map((line) => {
    const [, name = '', questions = ''] = line.split('|');
    return [name.replace(/[` ]/g, ''), [...questions.matchAll(/`(\w+)`/g)].map(([, question = '']) => question)];
  });
}

test('ARCHITECTURE.md lists every folder of src/controllers but the pipeline', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  expect([...rows().map(([name]) => name), 'pipeline'].sort()).toEqual(folders.sort());
});

test.each(rows())('the folder %s asks the questions %j', async (name, questions) => {
  const exports = (await import(new URL(`${name}/index.ts`, folder).href)) as Record<string, { question?: string }>;
  const asked = Object.values(exports).flatMap(({ question }) => question ?? []);
  expect(asked.sort()).toEqual([...questions].sort());
});

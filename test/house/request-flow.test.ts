import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/flows/request.md'), 'utf8');
const steps = [...page.matchAll(/^\| [^|]+\| `(\w+)`\s*\| `([\w/.-]+\.ts)`\s*\|$/gm)].map(
  ([, name = '', file = '']) => [name, file] as const,
);

test('the flow of a request lists its steps', () => {
  expect(steps.length).toBeGreaterThan(20);
});

test.each(steps)('%s of the flow of a request is a function of %s', (name, file) => {
  const text = readFileSync(join(root, 'src/apiserver', file), 'utf8');
  expect(text).toMatch(new RegExp(`function ${name}\\b|^  (?:async )?${name}\\(|^    ${name}: \\(`, 'm'));
});

test('every function in the diagram is a step of the table', () => {
  const diagram = /```mermaid\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const nodes = [...diagram.matchAll(/(?:^|> |\| ?)\s*([a-z]\w+)(?=\s+-|\s*$)/gm)].map(([, name = '']) => name);
  const others = new Set(['client', 'controller', 'store', 'answered', 'subgraph', 'direction', 'end', 'flowchart']);
  const known = new Set([...steps.map(([name]) => name), 'failureResponse']);
  expect(nodes.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  expect(nodes.filter((name) => known.has(name)).length).toBeGreaterThan(15);
});

test('the table of folders lists every folder of the API server', () => {
  const folders = [...page.matchAll(/^\| `(\w+)\/`/gm)].map(([, folder = '']) => folder);
  const entries = readdirSync(join(root, 'src/apiserver'), { withFileTypes: true });
  expect(folders.sort()).toEqual(
    entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  );
});

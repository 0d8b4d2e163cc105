import { expect, test } from 'vitest';
import { manifestsIn } from './files.ts';

const names = (text: string): readonly string[] => manifestsIn('x.yaml', text).map(({ metadata }) => metadata.name);
const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

test('documents, empty ones, comments and Lists', () => {
  expect(names(`---\n${map('a')}---\n# nothing\n---\n${map('b')}`)).toEqual(['a', 'b']);
  expect(
    names(JSON.stringify({ kind: 'List', items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }] })),
  ).toEqual(['c']);
  expect(names('')).toEqual([]);
});

test('YAML is read as kubectl reads it', () => {
  const [object] = manifestsIn('x', `${map('a')}data: {on: yes, octal: 010, day: 2026-01-01, text: "yes"}\n`);
  expect(object).toMatchObject({ data: { true: true, octal: 8, day: '2026-01-01', text: 'yes' } });
});

test.each([
  ['a: b', 'x.yaml, document 1: apiVersion is missing'],
  [`${map('a')}---\napiVersion: v1\nkind: X\n`, 'x.yaml, document 2: metadata.name is missing'],
  ['just text', 'x.yaml, document 1: this is not a Kubernetes object'],
  ['a: [', 'x.yaml is not valid YAML'],
])('%j is told with its place', (text, message) => expect(() => manifestsIn('x.yaml', text)).toThrow(message));

import { describe, expect, it } from 'vitest';
import { documentIn, documentsIn } from './yaml.ts';

/** A list of `width` aliases to a list of `width` aliases, and so on. */
function bomb(levels: number, width: number): string {
  const lines = ['a0: &a0 [x]'];
  for (let i = 1; i <= levels; i++)
    lines.push(
      `a${i}: &a${i} [${Array(width)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return `${lines.join('\n')}\n`;
}

describe('aliases', () => {
  it('are expanded, and no two parts of the value are the same object', () => {
    const value = documentIn('a: &a {x: [1]}\nb: *a\nc: {<<: *a, z: 2}\n') as Record<string, { x: number[] }>;
    expect(value).toEqual({ a: { x: [1] }, b: { x: [1] }, c: { x: [1], z: 2 } });
    value['a']?.x.push(2);
    expect(value['b']).toEqual({ x: [1] });
    expect(value['c']).toEqual({ x: [1], z: 2 });
  });

  it('may make a small document large, as kube-apiserver allows', () => {
    const value = documentIn(bomb(3, 9)) as { a3: unknown[][][] };
    expect(value.a3.flat(2)).toHaveLength(729);
  });

  it.each([
    ['5 levels of 10', bomb(5, 10)],
    ['9 levels of 9', bomb(9, 9)],
    ['60 levels of 2', bomb(60, 2)],
    ['90 levels of 100', bomb(90, 100)],
    ['maps merged into maps', mergeBomb()],
    ['a long text, repeated', `a: &a ${'x'.repeat(10_000)}\nb: [${Array(1000).fill('*a').join(', ')}]\n`],
    ['keys', `a: &a ${'x'.repeat(10_000)}\nb:\n${Array(1000).fill('  - {*a : 1}').join('\n')}\n`],
    ['the second document', `a: 1\n---\n${bomb(9, 9)}`],
  ])('are refused before they are expanded: %s', (_, text) => {
    expect(() => documentsIn(text)).toThrow('yaml: document contains excessive aliasing');
  });

  it('may not contain themselves', () => {
    expect(() => documentIn('a: &a [*a]')).toThrow("yaml: anchor 'a' value contains itself");
    expect(() => documentIn('a: &a {b: {c: *a}}')).toThrow("yaml: anchor 'a' value contains itself");
  });

  it('may not nest deeper than collections may', () => {
    expect(() => documentIn(bomb(600, 1))).toThrow('nesting exceeds 520 levels');
    expect(documentIn(bomb(50, 1))).toMatchObject({ a0: ['x'] });
  });

  it('an anchor that does not exist, or stood in another document, is an error', () => {
    expect(() => documentsIn('a: *b')).toThrow("yaml: unknown anchor 'b' referenced");
    expect(() => documentsIn('a: &b 1\n---\na: *b')).toThrow("yaml: unknown anchor 'b' referenced");
  });
});

it('large documents without aliases are read', () => {
  const items = Array.from({ length: 50_000 }, (_, i) => `- {name: n${i}, value: ${i}}`);
  expect(documentIn(items.join('\n'))).toHaveLength(50_000);
});

it('a text of several documents, or none, is not one document', () => {
  expect(() => documentIn('a: 1\n---\nb: 2')).toThrow('expected a single document');
  expect(() => documentIn('')).toThrow('the input is empty');
  expect(documentsIn('')).toEqual([]);
});

/** Every map merges all keys of the one before it, under ever new names. */
function mergeBomb(): string {
  const keys = Array.from({ length: 300 }, (_, i) => `k${i}: v`).join(', ');
  const lines = Array.from({ length: 5000 }, (_, i) => `m${i}: {<<: *a}`);
  return `a: &a {${keys}}\n${lines.join('\n')}\n`;
}

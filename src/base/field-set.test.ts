import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  difference,
  hasField,
  intersection,
  isSubset,
  leaf,
  pathsOf,
  recursiveDifference,
  union,
  unionNodes,
} from './field-set.ts';
import type { FieldSet } from './field-set.ts';

type Path = readonly string[];

function setOf(paths: readonly Path[]): FieldSet {
  return paths.reduce<FieldSet>(
    (set, path) =>
      union(
        set,
        path.reduceRight<FieldSet>((below, element) => ({ [element]: below }), leaf),
      ),
    {},
  );
}

function joined(list: readonly Path[]): Set<string> {
  return new Set(list.map((one) => one.join(' ')));
}

function texts(set: FieldSet): readonly string[] {
  return pathsOf(set)
    .map((path) => path.join(' '))
    .toSorted();
}

describe('operations', () => {
  const labels = { 'f:labels': { '.': {}, 'f:a': {}, 'f:b': {} } };
  test.each([
    [
      'a parent and its child',
      union({ 'f:labels': {} }, { 'f:labels': { 'f:a': {} } }),
      { 'f:labels': { '.': {}, 'f:a': {} } },
    ],
    [
      'a member is taken, those below stay',
      difference(labels, { 'f:labels': {} }),
      { 'f:labels': { 'f:a': {}, 'f:b': {} } },
    ],
    [
      'all below are taken, the member stays',
      difference(labels, { 'f:labels': { 'f:a': {}, 'f:b': {} } }),
      { 'f:labels': {} },
    ],
    ['all is taken', difference(labels, labels), {}],
    ['a member is taken with all below', recursiveDifference(labels, { 'f:labels': {} }), {}],
    ['what both have', intersection(labels, { 'f:labels': { 'f:b': {}, 'f:c': {} } }), { 'f:labels': { 'f:b': {} } }],
    ['nothing in common', intersection(labels, { 'f:other': {} }), {}],
    ['with nothing', union({}, labels), labels],
  ])('%s', (_, result, wanted) => {
    expect(result).toEqual(wanted);
  });

  test('membership', () => {
    const set = { 'f:spec': { 'f:replicas': {}, 'f:list': { '.': {}, 'v:"x"': {} } } };
    expect(hasField(set, ['f:spec'])).toBe(false);
    expect(hasField(set, ['f:spec', 'f:list'])).toBe(true);
    expect(hasField(set, ['f:spec', 'f:replicas', 'f:x'])).toBe(false);
    expect(hasField(set, [])).toBe(false);
  });

  test('members of a level come before those below', () => {
    const set = { 'f:a': { 'f:x': {} }, 'f:b': {}, 'f:c': { '.': {}, 'f:y': {} } };
    expect(pathsOf(set).map((path) => path.join(''))).toEqual(['f:b', 'f:c', 'f:af:x', 'f:cf:y']);
  });
});

describe('properties: sets behave as sets of paths', () => {
  const path = fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', 'v:1'), { minLength: 1, maxLength: 4 });
  const paths = fc.array(path, { maxLength: 12 });

  test('union, intersection, difference', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b, sa, sb] = [joined(left), joined(right), setOf(left), setOf(right)];
        expect(texts(union(sa, sb))).toEqual([...a.union(b)].toSorted());
        expect(texts(intersection(sa, sb))).toEqual([...a.intersection(b)].toSorted());
        expect(texts(difference(sa, sb))).toEqual([...a.difference(b)].toSorted());
        expect(isSubset(sa, sb)).toBe(a.isSubsetOf(b));
        expect(isSubset(sa, union(sa, sb))).toBe(true);
        const outside = [...a].filter((one) => ![...b].some((two) => one === two || one.startsWith(`${two} `)));
        expect(texts(recursiveDifference(sa, sb))).toEqual(outside.toSorted());
      }),
    );
  });

  test('a set that does not change is returned itself', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const all = setOf([...left, ...right]);
        expect(union(all, setOf(right))).toBe(all);
        const rest = difference(setOf(left), setOf(right));
        expect(difference(rest, setOf(right))).toBe(rest);
        expect(unionNodes(all, all)).toBe(all);
      }),
    );
  });
});

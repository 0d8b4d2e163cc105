import { describe, expect, test } from 'vitest';
import type { Schema } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import { typeOfKind } from './field-type.ts';
import { mergeApplied } from './merge.ts';
import { shapeErrors } from './validate.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, a: { type: 'integer' }, b: { type: 'integer' } },
      },
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    plain: { type: 'array', items: { type: 'string' } },
    one: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
    many: { type: 'object', additionalProperties: { type: 'string' } },
    flag: { type: 'boolean' },
    when: { type: 'string', format: 'date-time' },
    any: { 'x-kubernetes-int-or-string': true },
  },
};
const type = typeOfKind({ schema, custom: true }, {});

function named(text: string): object[] {
  return Array.from(text, (name) => ({ name }));
}

describe('merging', () => {
  test.each([
    ['leaves win', { flag: false }, { flag: true }, { flag: true }],
    [
      'nothing is removed',
      { flag: true, many: { a: '1' } },
      { many: { b: '2' } },
      { flag: true, many: { a: '1', b: '2' } },
    ],
    ['an atomic list is one leaf', { plain: ['a'] }, { plain: ['b'] }, { plain: ['b'] }],
    ['an atomic map is one leaf', { one: { a: '1' } }, { one: { b: '2' } }, { one: { b: '2' } }],
    ['a set unites', { tags: ['a', 'b'] }, { tags: ['c', 'b'] }, { tags: ['a', 'c', 'b'] }],
    [
      'items merge',
      { items: [{ name: 'x', a: 1 }] },
      { items: [{ name: 'x', b: 2 }] },
      { items: [{ name: 'x', a: 1, b: 2 }] },
    ],
    ['null empties no map', { many: { a: '1' } }, { many: null }, { many: { a: '1' } }],
    ['another form replaces', { any: 'x' }, { any: { y: 1 } }, { any: { y: 1 } }],
  ])('%s', (_, live, applied, wanted) => {
    expect(mergeApplied(freeze(live), freeze(applied), type)).toEqual(wanted);
  });

  /** Written as names: the items of each list in order. */
  test.each([
    ['abc', 'abc', 'abc'],
    ['abc', 'b', 'abc'],
    ['abc', 'cb', 'acb'],
    ['abc', 'ca', 'bca'],
    ['abc', 'd', 'abcd'],
    ['abc', 'da', 'dabc'],
    ['abc', 'adc', 'abdc'],
    ['', 'ba', 'ba'],
    ['ab', '', 'ab'],
    ['axbyc', 'cba', 'xycba'],
  ])('the order of %s with %s', (live, applied, wanted) => {
    const merged = mergeApplied({ items: named(live) }, { items: named(applied) }, type) as {
      items: { name: string }[];
    };
    expect(merged.items.map(({ name }) => name).join('')).toBe(wanted);
  });

  test('an unchanged part is shared', () => {
    const live = freeze({ items: [{ name: 'a', a: 1 }, { name: 'b' }], many: { x: '1' }, tags: ['t'] });
    expect(mergeApplied(live, { items: [{ name: 'a', a: 1 }], many: { x: '1' }, tags: ['t'] }, type)).toBe(live);
    const merged = mergeApplied(live, { items: [{ name: 'b', a: 2 }] }, type) as typeof live;
    expect(merged.items[0]).toBe(live.items[0]);
    expect(merged.many).toBe(live.many);
  });
});

describe('shapes that cannot be applied', () => {
  test.each([
    [{ unknown: 1 }, ['.unknown: field not declared in schema']],
    [{ flag: 1 }, ['.flag: expected boolean, got &{1}']],
    [{ when: [] }, ['.when: expected any scalar, got &{[]}']],
    [{ many: { a: 1 } }, ['.many.a: expected string, got &value.valueUnstructured{Value:1}']],
    [{ many: 'x' }, ['.many: expected map, got &{x}']],
    [{ plain: 'x', flag: 'y' }, ['.plain: expected list, got &{x}', '.flag: expected boolean, got &{y}']],
    [{ plain: [1] }, ['.plain[0]: expected string, got &value.valueUnstructured{Value:1}']],
    [{ items: [{ name: 'a' }, { name: 'a' }] }, ['.items: duplicate entries for key [name="a"]']],
    [{ items: [{ a: 'x', name: 'n' }] }, ['.items[name="n"].a: expected numeric (int or float), got string']],
    [
      { items: [{ a: 1 }] },
      [
        `.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
      ],
    ],
    [{ items: [1] }, ['.items: element 0: associative list with keys may not have non-map elements']],
    [{ items: [null] }, ['.items: element 0: associative list with keys may not have a null element']],
    [{ tags: [{}] }, [".tags: element 0: associative list without keys has an element that's a map type"]],
    [{ tags: [[]] }, ['.tags: element 0: not supported: associative list with lists as elements']],
    [{ tags: [null] }, [".tags: element 0: associative list without keys has an element that's an explicit null"]],
    [{ items: null, flag: null, any: [1] }, []],
  ])('%j', (value, wanted) => {
    expect(shapeErrors(value, type)).toEqual(wanted);
  });
});

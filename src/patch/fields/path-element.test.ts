import { describe, expect, test } from 'vitest';
import type { ListType } from './field-type.ts';
import { canonicalElement, itemElement, pathText } from './path-element.ts';

const ports: ListType = {
  relation: 'map',
  keys: ['containerPort', 'protocol'],
  element: () => ({ scalar: 'untyped', list: undefined, map: undefined }),
  defaultOf: (key) => (key === 'protocol' ? 'TCP' : undefined),
};

test.each([
  [{ containerPort: 80 }, 'k:{"containerPort":80,"protocol":"TCP"}'],
  [{ protocol: 'UDP', containerPort: 80, name: 'x' }, 'k:{"containerPort":80,"protocol":"UDP"}'],
  [{}, 'k:{"protocol":"TCP"}'],
  ['x', undefined],
])('the element of the port %j', (item, wanted) => {
  expect(itemElement(item, ports)).toBe(wanted);
});

test.each([
  ['x', 'v:"x"'],
  [1, 'v:1'],
  [true, 'v:true'],
  ['a<b&c', String.raw`v:"a\u003cb\u0026c"`],
  [null, undefined],
  [{}, undefined],
])('the element of %j in a set', (item, wanted) => {
  expect(itemElement(item, { ...ports, relation: 'set' })).toBe(wanted);
});

test.each([
  ['f:x', 'f:x'],
  ['k:{ "b": 1, "a": "x" }', 'k:{"a":"x","b":1}'],
  ['v:"a<b"', String.raw`v:"a\u003cb"`],
  ['i:01', 'i:1'],
  ['i:x', undefined],
  ['k:[]', undefined],
  ['k:{', undefined],
  ['x:1', undefined],
  ['', undefined],
])('the one form of %j', (element, wanted) => {
  expect(canonicalElement(element)).toBe(wanted);
});

describe('paths as messages print them', () => {
  test.each([
    [['f:spec', 'f:replicas'], '.spec.replicas'],
    [['f:spec', 'k:{"name":"a"}', 'f:image'], '.spec[name="a"].image'],
    [['f:ports', 'k:{"containerPort":80,"protocol":"TCP"}'], '.ports[containerPort=80,protocol="TCP"]'],
    [['f:finalizers', 'v:"x"'], '.finalizers[="x"]'],
    [['f:list', 'i:3'], '.list[3]'],
  ])('%j', (path, wanted) => {
    expect(pathText(path)).toBe(wanted);
  });
});

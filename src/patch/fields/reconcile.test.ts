import { expect, test } from 'vitest';
import type { Schema } from '../../api/index.ts';
import { typeOfKind } from './field-type.ts';
import { reconciled } from './reconcile.ts';

function typeWith(spec: Schema) {
  return typeOfKind({ schema: { type: 'object', properties: { spec } }, custom: true }, {});
}

const granular = typeWith({ type: 'object', additionalProperties: { type: 'string' } });
const atomic = typeWith({
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  additionalProperties: { type: 'string' },
});
const list = typeWith({ type: 'array', items: { type: 'object' } });
const items = typeWith({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: {
    type: 'object',
    properties: { color: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: {} } },
  },
});

test.each([
  ['a map that became one leaf', { 'f:spec': { '.': {}, 'f:a': {} } }, atomic, { 'f:spec': {} }],
  ['a list that became one leaf', { 'f:spec': { 'k:{"name":"x"}': { '.': {}, 'f:a': {} } } }, list, { 'f:spec': {} }],
  [
    'a leaf inside of an item',
    { 'f:spec': { 'k:{"name":"x"}': { '.': {}, 'f:color': { 'f:r': {} } } } },
    items,
    { 'f:spec': { 'k:{"name":"x"}': { '.': {}, 'f:color': {} } } },
  ],
  ['a field that is not known', { 'f:other': { 'f:x': {} } }, atomic, { 'f:other': { 'f:x': {} } }],
])('%s', (_, set, type, wanted) => {
  expect(reconciled(set, type)).toEqual(wanted);
});

test('a set in order is returned itself', () => {
  const set = { 'f:spec': { '.': {}, 'f:a': {} } };
  expect(reconciled(set, granular)).toBe(set);
  expect(reconciled(set, granular)).toBe(set);
});

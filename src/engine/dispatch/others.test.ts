import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { nativeInterpreter } from '../interpret/index.ts';
import { created, merged } from './merge.ts';
import { sharedFieldsAnnotation } from './others.ts';

type Bodied = KubeObject & Readonly<Record<string, unknown>>;

function object(body: object, annotations: Readonly<Record<string, string>> = {}): Bodied {
  const labels = { 'karmada.io/managed': 'true' };
  return {
    apiVersion: 'example.io/v1',
    kind: 'Thing',
    metadata: { name: 'a', labels, annotations },
    ...body,
  };
}

/** The object as a member has it, where other writers have set these fields. */
function inMember(body: object, fieldsV1: object, annotations: Readonly<Record<string, string>> = {}): Bodied {
  const present = created(object(body, annotations)) as Bodied;
  return { ...present, metadata: { ...present.metadata, managedFields: [{ fieldsV1 }] } };
}

function mergedBody(wanted: object, present: Bodied): Bodied {
  return merged(object(wanted), present, nativeInterpreter).value as Bodied;
}

describe('a field that another writer has set in the member', () => {
  test.each<[string, object, object, object, object]>([
    ['stays', { a: 1 }, { a: 1, b: 2 }, { 'f:b': {} }, { a: 1, b: 2 }],
    ['gives way to the template', { b: 3 }, { b: 2 }, { 'f:b': {} }, { b: 3 }],
    [
      'stays with the maps around it',
      {},
      { m: { n: { b: 2 } } },
      { 'f:m': { 'f:n': { 'f:b': {} } } },
      { m: { n: { b: 2 } } },
    ],
    ['stays as a whole when it is owned as a whole', {}, { m: { x: 1 } }, { 'f:m': {} }, { m: { x: 1 } }],
    [
      'stays in an item of a list',
      { l: [{ name: 'x', a: 1 }] },
      { l: [{ name: 'x', a: 1, b: 2 }] },
      { 'f:l': { 'k:{"name":"x"}': { 'f:b': {} } } },
      { l: [{ name: 'x', a: 1, b: 2 }] },
    ],
    [
      'does not bring back an item that the template dropped',
      { l: [] },
      { l: [{ name: 'x', b: 2 }] },
      { 'f:l': { 'k:{"name":"x"}': { 'f:b': {} } } },
      { l: [] },
    ],
    [
      'stays as an item of a list that the template does not have',
      {},
      { l: [{ name: 'x' }, { name: 'y' }] },
      { 'f:l': { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } } },
      { l: [{ name: 'x' }] },
    ],
    ['stays as a value of a set', {}, { l: ['x', 'y'] }, { 'f:l': { 'v:"x"': {} } }, { l: ['x'] }],
    [
      'goes with the type that it belongs to',
      { s: { type: 'Recreate' } },
      { s: { type: 'RollingUpdate', p: 1 } },
      { 'f:s': { 'f:p': {} } },
      { s: { type: 'Recreate' } },
    ],
    ['is not looked for below a scalar', { m: 5 }, { m: { b: 1 } }, { 'f:m': { 'f:b': {} } }, { m: 5 }],
  ])('%s', (_, wanted, present, fields, expected) => {
    const { apiVersion: _a, kind: _k, metadata: _m, ...body } = mergedBody(wanted, inMember(present, fields));
    expect(body).toEqual(expected);
  });

  test('goes in an object that Sluice takes over', () => {
    const { metadata, ...foreign } = inMember({ b: 2 }, { 'f:b': {} });
    const { labels: _, ...rest } = metadata;
    expect(mergedBody({}, { ...foreign, metadata: rest })).not.toHaveProperty('b');
  });
});

describe('a field that the template has too', () => {
  const first = mergedBody({ a: 1, b: 2 }, inMember({ a: 1, b: 2, c: 3 }, { 'f:b': {}, 'f:c': {} }));

  test('is recorded', () => {
    expect(first.metadata.annotations?.[sharedFieldsAnnotation]).toBe('{"f:b":{}}');
  });

  test('goes when the template drops it', () => {
    const second = mergedBody({ a: 1 }, first);
    expect([second['a'], second['b'], second['c']]).toEqual([1, undefined, 3]);
    expect(second.metadata.annotations).not.toHaveProperty([sharedFieldsAnnotation]);
  });

  test.each(['', 'null', '{"f:b":null}', '[]', '{"f:b":{"f:x":{}}}'])('stays when the record is %j', (record) => {
    const present = inMember({ b: 2 }, { 'f:b': {} }, { [sharedFieldsAnnotation]: record });
    expect(mergedBody({}, present)['b']).toBe(2);
  });
});

/** A body, and the fields of it that others own. */
const shallow = { maxDepth: 3, depthSize: 'small' } as const;
const bodies = fc.letrec((tie) => ({
  value: fc.oneof(shallow, fc.integer(), fc.string(), tie('body'), fc.array(tie('item'), { maxLength: 3 })),
  body: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'type'), tie('value'), { maxKeys: 3 }),
  item: fc.record({ name: fc.constantFrom('x', 'y', 'z'), a: fc.integer(), b: tie('value') }),
  node: fc.oneof(shallow, fc.constant({}), tie('fields')),
  fields: fc.dictionary(
    fc.constantFrom('f:a', 'f:b', 'f:c', 'f:type', 'k:{"name":"x"}', 'k:{"name":"y"}'),
    tie('node'),
    { maxKeys: 3 },
  ),
}));

test('merging what was merged changes nothing, whatever others own', () => {
  fc.assert(
    fc.property(bodies.body, bodies.body, bodies.fields, (wanted, present, fields) => {
      const there = inMember(present, fields);
      const once = mergedBody(wanted, there);
      const again = mergedBody(wanted, once);
      const { metadata: _, ...body } = once;
      const { metadata: __, ...bodyAgain } = again;
      expect(bodyAgain).toEqual(body);
    }),
  );
});

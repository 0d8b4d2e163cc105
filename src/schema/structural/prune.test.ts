import { describe, expect, it } from 'vitest';
import { builtinCatalog } from '../../api/index.ts';
import type { KindInfo, Schema } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import { schemaOf, unknownFieldWords } from './kind-schema.ts';

const { definitions } = builtinCatalog();

function kindWith(schema: Schema): KindInfo {
  return { ...builtinCatalog().byKind('v1', 'ConfigMap')!, schema, custom: true };
}

const spec = (schema: Schema): Schema => ({ type: 'object', properties: { spec: schema } });
const object = (properties: Schema['properties'], more: Schema = {}): Schema => ({
  type: 'object',
  properties: properties ?? {},
  ...more,
});
const whole = (inner: unknown): unknown => freeze({ apiVersion: 'a/v1', kind: 'T', metadata: {}, spec: inner });

describe('pruning a custom resource', () => {
  const preserve: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

  it.each<[string, Schema, unknown, unknown, string[]]>([
    ['nothing unknown', object({ a: { type: 'string' } }), { a: 'x' }, { a: 'x' }, []],
    ['an unknown field', object({ a: { type: 'string' } }), { a: 'x', b: { c: 1 } }, { a: 'x' }, ['spec.b']],
    [
      'in lists',
      object({ l: { type: 'array', items: object({ a: {} }) } }),
      { l: [{ a: 1 }, { a: 1, b: 2 }] },
      { l: [{ a: 1 }, { a: 1 }] },
      ['spec.l[1].b'],
    ],
    [
      'in maps',
      object({ m: { type: 'object', additionalProperties: object({ a: {} }) } }),
      { m: { k: { a: 1, b: 2 } } },
      { m: { k: { a: 1 } } },
      ['spec.m.k.b'],
    ],
    ['preserved', object({}, preserve), { a: { b: 1 } }, { a: { b: 1 } }, []],
    [
      'known fields below a preserved one',
      object({ a: object({ b: {} }) }, preserve),
      { a: { b: 1, c: 2 }, d: 1 },
      { a: { b: 1 }, d: 1 },
      ['spec.a.c'],
    ],
    [
      'an embedded object keeps what it is',
      object({ e: object({}, { 'x-kubernetes-embedded-resource': true }) }),
      { e: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', nope: 1 }, spec: {} } },
      { e: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } } },
      ['spec.e.metadata.nope', 'spec.e.spec'],
    ],
    ['null that stands for nothing', object({ a: { type: 'string' } }), { a: null }, {}, []],
    ['null that means something', object({ a: { nullable: true } }), { a: null }, { a: null }, []],
    ['null that a default replaces', object({ a: { default: 'x' } }), { a: null }, { a: null }, []],
    [
      'a list that nobody describes',
      object({ l: { type: 'array' } }),
      { l: [1, { a: 1 }] },
      { l: [1, {}] },
      ['spec.l[1].a'],
    ],
  ])('%s', (_, schema, before, after, unknown) => {
    const ready = schemaOf(kindWith(spec(schema)), definitions);
    expect(ready.prune(whole(before))).toEqual(whole(after));
    expect(ready.unknownFields(whole(before))).toEqual(unknown);
  });

  it('returns the very object when there is nothing to drop', () => {
    const thing = freeze({ apiVersion: 'a/v1', kind: 'T', metadata: { name: 'a' }, spec: { a: [{ b: 1 }] } });
    const schema = spec(object({ a: { type: 'array', items: object({ b: {} }) } }));
    expect(schemaOf(kindWith(schema), definitions).prune(thing)).toBe(thing);
  });

  it('copies only the way to what changes', () => {
    const thing = freeze({ apiVersion: 'a/v1', kind: 'T', metadata: { name: 'a' }, spec: { a: { b: 1 }, c: 1 } });
    const pruned = schemaOf(kindWith(spec(object({ a: object({ b: {} }) }))), definitions).prune(thing);
    expect(pruned).not.toBe(thing);
    expect(pruned.spec.a).toBe(thing.spec.a);
    expect(pruned.metadata).toBe(thing.metadata);
  });
});

describe('pruning a built-in kind', () => {
  const config = builtinCatalog().byKind('v1', 'ConfigMap')!;
  const deployment = builtinCatalog().byKind('apps/v1', 'Deployment')!;

  it('names what kubectl prints', () => {
    const fields = schemaOf(deployment, definitions).unknownFields({
      metadata: { name: 'a', labelz: {} },
      spec: { replicaz: 1, template: { spec: { containers: [{ imagee: 'x' }] } } },
    });
    expect(unknownFieldWords(fields)).toEqual([
      'unknown field "metadata.labelz"',
      'unknown field "spec.replicaz"',
      'unknown field "spec.template.spec.containers[0].imagee"',
    ]);
  });

  it('reads null as Go does', () => {
    const object = freeze({
      metadata: { name: 'a', creationTimestamp: null },
      data: { a: null, b: 'x' },
      binaryData: null,
    });
    expect(schemaOf(config, definitions).prune(object)).toEqual({ metadata: { name: 'a' }, data: { a: '', b: 'x' } });
  });

  it('leaves empty lists and maps out, but no structs, no required fields and no request to forget managers', () => {
    const pod = { containers: [], volumes: [], nodeSelector: {}, securityContext: {} };
    const object = freeze({
      metadata: { name: 'a', labels: {}, finalizers: [], managedFields: [] },
      spec: { selector: { matchLabels: {} }, template: { spec: pod } },
    });
    expect(schemaOf(deployment, definitions).prune(object)).toEqual({
      metadata: { name: 'a', managedFields: [] },
      spec: { selector: {}, template: { spec: { containers: [], securityContext: {} } } },
    });
  });

  it('keeps what is opaque', () => {
    const object = freeze({ metadata: { managedFields: [{ fieldsV1: { 'f:a': { 'f:b': null } } }] } });
    expect(schemaOf(config, definitions).prune(object)).toBe(object);
  });
});

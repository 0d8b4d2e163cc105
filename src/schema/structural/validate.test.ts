import { describe, expect, it } from 'vitest';
import { builtinCatalog, fieldErrorText } from '../../api/index.ts';
import type { KindInfo, Schema } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import { schemaOf, schemaOfDefinition } from './kind-schema.ts';

const { definitions } = builtinCatalog();

/** A custom kind whose spec has this schema. */
function kindWith(spec: Schema): KindInfo {
  return {
    ...builtinCatalog().byKind('v1', 'ConfigMap')!,
    kind: 'Thing',
    schema: { type: 'object', properties: { spec } },
    custom: true,
  };
}

function errorsOf(spec: Schema, value: unknown, before?: unknown): string[] {
  const schema = schemaOf(kindWith(spec), definitions);
  return schema.validate(thing(value), before === undefined ? undefined : thing(before)).map(fieldErrorText);
}

const thing = (inner: unknown): unknown =>
  freeze({ apiVersion: 'a/v1', kind: 'Thing', metadata: { name: 'a' }, spec: inner });
const object = (properties: Schema['properties'], more: Schema = {}): Schema => ({
  type: 'object',
  properties: properties ?? {},
  ...more,
});
const x = (schema: Schema): Schema => object({ x: schema });

describe('the values of a custom resource', () => {
  it.each<[string, Schema, unknown, string[]]>([
    ['a right type', x({ type: 'integer' }), { x: 1 }, []],
    ['a whole number as float', x({ type: 'integer' }), { x: 1.0 }, []],
    [
      'a wrong type',
      x({ type: 'integer' }),
      { x: 'a' },
      ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
    ],
    [
      'a fraction where an integer is due',
      x({ type: 'integer' }),
      { x: 1.5 },
      ['spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"'],
    ],
    ['null where it may be', x({ type: 'string', nullable: true }), { x: null }, []],
    [
      'null where it may not',
      x({ type: 'string' }),
      { x: null },
      ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"'],
    ],
    ['an enum value', x({ type: 'string', enum: ['a', 'b'] }), { x: 'a' }, []],
    [
      'none of an enum',
      x({ type: 'string', enum: ['a', 'b'] }),
      { x: 'c' },
      ['spec.x: Unsupported value: "c": supported values: "a", "b"'],
    ],
    ['a required field', object({ x: {} }, { required: ['x'] }), {}, ['spec.x: Required value']],
    [
      'a pattern',
      x({ type: 'string', pattern: '^a+$' }),
      { x: 'b' },
      [`spec.x: Invalid value: "b": spec.x in body should match '^a+$'`],
    ],
    [
      'a minimum',
      x({ type: 'integer', minimum: 1 }),
      { x: 0 },
      ['spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1'],
    ],
    [
      'an exclusive maximum',
      x({ type: 'number', maximum: 1, exclusiveMaximum: true }),
      { x: 1 },
      ['spec.x: Invalid value: 1: spec.x in body should be less than 1'],
    ],
    [
      'a multiple',
      x({ type: 'number', multipleOf: 0.1 }),
      { x: 0.25 },
      ['spec.x: Invalid value: 0.25: spec.x in body should be a multiple of 0.1'],
    ],
    ['a multiple that is one', x({ type: 'number', multipleOf: 0.1 }), { x: 0.3 }, []],
    ['characters, not UTF-16 units', x({ type: 'string', maxLength: 2 }), { x: '😀😀' }, []],
    [
      'a long string',
      x({ type: 'string', maxLength: 2 }),
      { x: 'abc' },
      ['spec.x: Too long: may not be more than 2 bytes'],
    ],
    [
      'a short string',
      x({ type: 'string', minLength: 2 }),
      { x: 'a' },
      ['spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long'],
    ],
    [
      'a long list',
      x({ type: 'array', maxItems: 1, items: { type: 'string' } }),
      { x: ['a', 'b'] },
      ['spec.x: Too many: 2: must have at most 1 item'],
    ],
    [
      'a short list',
      x({ type: 'array', minItems: 1 }),
      { x: [] },
      ['spec.x: Invalid value: 0: spec.x in body should have at least 1 items'],
    ],
    [
      'items',
      x({ type: 'array', items: { type: 'string' } }),
      { x: ['a', 1] },
      ['spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type string: "integer"'],
    ],
    [
      'values of a map',
      x({ type: 'object', additionalProperties: { type: 'string' } }),
      { x: { k: 1 } },
      ['spec.x.k: Invalid value: "integer": spec.x.k in body must be of type string: "integer"'],
    ],
    [
      'a set twice',
      x({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } }),
      { x: ['a', 'b', 'a', 'a'] },
      ['spec.x[2]: Duplicate value: "a"'],
    ],
    [
      'a key of a map list twice',
      x({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: { type: 'string' } } },
      }),
      { x: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] },
      ['spec.x[2]: Duplicate value: {"name":"a"}'],
    ],
    ['int or string: a string', x({ 'x-kubernetes-int-or-string': true }), { x: '10%' }, []],
    ['int or string: a number', x({ 'x-kubernetes-int-or-string': true }), { x: 10 }, []],
    [
      'int or string: neither',
      x({ 'x-kubernetes-int-or-string': true }),
      { x: true },
      ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"'],
    ],
    [
      'a format',
      x({ type: 'string', format: 'date-time' }),
      { x: '2024-02-30T00:00:00Z' },
      [
        'spec.x: Invalid value: "2024-02-30T00:00:00Z": spec.x in body must be of type date-time: "2024-02-30T00:00:00Z"',
      ],
    ],
    ['a format that nobody knows', x({ type: 'string', format: 'ulid' }), { x: '?' }, []],
    ['int32 is a remark in a custom resource', x({ type: 'integer', format: 'int32' }), { x: 4294967295 }, []],
    [
      'one of several, none fits',
      object({}, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      {},
      [
        '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
        'spec.a: Required value',
      ],
    ],
    [
      'one of several, two fit',
      object({}, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      { a: 1, b: 1 },
      ['<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'not',
      object({}, { not: { required: ['a'] } }),
      { a: 1 },
      ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
    ],
    [
      'an embedded object',
      x({ type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
      { x: { kind: 'A', metadata: { labels: { a: 1 } } } },
      [
        'spec.x.apiVersion: Required value',
        'spec.x.metadata.labels.a: Invalid value: "integer": spec.x.metadata.labels.a in body must be of type string: "integer"',
      ],
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(errorsOf(schema, value)).toEqual(expected);
  });

  it('tolerates in an update what was wrong before and is untouched', () => {
    const schema = object({
      x: { type: 'integer', maximum: 5 },
      list: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['n'],
        items: object({ n: { type: 'string' }, v: { type: 'integer', maximum: 5 } }),
      },
      y: { type: 'integer' },
    });
    const old = { x: 9, y: 1, list: [{ n: 'a', v: 9 }] };
    expect(errorsOf(schema, { ...old, y: 2 }, old)).toEqual([]);
    expect(errorsOf(schema, { ...old, list: [{ n: 'b', v: 1 }, ...old.list] }, old)).toEqual([]);
    expect(errorsOf(schema, { ...old, x: 8 }, old)).toHaveLength(1);
    expect(errorsOf(schema, { ...old, list: [{ n: 'a', v: 8 }] }, old)).toHaveLength(1);
  });
});

const deployment = (spec: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', creationTimestamp: null },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { spec: { containers: [{ name: 'c' }] } },
    ...spec,
  },
});
const check = (apiVersion: string, kind: string, object: unknown): string[] => {
  const info = builtinCatalog().byKind(apiVersion, kind)!;
  return schemaOf(info, definitions).validate(object).map(fieldErrorText);
};

const pod = (cpu: unknown): object => ({
  spec: { containers: [{ name: 'c', resources: { limits: { cpu } } }] },
});

it('fills in defaults of a custom resource', () => {
  const schema = schemaOf(
    kindWith(object({ a: { type: 'string', default: 'x' }, b: { type: 'string' } })),
    definitions,
  );
  const filled = schema.defaults(thing({ b: 'y' }));
  expect(filled).toEqual(thing({ a: 'x', b: 'y' }));
  expect(schema.defaults(filled)).toBe(filled);
});

describe('the values of a built-in kind', () => {
  it.each<[string, object, string[]]>([
    ['null is nothing', { replicas: null }, []],
    [
      'a wrong type',
      { replicas: 'three' },
      ['spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"'],
    ],
    [
      'more than 32 bits',
      { replicas: 4294967296 },
      ['spec.replicas: Invalid value: 4294967296: spec.replicas in body must be of type int32: "4294967296"'],
    ],
    ['int or string', { strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } }, []],
    ['a required field', { selector: undefined }, ['spec.selector: Required value']],
  ])('%s', (_, spec, expected) => {
    expect(check('apps/v1', 'Deployment', deployment(spec))).toEqual(expected);
  });

  it('asks nothing of a status', () => {
    const status = { conditions: [{ type: 'Available' }] };
    expect(check('apps/v1', 'Deployment', { ...deployment({}), status })).toEqual([]);
  });

  it('reads quantities', () => {
    expect(check('v1', 'Pod', pod('100m'))).toEqual([]);
    expect(check('v1', 'Pod', pod(2))).toEqual([]);
    expect(check('v1', 'Pod', pod('2 cores'))).toEqual([
      `spec.containers[0].resources.limits.cpu: Invalid value: "2 cores": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ]);
  });

  it('reads base64', () => {
    expect(check('v1', 'Secret', { data: { a: 'YQ==' } })).toEqual([]);
    expect(check('v1', 'Secret', { data: { a: 'not base64!' } })).toHaveLength(1);
  });

  it('accepts what the real server reads as zero', () => {
    expect(check('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4' })).toEqual([]);
    const request = schemaOfDefinition('io.k8s.api.authentication.v1.TokenRequest', definitions);
    expect(request.validate({ spec: { audiences: null } })).toEqual([]);
    expect(request.validate({})).toHaveLength(1);
  });
});

import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import protobuf from 'protobufjs/minimal.js';
import { describe, expect, it } from 'vitest';
import { apiVersionOf, ApiError, builtinCatalog } from '../../api/index.ts';
import { decodeProtobuf } from './decode.ts';
import fixtures from './decode.fixtures.json' with { type: 'json' };
import { messageOf, messageOfKind } from './messages.ts';
import { wellKnown } from './wellknown.ts';

/**
 * Bytes and JSON as the serializers of client-go 0.34.4 wrote them for the same objects. `omitted` names what Go's
 * JSON holds although it says nothing: empty structs, null times and lists, a zero port.
 */
const written = fixtures as unknown as readonly {
  readonly name: string;
  readonly protobuf: string;
  readonly omitted: readonly string[];
  readonly json: object;
}[];

function without(object: object, path: string): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], object) as Record<
    string,
    unknown
  >;
  expect(parent, `${path} to be there`).toHaveProperty([last]);
  delete parent[last];
}

describe('decodeProtobuf', () => {
  it.each(written)('reads a $name of client-go', ({ protobuf: bytes, json, omitted }) => {
    const expected = structuredClone(json);
    for (const path of omitted) without(expected, path);
    expect(decodeProtobuf(Buffer.from(bytes, 'base64'))).toEqual(expected);
  });

  it('has a message for every kind of the catalog, down to its leaves', () => {
    const missing: string[] = [];
    const seen = new Set<string>();
    const visit = (name: string): void => {
      if (seen.has(name) || wellKnown.has(name)) return;
      seen.add(name);
      for (const { type } of messageOf(name).values()) if (type.length > 1) visit(type);
    };
    for (const kind of builtinCatalog().kinds) {
      const message = messageOfKind(apiVersionOf(kind), kind.kind);
      if (message) visit(message);
      else missing.push(kind.kind);
    }
    expect(missing).toEqual([]);
    expect(seen.size).toBeGreaterThan(300);
  });

  it('takes the options of requests in any group', () => {
    expect(messageOfKind('policy.karmada.io/v1alpha1', 'DeleteOptions')).toBe('meta.v1.DeleteOptions');
    expect(messageOfKind('apps/v1', 'CreateOptions')).toBe('meta.v1.CreateOptions');
    expect(messageOfKind('apps/v1', 'ObjectMeta')).toBeUndefined();
    expect(messageOfKind('apps/v1', 'toString')).toBeUndefined();
  });
});

/** A body as a client frames it, with a message that a test wrote by hand. */
function framed(apiVersion: string, kind: string, raw: protobuf.Writer): Uint8Array {
  const typeMeta = protobuf.Writer.create().uint32(10).string(apiVersion).uint32(18).string(kind).finish();
  const unknown = protobuf.Writer.create().uint32(10).bytes(typeMeta).uint32(18).bytes(raw.finish()).finish();
  return Buffer.concat([Buffer.from('k8s\0'), unknown]);
}

const tag = (number: number, wire: number): number => (number << 3) | wire;
const entry = (key: string, value: string): Uint8Array =>
  protobuf.Writer.create().uint32(10).string(key).uint32(18).string(value).finish();

const deep = (): protobuf.Writer => {
  const not = [...messageOf('apiextensions.v1.JSONSchemaProps')].find(([, { name }]) => name === 'not')?.[0] ?? 0;
  let schema = protobuf.Writer.create().finish();
  for (let i = 0; i < 1000; i++) schema = protobuf.Writer.create().uint32(tag(not, 2)).bytes(schema).finish();
  const validation = protobuf.Writer.create().uint32(10).bytes(schema).finish();
  const version = protobuf.Writer.create().uint32(tag(4, 2)).bytes(validation).finish();
  const spec = protobuf.Writer.create().uint32(tag(7, 2)).bytes(version).finish();
  return protobuf.Writer.create().uint32(tag(2, 2)).bytes(spec);
};

describe('bodies that nobody should send', () => {
  it('skips fields of a newer release', () => {
    const raw = protobuf.Writer.create().uint32(tag(99, 0)).uint32(1).uint32(tag(98, 2)).string('new');
    expect(decodeProtobuf(framed('v1', 'ConfigMap', raw))).toEqual({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  it('reads numbers that come packed', () => {
    const packed = protobuf.Writer.create().uint32(7).uint32(8).finish();
    const context = protobuf.Writer.create().uint32(tag(4, 2)).bytes(packed).finish();
    const spec = protobuf.Writer.create().uint32(tag(14, 2)).bytes(context).finish();
    const raw = protobuf.Writer.create().uint32(tag(2, 2)).bytes(spec);
    expect(decodeProtobuf(framed('v1', 'Pod', raw))).toMatchObject({
      spec: { securityContext: { supplementalGroups: [7, 8] } },
    });
  });

  it('keeps a key called __proto__ a key', () => {
    const raw = protobuf.Writer.create().uint32(tag(2, 2)).bytes(entry('__proto__', 'x'));
    const { data } = decodeProtobuf(framed('v1', 'ConfigMap', raw)) as { data: object };
    expect(Object.entries(data)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  const empty = protobuf.Writer.create();

  it.each<readonly [string, () => Uint8Array, RegExp]>([
    ['no frame', () => Buffer.from('{"kind":"Pod"}'), /not protobuf as Kubernetes frames it/],
    ['nothing', () => new Uint8Array(), /not protobuf as Kubernetes frames it/],
    ['an unknown kind', () => framed('v1', 'Nonsense', empty), /no kind "Nonsense" is known in version "v1"/],
    ['a custom kind', () => framed('policy.karmada.io/v1alpha1', 'PropagationPolicy', empty), /no kind/],
    [
      'a wrong wire type',
      () => framed('v1', 'ConfigMap', protobuf.Writer.create().uint32(tag(1, 0)).uint32(5)),
      /wire type 0/,
    ],
    [
      'a schema without a bottom',
      () => framed('apiextensions.k8s.io/v1', 'CustomResourceDefinition', deep()),
      /too deeply/,
    ],
    [
      'a length beyond the end',
      () => Buffer.concat([Buffer.from('k8s\0'), Uint8Array.of(10, 200)]),
      /cannot be decoded/,
    ],
  ])('refuses %s', (_, body, message) => {
    const decode = (): unknown => decodeProtobuf(body());
    expect(decode).toThrow(ApiError);
    expect(decode).toThrow(message);
  });

  it('answers damaged bytes with an object or a bad request, and nothing else', () => {
    const damage = array(tuple(nat(), nat(255)), { minLength: 1, maxLength: 4 });
    assert(
      property(constantFrom(...written), damage, nat(), ({ protobuf: text }, changes, length) => {
        const bytes = Buffer.from(text, 'base64');
        for (const [at, value] of changes) bytes[4 + (at % (bytes.length - 4))] = value;
        try {
          expect(decodeProtobuf(bytes.subarray(0, 4 + (length % (bytes.length - 3))))).toBeTypeOf('object');
        } catch (error) {
          expect(error).toMatchObject({ name: 'ApiError', code: 400 });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

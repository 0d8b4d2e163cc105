import { array, assert, constantFrom, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinCatalog } from '../../api/index.ts';
import { schemaOf } from './kind-schema.ts';

const catalog = builtinCatalog();

const container = {
  name: 'web',
  image: 'nginx',
  ports: [{ containerPort: 80, protocol: 'TCP' }],
  resources: { limits: { cpu: '100m', memory: 1 } },
  env: [{ name: 'A', value: 'b' }, { name: 'B' }],
};
const managed = { manager: 'a', operation: 'Update', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } };
const samples: Readonly<Record<string, object>> = {
  'apps/v1 Deployment': {
    metadata: { name: 'a', labels: { a: 'b' }, managedFields: [managed] },
    spec: {
      replicas: 3,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container], securityContext: {} } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
    },
    status: { conditions: [{ type: 'Available' }] },
  },
  'v1 Service': {
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80, targetPort: 'http' }], selector: { a: 'b' }, clusterIPs: ['10.0.0.1'] },
  },
  'v1 Secret': { metadata: { name: 'a' }, data: { key: 'dmFsdWU=' }, type: 'Opaque' },
  'apps/v1 ControllerRevision': { metadata: { name: 'a' }, data: { any: { thing: [1, null] } }, revision: 1 },
};

const missing = (type: string): never => {
  throw new Error(`there is no ${type}`);
};

const cases = Object.entries(samples).map(([type, rest]) => {
  const [apiVersion = '', kind = ''] = type.split(' ');
  const schema = schemaOf(catalog.byKind(apiVersion, kind) ?? missing(type), catalog.definitions);
  return { schema, object: { apiVersion, kind, ...rest } };
});

/** A copy in which one value, found by going down at random, has become another, or one member more. */
function disturbed(value: unknown, way: readonly number[], intruder: unknown): unknown {
  const [step, ...rest] = way;
  if (step === undefined || typeof value !== 'object' || value === null) return intruder;
  const entries = Object.entries(value);
  const at = step % (entries.length + 1);
  const [key, member] = entries[at] ?? [Array.isArray(value) ? String(entries.length) : 'unheardOf', undefined];
  const below = disturbed(member, rest, intruder);
  if (!Array.isArray(value)) return { ...value, [key]: below };
  const list = [...(value as unknown[])];
  list[Number(key)] = below;
  return list;
}

const intruder = constantFrom<unknown[]>(
  '',
  'x',
  0,
  -1.5,
  2 ** 40,
  true,
  null,
  [],
  {},
  [{}],
  [null],
  { a: 1 },
  { name: 'A' },
);

describe('an object that one walk finds in order', () => {
  it.each(cases)('is: $object.kind', ({ schema, object }) => {
    expect(schema.isWellFormed(object)).toBe(true);
  });

  it('is one in which the other walks find nothing to do', () => {
    let orderly = 0;
    assert(
      property(constantFrom(...cases), array(nat(9), { maxLength: 8 }), intruder, (one, way, what) => {
        const object = way.length > 0 ? disturbed(one.object, way, what) : one.object;
        if (!one.schema.isWellFormed(object)) return;
        orderly++;
        expect(one.schema.prune(object)).toBe(object);
        expect([...one.schema.unknownFields(object), ...one.schema.validate(object)]).toEqual([]);
      }),
      { numRuns: 3000 },
    );
    expect(orderly).toBeGreaterThan(200);
  });
});

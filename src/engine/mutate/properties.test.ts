import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../api/index.ts';
import { crds, fieldErrorText } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import { mutate, validate, validateDelete, validateRules } from '../index.ts';
import type { MutationFacts } from '../index.ts';

const operation = fc.constantFrom<MutationFacts['operation']>('CREATE', 'UPDATE');
const facts = fc.record({
  operation,
  uuid: fc.uuid(),
  namespace: fc.constantFrom('', 'shop'),
  now: fc.constant('2026-01-01T00:00:00Z'),
  resourceModels: fc.boolean(),
});
const anyJson = fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown);

/** Values that mostly fit a schema, with strange ones in between at any depth. */
function nearly(schema: Schema, depth = 5): fc.Arbitrary<unknown> {
  const fitting = depth === 0 ? anyJson : fittingTo(schema, depth - 1);
  return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: anyJson });
}

function fittingTo(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum);
  if (schema.properties) {
    const members = Object.entries(schema.properties).map(([name, part]) => [name, nearly(part, depth)] as const);
    return fc.record(Object.fromEntries(members), { requiredKeys: [] });
  }
  if (schema.items) return fc.array(nearly(schema.items, depth), { maxLength: 3 });
  if (typeof schema.additionalProperties === 'object') {
    return fc.dictionary(fc.string({ maxLength: 5 }), nearly(schema.additionalProperties, depth), { maxKeys: 2 });
  }
  const texts = fc.constantFrom(
    '',
    'a',
    'a,b',
    'x*',
    '*',
    '/spec',
    '0',
    '1Gi',
    'cluster',
    'In',
    'NoExecute',
    'https://h',
  );
  if (schema.type === 'integer') return fc.integer();
  if (schema.type === 'boolean') return fc.boolean();
  return schema.type === 'string' || schema['x-kubernetes-int-or-string'] ? texts : anyJson;
}

/** Objects of our kinds with contents of any quality. */
const strange = fc.constantFrom(...crds()).chain((crd) => {
  const version = crd.spec.versions[0]!;
  const { metadata: _, apiVersion: __, kind: ___, ...parts } = version.schema?.openAPIV3Schema?.properties ?? {};
  const contents = Object.entries(parts).map(([name, part]) => [name, nearly(part)] as const);
  const metadata = fc.record(
    { name: anyJson, labels: anyJson, finalizers: anyJson, annotations: anyJson },
    { requiredKeys: [] },
  );
  return fc.record({
    apiVersion: fc.constant(`${crd.spec.group}/${version.name}`),
    kind: fc.constant(crd.spec.names.kind),
    metadata: fc.oneof(metadata, anyJson),
    ...Object.fromEntries(contents),
  });
});

const label = fc.constantFrom('app', 'team.example.com/tier', 'x');
const name = fc.constantFrom('web', 'api', 'db-1');
const labelSelector = fc.record(
  {
    matchLabels: fc.dictionary(label, fc.constantFrom('', 'a', 'b_c'), { maxKeys: 2 }),
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({
          key: label,
          operator: fc.constantFrom('In', 'NotIn'),
          values: fc.array(name, { minLength: 1, maxLength: 2 }),
        }),
        fc.record({ key: label, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);
const pattern = fc.constantFrom('shop', 'a,b', 'team-*', 'a,b-*,c');
const selector = (namespace: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.record(
    { apiVersion: fc.constant('apps/v1'), kind: fc.constant('Deployment'), namespace, name, labelSelector },
    { requiredKeys: ['apiVersion', 'kind'] },
  );
const members = fc.uniqueArray(fc.constantFrom('m1', 'm2', 'm3'), { minLength: 1 });
const affinity = fc.record({ clusterNames: members, labelSelector, exclude: members }, { requiredKeys: [] });
const clusterSpread = fc.record(
  { maxGroups: fc.integer({ min: 2, max: 9 }), minGroups: fc.integer({ min: 0, max: 2 }) },
  { requiredKeys: [] },
);
const placement = fc.record(
  {
    clusterAffinity: affinity,
    spreadConstraints: fc.array(clusterSpread, { maxLength: 1 }),
    replicaScheduling: fc.record(
      { replicaSchedulingType: fc.constantFrom('Divided', 'Duplicated') },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const failover = fc.record(
  { application: fc.constant({ decisionConditions: {} }), cluster: fc.constant({}) },
  { requiredKeys: ['application'] },
);
const list = fc.record({ clusterNames: members });
const suspension = fc.oneof(
  fc.record({ suspendDispatching: fc.boolean() }, { requiredKeys: [] }),
  fc.record({ dispatching: fc.constant(false), dispatchingOnClusters: list }, { requiredKeys: [] }),
  fc.record({ suspendDispatchingOnClusters: list }),
);

/** Manifests as people write them: without id, namespaces or anything that has a default. */
const manifest = fc.constantFrom('PropagationPolicy', 'ClusterPropagationPolicy').chain((kind) => {
  const namespaced = kind === 'PropagationPolicy';
  const spec = {
    resourceSelectors: fc.array(selector(namespaced ? fc.constant('shop') : pattern), { minLength: 1, maxLength: 3 }),
    excludedResources: fc.array(
      fc.record({ namespace: pattern, name, labelSelector }, { requiredKeys: ['namespace'] }),
      { maxLength: 2 },
    ),
    placement,
    priority: fc.integer({ min: -5, max: 5 }),
    activationPreference: fc.constantFrom('Lazy', ''),
    suspension,
    propagateDeps: fc.constant(true),
    failover,
  };
  return fc.record({
    apiVersion: fc.constant('policy.karmada.io/v1alpha1'),
    kind: fc.constant(kind),
    metadata: fc.constant(namespaced ? { name: 'p', namespace: 'shop' } : { name: 'p' }),
    spec: fc.record(spec, { requiredKeys: ['resourceSelectors', 'propagateDeps'] }),
  });
});

describe('mutation and validation', () => {
  test('never throw, whatever the object is', () => {
    fc.assert(
      fc.property(fc.oneof(strange, anyJson), fc.oneof(strange, anyJson), facts, (object, old, known) => {
        mutate(freeze(object), { ...known, old });
        validate(object, old, { customizations: [old] });
        validateRules(object, old);
        validateDelete(object);
      }),
      { numRuns: 1000 },
    );
  });

  test('mutation is done after one pass', () => {
    fc.assert(
      fc.property(strange, facts, (object, known) => {
        const once = mutate(freeze(object), known);
        expect(mutate(freeze(once), known)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  test('mutation makes a good manifest complete', () => {
    fc.assert(
      fc.property(manifest, fc.uuid(), (object, uuid) => {
        const stored = mutate(freeze(object), { operation: 'CREATE', uuid });
        expect(validate(stored).map(fieldErrorText)).toEqual([]);
        expect(validate(mutate(stored, { operation: 'UPDATE', uuid: 'other', old: stored }), stored)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { validate } from '../index.ts';
import { mutate } from './mutate.ts';
import type { MutationFacts } from './facts.ts';

type Parts = Readonly<Record<string, unknown>>;

const create: MutationFacts = { operation: 'CREATE', uuid: 'fresh', namespace: 'shop', now: '2026-01-01T00:00:00Z' };
const update: MutationFacts = { ...create, operation: 'UPDATE' };
const defaults = { priority: 0, preemption: 'Never', schedulerName: 'default-scheduler', conflictResolution: 'Abort' };

function object(kind: string, spec: string, metadata: Parts = {}): Parts {
  const group = { Work: 'work', Cluster: 'cluster', FederatedHPA: 'autoscaling', MultiClusterService: 'networking' }[
    kind
  ];
  return {
    apiVersion: `${group ?? 'policy'}.karmada.io/v1alpha1`,
    kind,
    metadata: { name: 'one', ...metadata },
    spec: load(`{ ${spec} }`),
  };
}

const range = (min: string, max: string): Parts => ({ name: 'cpu', min, max });
const specOf = (kind: string, spec: string, facts = create): unknown => mutate(object(kind, spec), facts)['spec'];
const metadataOf = (value: Parts, facts = create): unknown => mutate(value, facts)['metadata'];

describe('the spec of a policy', () => {
  const selectors = [{ apiVersion: 'v1', kind: 'ConfigMap' }];
  const here = [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop' }];
  const text = 'resourceSelectors: [{ apiVersion: v1, kind: ConfigMap }]';

  test.each<[string, string, Parts]>([
    ['gets the defaults of its schema', '', {}],
    ['keeps what is written', 'priority: 7, preemption: Always', { priority: 7, preemption: 'Always' }],
    [
      'spreads over members',
      'placement: { spreadConstraints: [{ maxGroups: 2 }] }',
      { placement: { spreadConstraints: [{ maxGroups: 2, spreadByField: 'cluster', minGroups: 1 }] } },
    ],
    [
      'over one group at least',
      'placement: { spreadConstraints: [{ spreadByLabel: rack, minGroups: 0 }] }',
      { placement: { spreadConstraints: [{ spreadByLabel: 'rack', minGroups: 1 }] } },
    ],
    [
      'divides by weight',
      'placement: { replicaScheduling: { } }',
      { placement: { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } } },
    ],
    [
      'unless told how',
      'placement: { replicaScheduling: { replicaDivisionPreference: Aggregated } }',
      {
        placement: { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' } },
      },
    ],
    [
      'or not to',
      'placement: { replicaScheduling: { replicaSchedulingType: Duplicated } }',
      { placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } } },
    ],
    [
      'waits ten minutes',
      'failover: { application: { decisionConditions: {} } }',
      {
        failover: {
          application: {
            decisionConditions: { tolerationSeconds: 300 },
            purgeMode: 'Gracefully',
            gracePeriodSeconds: 600,
          },
        },
      },
    ],
    [
      'but not when it purges directly',
      'failover: { application: { decisionConditions: {}, purgeMode: Directly } }',
      { failover: { application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Directly' } } },
    ],
  ])('%s', (_, written, expected) => {
    const spec = written === '' ? text : `${text}, ${written}`;
    expect(specOf('PropagationPolicy', spec)).toEqual({ resourceSelectors: here, ...defaults, ...expected });
    expect(specOf('ClusterPropagationPolicy', spec)).toEqual({
      resourceSelectors: selectors,
      ...defaults,
      ...expected,
    });
  });

  test('brings along what a ServiceImport refers to', () => {
    const spec = 'resourceSelectors: [{ apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ServiceImport }]';
    expect(specOf('ClusterPropagationPolicy', spec)).toMatchObject({ propagateDeps: true });
  });

  test.each(['OverridePolicy', 'RolloutPolicy', 'PropagationPolicy'])('a %s selects in its own namespace', (kind) => {
    const spec = 'resourceSelectors: [{ apiVersion: v1, kind: A }, { apiVersion: v1, kind: B, namespace: b }]';
    const selected = [
      { apiVersion: 'v1', kind: 'A', namespace: 'shop' },
      { apiVersion: 'v1', kind: 'B', namespace: 'b' },
    ];
    expect(specOf(kind, spec)).toMatchObject({ resourceSelectors: selected });
    const { namespace: _, ...elsewhere } = create;
    expect(mutate(object(kind, spec, { namespace: 'shop' }), elsewhere)['spec']).toMatchObject({
      resourceSelectors: selected,
    });
  });
});

test.each(['ClusterRolloutPolicy', 'ClusterPropagationPolicy'])('a %s keeps the namespaces it names', (kind) => {
  const resourceSelectors = [
    { apiVersion: 'v1', kind: 'A' },
    { apiVersion: 'v1', kind: 'B', namespace: 'b*' },
  ];
  const spec = 'resourceSelectors: [{ apiVersion: v1, kind: A }, { apiVersion: v1, kind: B, namespace: "b*" }]';
  expect(specOf(kind, spec)).toMatchObject({ resourceSelectors });
});

describe('ids and finalizers', () => {
  const label = 'propagationpolicy.karmada.io/permanent-id';
  const finalizer = 'karmada.io/propagation-policy-controller';
  const policy = (metadata: Parts): Parts => object('PropagationPolicy', 'resourceSelectors: []', metadata);

  test('a new policy gets its own id, whatever it says', () => {
    const expected = { name: 'one', labels: { [label]: 'fresh', a: 'b' }, finalizers: ['mine', finalizer] };
    expect(metadataOf(policy({ labels: { [label]: 'stolen', a: 'b' }, finalizers: ['mine'] }))).toEqual(expected);
  });

  test('a cluster policy has keys of its own', () => {
    expect(metadataOf(object('ClusterPropagationPolicy', 'resourceSelectors: []'))).toEqual({
      name: 'one',
      labels: { 'clusterpropagationpolicy.karmada.io/permanent-id': 'fresh' },
      finalizers: ['karmada.io/cluster-propagation-policy-controller'],
    });
  });

  test('a policy that is written again keeps id and finalizer', () => {
    const old = policy({ labels: { [label]: 'kept' }, finalizers: [finalizer] });
    const kept = { name: 'one', labels: { [label]: 'kept' }, finalizers: [finalizer] };
    expect(metadataOf(policy({}), { ...update, old })).toEqual(kept);
    expect(metadataOf(policy({ labels: { [label]: 'other' } }), { ...update, old })).toMatchObject({
      labels: { [label]: 'other' },
    });
    expect(metadataOf(policy({}), update)).toEqual({ name: 'one' });
  });

  test('a policy that has no id gets one when it is written again', () => {
    const old = policy({});
    expect(metadataOf(policy({}), { ...update, old })).toMatchObject({ labels: { [label]: 'fresh' } });
  });

  test('an object that is being deleted is left alone', () => {
    const leaving = policy({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [] });
    expect(mutate(leaving, { ...update, old: leaving })).toBe(leaving);
  });

  test.each<[string, string, string, MutationFacts['operation'], Parts, string | undefined]>([
    ['ResourceBinding', 'work.karmada.io/v1alpha2', 'resourcebinding.karmada.io/permanent-id', 'CREATE', {}, 'fresh'],
    ['ResourceBinding', 'work.karmada.io/v1alpha2', 'resourcebinding.karmada.io/permanent-id', 'UPDATE', {}, undefined],
    [
      'ClusterResourceBinding',
      'work.karmada.io/v1alpha1',
      'clusterresourcebinding.karmada.io/permanent-id',
      'CREATE',
      { 'clusterresourcebinding.karmada.io/permanent-id': 'mine' },
      'mine',
    ],
    ['Work', 'work.karmada.io/v1alpha1', 'work.karmada.io/permanent-id', 'UPDATE', {}, 'fresh'],
    [
      'Work',
      'work.karmada.io/v1alpha1',
      'work.karmada.io/permanent-id',
      'CREATE',
      { 'work.karmada.io/permanent-id': 'mine' },
      'mine',
    ],
    [
      'MultiClusterService',
      'networking.karmada.io/v1alpha1',
      'multiclusterservice.karmada.io/permanent-id',
      'CREATE',
      {},
      'fresh',
    ],
  ])('%s in %s: %s on %s with %j', (kind, apiVersion, key, operation, labels, expected) => {
    const mutated = mutate({ apiVersion, kind, metadata: { name: 'one', labels }, spec: {} }, { ...create, operation });
    expect((mutated.metadata.labels as Record<string, unknown>)[key]).toBe(expected);
  });
});

describe('a Cluster', () => {
  test.each<[string, Parts]>([
    ['zone: a', { zones: ['a'] }],
    ['zones: [b]', { zones: ['b'] }],
    ['taints: [{ key: a, effect: NoExecute }]', { taints: [{ key: 'a', effect: 'NoExecute', timeAdded: create.now }] }],
    ['taints: [{ key: a, effect: NoSchedule }]', { taints: [{ key: 'a', effect: 'NoSchedule' }] }],
    [
      'taints: [{ key: a, effect: NoExecute, timeAdded: "2020-01-01T00:00:00Z" }]',
      { taints: [{ key: 'a', effect: 'NoExecute', timeAdded: '2020-01-01T00:00:00Z' }] },
    ],
  ])('with %s', (spec, expected) => {
    expect(specOf('Cluster', `syncMode: Push, ${spec}`)).toEqual({ syncMode: 'Push', ...expected });
  });

  const modelled = { ...create, resourceModels: true };

  test('gets nine grades that are valid', () => {
    const member = mutate(object('Cluster', 'syncMode: Push'), modelled);
    const { resourceModels } = member['spec'] as { resourceModels: { ranges: Parts[] }[] };
    expect(resourceModels).toHaveLength(9);
    expect(resourceModels[7]).toEqual({
      grade: 7,
      ranges: [
        { name: 'cpu', min: '64', max: '128' },
        { name: 'memory', min: '512Gi', max: '1Ti' },
      ],
    });
    expect(validate(member)).toEqual([]);
  });

  test('has its own grades put in order', () => {
    const text =
      '{ grade: 1, ranges: [{ name: cpu, min: "2", max: "4" }] }, { grade: 0, ranges: [{ name: cpu, min: "1", max: "2" }] }';
    expect(specOf('Cluster', `syncMode: Push, resourceModels: [${text}]`, modelled)).toEqual({
      syncMode: 'Push',
      resourceModels: [
        { grade: 0, ranges: [range('0', '2')] },
        { grade: 1, ranges: [range('2', '9223372036854775807')] },
      ],
    });
  });

  test('keeps its grades when it is written again', () => {
    expect(specOf('Cluster', 'syncMode: Push', { ...modelled, operation: 'UPDATE' })).toEqual({ syncMode: 'Push' });
  });
});

describe('a FederatedHPA', () => {
  const text = 'scaleTargetRef: { kind: Deployment, name: web }, maxReplicas: 3';
  test('scales by CPU from one replica on', () => {
    const metrics = [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ];
    expect(specOf('FederatedHPA', text)).toMatchObject({ minReplicas: 1, metrics });
    expect(specOf('FederatedHPA', `${text}, minReplicas: 2, metrics: []`)).toMatchObject({ minReplicas: 2, metrics });
  });

  test('gets the behaviour that it leaves open', () => {
    const double = { type: 'Percent', value: 100, periodSeconds: 15 };
    expect(specOf('FederatedHPA', `${text}, behavior: { scaleUp: { selectPolicy: Min } }`)).toMatchObject({
      behavior: {
        scaleUp: {
          selectPolicy: 'Min',
          stabilizationWindowSeconds: 0,
          policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, double],
        },
        scaleDown: { selectPolicy: 'Max', policies: [double] },
      },
    });
    expect(specOf('FederatedHPA', text)).not.toHaveProperty('behavior');
  });
});

test('kinds that are not ours are left alone', () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(mutate(map, create)).toBe(map);
});

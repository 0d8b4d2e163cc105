import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { fieldErrorText } from '../../api/index.ts';
import { validate, validateDelete, validateRules } from '../index.ts';

const api = 'policy.karmada.io/v1alpha1';
const selectors = 'resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]';

type Parts = Readonly<Record<string, unknown>>;

/** A spec in YAML flow style; the selectors are added unless it brings its own. */
function specOf(text: string): Parts {
  return load(
    `{ ${text.includes('resourceSelectors') ? text : [selectors, text].filter(Boolean).join(', ')} }`,
  ) as Parts;
}

function pp(text = '', metadata: Parts = {}): Parts {
  const labels = { 'propagationpolicy.karmada.io/permanent-id': 'id-1' };
  return {
    apiVersion: api,
    kind: 'PropagationPolicy',
    metadata: { name: 'p', namespace: 'shop', labels, ...metadata },
    spec: specOf(text),
  };
}

function cpp(text = '', metadata: Parts = {}): Parts {
  const labels = { 'clusterpropagationpolicy.karmada.io/permanent-id': 'id-1' };
  return {
    apiVersion: api,
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'p', labels, ...metadata },
    spec: specOf(text),
  };
}

function rollout(text: string): Parts {
  return { apiVersion: api, kind: 'RolloutPolicy', metadata: { name: 'r', namespace: 'shop' }, spec: specOf(text) };
}

function wideRollout(text: string): Parts {
  return { apiVersion: api, kind: 'ClusterRolloutPolicy', metadata: { name: 'r' }, spec: specOf(text) };
}

const labelled = (value: string): Parts => ({ labels: { 'propagationpolicy.karmada.io/permanent-id': value } });

/** The faults of an object as `type path`. */
function faults(object: unknown, old?: unknown): readonly string[] {
  return validate(object, old).map(({ type, field }) => `${type} ${field}`);
}

const divided = 'replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated }';
const selector = (fields: string): string => `resourceSelectors: [{ apiVersion: v1, kind: ConfigMap, ${fields} }]`;
const group = (fields: string): string => `placement: { ${divided}, clusterAffinities: [{ ${fields} }] }`;
const failover = (fields: string): string =>
  `propagateDeps: true, failover: { application: { decisionConditions: {}, ${fields} } }`;

/** Rules that hold for both scopes: the spec, then the faults. */
const specRules: readonly (readonly [string, ...string[]])[] = [
  [''],
  ['resourceSelectors: []', 'invalid spec.resourceSelectors'],
  [selector('exclude: { namespace: a }'), 'forbidden spec.resourceSelectors[0].exclude'],
  [
    `resourceSelectors: [{ apiVersion: '', kind: '' }]`,
    'required spec.resourceSelectors[0].apiVersion',
    'required spec.resourceSelectors[0].kind',
  ],
  ['excludeResourceSelectors: [{ namespace: a }]', 'forbidden spec.excludeResourceSelectors'],
  // labels
  [selector('labelSelector: { matchLabels: { app: web } }')],
  [selector('labelSelector: {}')],
  [
    selector('labelSelector: { matchLabels: { "-x": "a b" } }'),
    'invalid spec.resourceSelectors[0].labelSelector.matchLabels[-x]',
    'invalid spec.resourceSelectors[0].labelSelector.matchLabels[-x]',
  ],
  [
    selector(
      'labelSelector: { matchExpressions: [{ key: app, operator: In, values: [a] }, { key: b, operator: Exists }] }',
    ),
  ],
  [
    selector('labelSelector: { matchExpressions: [{ key: app, operator: Is }] }'),
    'notSupported spec.resourceSelectors[0].labelSelector.matchExpressions[0].operator',
  ],
  [
    selector('labelSelector: { matchExpressions: [{ key: app, operator: In }] }'),
    'required spec.resourceSelectors[0].labelSelector.matchExpressions[0].values',
  ],
  [
    selector('labelSelector: { matchExpressions: [{ key: app, operator: Exists, values: [a] }] }'),
    'forbidden spec.resourceSelectors[0].labelSelector.matchExpressions[0].values',
  ],
  [
    selector('labelSelector: { matchExpressions: [{ key: a/b/c, operator: Exists }] }'),
    'invalid spec.resourceSelectors[0].labelSelector.matchExpressions[0].key',
  ],
  // exclusions
  [
    'excludedResources: [{ namespace: ns1 }, { kind: Secret }, { name: web }, { apiVersion: v1 }, { labelSelector: { matchLabels: { a: b } } }]',
  ],
  ['excludedResources: [{ namespace: "ns1,team-*" }]'],
  ['excludedResources: [{}]', 'invalid spec.excludedResources[0]'],
  ['excludedResources: [{ name: "", labelSelector: {} }]', 'invalid spec.excludedResources[0]'],
  ['excludedResources: [{ namespace: "*" }]', 'invalid spec.excludedResources[0].namespace'],
  [
    'excludedResources: [{ kind: Pod, labelSelector: { matchLabels: { a: "b c" } } }]',
    'invalid spec.excludedResources[0].labelSelector.matchLabels[a]',
  ],
  // suspension
  ['suspension: {}'],
  ['suspension: { suspendDispatching: true }'],
  ['suspension: { dispatching: true }'],
  ['suspension: { suspendDispatchingOnClusters: { clusterNames: [m1] } }'],
  ['suspension: { suspendDispatching: false, suspendDispatchingOnClusters: { clusterNames: [m1] } }'],
  ['suspension: { suspendDispatching: true, suspendDispatchingOnClusters: { clusterNames: [] } }'],
  [
    'suspension: { suspendDispatching: true, suspendDispatchingOnClusters: { clusterNames: [m1] } }',
    'forbidden spec.suspension.suspendDispatchingOnClusters',
  ],
  [
    'suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: [m1] } }',
    'forbidden spec.suspension.dispatchingOnClusters',
  ],
  ['suspension: { suspendDispatching: true, dispatching: true }', 'forbidden spec.suspension.dispatching'],
  [
    'suspension: { suspendDispatching: false, dispatchingOnClusters: { clusterNames: [m1] } }',
    'forbidden spec.suspension.dispatchingOnClusters',
  ],
  // affinities
  [
    'placement: { clusterAffinity: {}, clusterAffinities: [{ affinityName: a }] }',
    'forbidden spec.placement.clusterAffinities',
  ],
  [
    'placement: { clusterAffinity: { fieldSelector: { matchExpressions: [{ key: zone, operator: In, values: [a] }] } } }',
  ],
  [
    'placement: { clusterAffinity: { fieldSelector: { matchExpressions: [{ key: rack, operator: Exists }] } } }',
    'notSupported spec.placement.clusterAffinity.fieldSelector.matchExpressions[0].key',
    'notSupported spec.placement.clusterAffinity.fieldSelector.matchExpressions[0].operator',
  ],
  [
    'placement: { clusterAffinity: { fieldSelector: { matchExpressions: [{ key: zone, operator: NotIn }] } } }',
    'required spec.placement.clusterAffinity.fieldSelector.matchExpressions[0].values',
  ],
  [
    'placement: { clusterAffinity: { labelSelector: { matchLabels: { "a b": c } } } }',
    'invalid spec.placement.clusterAffinity.labelSelector.matchLabels[a b]',
  ],
  ['placement: { clusterAffinities: [{ affinityName: a }, { affinityName: b }] }'],
  [
    'placement: { clusterAffinities: [{ affinityName: a }, { affinityName: a }] }',
    'duplicate spec.placement.clusterAffinities[1].affinityName',
  ],
  [
    'placement: { clusterAffinities: [{ affinityName: "a b" }] }',
    'invalid spec.placement.clusterAffinities[0].affinityName',
  ],
  [group('affinityName: a, clusterNames: [m1], overflowAffinities: [{ affinityName: b, clusterNames: [m2] }]')],
  [
    group('affinityName: a, clusterNames: [m1], overflowAffinities: [{ affinityName: a }]'),
    'duplicate spec.placement.clusterAffinities[0].overflowAffinities[0].affinityName',
  ],
  [
    group('affinityName: a, overflowAffinities: [{ affinityName: b }]'),
    'forbidden spec.placement.clusterAffinities[0].overflowAffinities',
  ],
  [
    'placement: { clusterAffinities: [{ affinityName: a, clusterNames: [m1], overflowAffinities: [{ affinityName: b }] }] }',
    'forbidden spec.placement.clusterAffinities[0].overflowAffinities',
  ],
  [
    'placement: { replicaScheduling: { replicaSchedulingType: Divided, weightPreference: { dynamicWeight: AvailableReplicas } }, clusterAffinities: [{ affinityName: a, clusterNames: [m1], overflowAffinities: [{ affinityName: b }] }] }',
  ],
  [
    'placement: { replicaScheduling: { weightPreference: { staticWeightList: [{ weight: 0, targetCluster: { fieldSelector: { matchExpressions: [{ key: a, operator: In, values: [b] }] } } }] } } }',
    'invalid spec.placement.replicaScheduling.weightPreference.staticWeightList[0].weight',
    'notSupported spec.placement.replicaScheduling.weightPreference.staticWeightList[0].targetCluster.fieldSelector.matchExpressions[0].key',
  ],
  // spread
  [
    'placement: { spreadConstraints: [{ spreadByField: cluster, minGroups: 1 }, { spreadByField: region, minGroups: 2, maxGroups: 2 }] }',
  ],
  [
    'placement: { spreadConstraints: [{ spreadByField: cluster, spreadByLabel: a }] }',
    'forbidden spec.placement.spreadConstraints[0].spreadByLabel',
  ],
  [
    'placement: { spreadConstraints: [{ spreadByField: cluster, minGroups: -1, maxGroups: -2 }] }',
    'invalid spec.placement.spreadConstraints[0].minGroups',
    'invalid spec.placement.spreadConstraints[0].maxGroups',
  ],
  [
    'placement: { spreadConstraints: [{ spreadByField: cluster, minGroups: 3, maxGroups: 2 }] }',
    'invalid spec.placement.spreadConstraints[0].maxGroups',
  ],
  ['placement: { spreadConstraints: [{ spreadByField: cluster, minGroups: 3, maxGroups: 0 }] }'],
  [
    'placement: { spreadConstraints: [{ spreadByField: cluster }, { spreadByField: cluster }] }',
    'duplicate spec.placement.spreadConstraints[1].spreadByField',
  ],
  ['placement: { spreadConstraints: [{ spreadByField: region }] }', 'invalid spec.placement.spreadConstraints'],
  ['placement: { spreadConstraints: [{ spreadByLabel: rack }] }'],
  // the rest of a placement
  ['placement: { clusterTolerations: [{ key: a, operator: Exists }, { key: b, value: c }] }'],
  [
    'placement: { clusterTolerations: [{ key: a, operator: Gt, value: "1" }] }',
    'notSupported spec.placement.clusterTolerations[0].operator',
  ],
  ['placement: { workloadAffinity: { affinity: { groupByLabelKey: a }, antiAffinity: { groupByLabelKey: b } } }'],
  [
    'placement: { workloadAffinity: { affinity: { groupByLabelKey: a }, antiAffinity: { groupByLabelKey: a } } }',
    'duplicate spec.placement.workloadAffinity.antiAffinity.groupByLabelKey',
  ],
  [
    'placement: { workloadAffinity: { affinity: { groupByLabelKey: "a b" } } }',
    'invalid spec.placement.workloadAffinity.affinity.groupByLabelKey',
  ],
  // failover
  [failover('gracePeriodSeconds: 600')],
  [failover('purgeMode: Directly')],
  [failover(''), 'required spec.failover.application.gracePeriodSeconds'],
  [failover('gracePeriodSeconds: 0'), 'invalid spec.failover.application.gracePeriodSeconds'],
  [failover('purgeMode: Never, gracePeriodSeconds: 5'), 'forbidden spec.failover.application.gracePeriodSeconds'],
  [
    'failover: { application: { decisionConditions: { tolerationSeconds: -1 }, purgeMode: Never } }',
    'invalid spec.propagateDeps',
    'invalid spec.failover.application.decisionConditions.tolerationSeconds',
  ],
  [
    'failover: { cluster: { statePreservation: { rules: [{ aliasLabelName: "a b", jsonPath: "{.x}" }] } } }',
    'invalid spec.failover.cluster.statePreservation.rules[0].aliasLabelName',
  ],
  // enums and types are the schema's
  [
    'preemption: Sometimes, conflictResolution: Ask, activationPreference: Eager',
    'notSupported spec.preemption',
    'notSupported spec.conflictResolution',
    'notSupported spec.activationPreference',
  ],
  ['activationPreference: Lazy'],
  ['priority: high', 'typeInvalid spec.priority'],
  ['priority: -2147483648'],
  ['priority: 2147483648', 'invalid spec.priority'],
];

describe('the rules of a policy hold in both scopes', () => {
  test.each(specRules)('%s', (spec, ...expected) => {
    expect(faults(pp(spec))).toEqual(expected);
    expect(faults(cpp(spec))).toEqual(expected);
  });
});

describe('where a policy selects', () => {
  test.each<[string, ...string[]]>([
    [selector('namespace: shop')],
    [selector('name: a')],
    [selector('namespace: other'), 'invalid spec.resourceSelectors[0].namespace'],
    [selector('namespace: "shop,other"'), 'invalid spec.resourceSelectors[0].namespace'],
    [selector('namespace: "shop*"'), 'invalid spec.resourceSelectors[0].namespace'],
    [`preemption: Always, ${selector('namespace: shop')}`],
    [`preemption: Always, ${selector('labelSelector: {}')}`],
  ])('a namespaced policy with %s', (spec, ...expected) => {
    expect(faults(pp(spec))).toEqual(expected);
  });

  const namespace = 'invalid spec.resourceSelectors[0].namespace';
  test.each<[string, ...string[]]>([
    ['user1-*'],
    ['ns1,ns2,team-*'],
    ['a'],
    ['*', namespace],
    ['*-x', namespace],
    ['a*b', namespace],
    ['a**', namespace],
    ['a,,b', namespace],
    [',a', namespace],
    ['a,', namespace],
    ['a, b', namespace],
    [' a', namespace],
    ['A', namespace],
    ['-*', namespace],
    ['a,*,b c', namespace, namespace],
  ])('a cluster policy in the namespaces %j', (pattern, ...expected) => {
    expect(faults(cpp(selector(`namespace: ${JSON.stringify(pattern)}`)))).toEqual(expected);
  });

  test.each<[string, ...string[]]>([
    [`preemption: Always, ${selector('name: a')}`],
    [`preemption: Always, ${selector('namespace: "user1-*"')}`],
    [`preemption: Always, ${selector('labelSelector: {}')}`, 'required spec.resourceSelectors[0].namespace'],
    [`preemption: Never, ${selector('labelSelector: {}')}`],
    [
      `preemption: Always, resourceSelectors: [{ apiVersion: v1, kind: A, name: a }, { apiVersion: v1, kind: B }]`,
      'required spec.resourceSelectors[1].namespace',
    ],
  ])('a cluster policy with %s', (spec, ...expected) => {
    expect(faults(cpp(spec))).toEqual(expected);
  });
});

describe('the identity of a policy', () => {
  const id = 'metadata.labels[propagationpolicy.karmada.io/permanent-id]';
  test.each<[string, Parts, Parts | undefined, ...string[]]>([
    ['is there', pp(), undefined],
    ['is missing', pp('', { labels: {} }), undefined, `required ${id}`],
    ['stays', pp('', labelled('a')), pp('', labelled('a'))],
    ['changes', pp('', labelled('b')), pp('', labelled('a')), `invalid ${id}`],
    ['is given to one that had none', pp('', labelled('b')), pp('', { labels: {} })],
    ['the scheduler stays', pp('schedulerName: s'), pp('schedulerName: s')],
    ['the scheduler is the default one', pp('schedulerName: default-scheduler'), pp()],
    ['the scheduler changes', pp('schedulerName: t'), pp('schedulerName: s'), 'invalid spec.schedulerName'],
  ])('%s', (_, object, old, ...expected) => {
    expect(faults(object, old)).toEqual(expected);
  });
});

describe('letting go of a policy that today would be refused', () => {
  const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const refused = selector('namespace: other');
  test.each<[string, Parts, Parts | undefined, number]>([
    ['its finalizer may be removed', pp(refused, { ...deleting, finalizers: [] }), pp(refused, deleting), 0],
    ['its labels may go', pp(refused, { ...deleting, labels: {} }), pp(refused, deleting), 0],
    ['its spec may not be changed for worse', pp(refused, deleting), pp('', deleting), 1],
    ['it may not be written while it lives', pp(refused, { finalizers: [] }), pp(refused), 1],
    ['it may not be created', pp(refused, deleting), undefined, 1],
  ])('%s', (_, object, old, count) => {
    expect(faults(object, old)).toHaveLength(count);
    expect(validateRules(object, old)).toHaveLength(count);
  });
});

describe.each([
  ['RolloutPolicy', rollout],
  ['ClusterRolloutPolicy', wideRollout],
])('a %s', (_, suspension) => {
  test.each<[string, ...string[]]>([
    ['suspension: { suspendDispatching: true }, reason: r, owner: o, until: "2026-02-28T10:00:00Z"'],
    ['until: "2024-02-29T23:59:59.5+02:00"'],
    ['resourceSelectors: []', 'invalid spec.resourceSelectors'],
    [selector('namespace: shop')],
    [
      selector('labelSelector: { matchLabels: { a b: c } }'),
      'invalid spec.resourceSelectors[0].labelSelector.matchLabels[a b]',
    ],
    ['suspension: { dispatching: true, suspendDispatching: true }', 'forbidden spec.suspension.dispatching'],
    ['until: tomorrow', 'invalid spec.until'],
    ['until: "2026-02-30T10:00:00Z"', 'invalid spec.until'],
    ['until: "2026-02-28"', 'invalid spec.until'],
  ])('with %s', (spec, ...expected) => {
    expect(faults(suspension(spec))).toEqual(expected);
  });
});

describe('the namespaces of a rollout policy', () => {
  const namespace = 'invalid spec.resourceSelectors[0].namespace';
  test.each<[string, readonly string[], readonly string[]]>([
    ['shop', [], []],
    ['other', [namespace], []],
    ['shop-*', [namespace], []],
    ['shop,other-*', [namespace], []],
    ['*', [namespace], [namespace]],
    ['a, b', [namespace], [namespace]],
  ])('%j', (written, own, wide) => {
    const spec = selector(`namespace: "${written}"`);
    expect(faults(rollout(spec))).toEqual(own);
    expect(faults(wideRollout(spec))).toEqual(wide);
  });
});

describe('the messages that people read', () => {
  test.each<[Parts, string]>([
    [
      cpp(selector('namespace: "*"')),
      'spec.resourceSelectors[0].namespace: Invalid value: "*": the prefix is empty: name the namespaces, or write prefix*',
    ],
    [
      pp(selector('namespace: b')),
      `spec.resourceSelectors[0].namespace: Invalid value: "b": must be the policy's own namespace "shop": leave it out`,
    ],
    [
      cpp('excludeResourceSelectors: []'),
      'spec.excludeResourceSelectors: Forbidden: superseded: write the rules in spec.excludedResources',
    ],
    [
      pp('suspension: { suspendDispatching: true, dispatching: true }'),
      'spec.suspension.dispatching: Forbidden: another spelling of suspendDispatching: write one spelling only',
    ],
    [
      cpp(`preemption: Always, ${selector('name: ""')}`),
      'spec.resourceSelectors[0].namespace: Required value: with preemption Always write the name of the resource, or its namespaces as a,b or prefix*',
    ],
  ])('%#', (object, text) => {
    expect(validate(object).map(fieldErrorText)).toEqual([text]);
  });

  test('a protected object says so', () => {
    const labels = { 'resourcetemplate.karmada.io/deletion-protected': 'Always' };
    expect(validateDelete({ metadata: { labels } })).toMatch(/^This resource is protected.*deletion-protected first$/);
    expect(
      validateDelete({ metadata: { labels: { 'resourcetemplate.karmada.io/deletion-protected': '' } } }),
    ).toBeUndefined();
    expect(validateDelete(null)).toBeUndefined();
  });

  test('so does the namespace of the Works of a cluster, to people', () => {
    const labels = { 'karmada.io/system': 'true' };
    const space = { kind: 'Namespace', metadata: { name: 'karmada-es-a', labels } };
    expect(validateDelete(space)).toMatch(/^It contains the Works of cluster a: /);
    expect(validateDelete(space, 'controller')).toBeUndefined();
    for (const other of [
      { ...space, metadata: { name: 'karmada-es-a' } },
      { ...space, metadata: { name: 'karmada-system', labels } },
      { ...space, kind: 'ConfigMap' },
    ]) {
      expect(validateDelete(other)).toBeUndefined();
    }
  });
});

test('a policy whose namespace is not known yet may name one, but no pattern', () => {
  const elsewhere = { namespace: undefined };
  expect(faults(pp(selector('namespace: other'), elsewhere))).toEqual([]);
  expect(faults(pp(selector('namespace: "other*"'), elsewhere))).toEqual([
    'invalid spec.resourceSelectors[0].namespace',
  ]);
});

import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { validate } from '../index.ts';
import type { ValidationFacts } from '../index.ts';

type Parts = Readonly<Record<string, unknown>>;
type Row = readonly [string, ...string[]];

const kinds = {
  OverridePolicy: ['policy.karmada.io/v1alpha1', 'shop'],
  ClusterOverridePolicy: ['policy.karmada.io/v1alpha1'],
  ClusterTaintPolicy: ['policy.karmada.io/v1alpha1'],
  FederatedResourceQuota: ['policy.karmada.io/v1alpha1', 'shop'],
  ResourceBinding: ['work.karmada.io/v1alpha2', 'shop'],
  Work: ['work.karmada.io/v1alpha1', 'karmada-es-m1'],
  Cluster: ['cluster.karmada.io/v1alpha1'],
  ResourceInterpreterCustomization: ['config.karmada.io/v1alpha1'],
  WorkloadRebalancer: ['apps.karmada.io/v1alpha1'],
  MultiClusterService: ['networking.karmada.io/v1alpha1', 'shop'],
} as const;

/** An object of a kind with a spec in YAML flow style. */
function make(kind: keyof typeof kinds, spec: string, metadata: Parts = {}): Parts {
  const [apiVersion, namespace] = kinds[kind];
  return {
    apiVersion,
    kind,
    metadata: { name: 'one', ...(namespace ? { namespace } : {}), ...metadata },
    spec: load(`{ ${spec} }`),
  };
}

/** The faults of an object as `type path`. */
function faults(object: unknown, old?: unknown, facts?: ValidationFacts): readonly string[] {
  return validate(object, old, facts).map(({ type, field }) => `${type} ${field}`);
}

const share = (cpu: string, name = 'm1'): string => `{ clusterName: ${name}, hard: { cpu: ${cpu} } }`;
const annotated = (value: string): Parts => ({ annotations: { 'resourcebinding.karmada.io/dependencies': value } });
const models = (...ranges: readonly string[]): string =>
  `resourceModels: [${ranges.map((range, grade) => `{ grade: ${grade}, ranges: [${range}] }`).join()}]`;
const range = (min: string, max: string, name = 'cpu'): string => `{ name: ${name}, min: "${min}", max: "${max}" }`;
const hook = (fields: string): string => `{ name: a.example.com, interpreterContextVersions: [v1alpha1], ${fields} }`;
const overriders = (text: string): string => `overrideRules: [{ overriders: { ${text} } }]`;
const below = 'spec.overrideRules[0].overriders';

const overrideRows: readonly Row[] = [
  [''],
  [overriders('plaintext: [{ path: /spec/replicas, operator: replace, value: 2 }]')],
  [overriders('plaintext: [{ path: /spec/paused, operator: replace, value: false }]')],
  [
    overriders('plaintext: [{ path: spec, operator: add }]'),
    `invalid ${below}.plaintext[0].path`,
    `required ${below}.plaintext[0].value`,
  ],
  [overriders('plaintext: [{ path: /a~2, operator: remove, value: 1 }]'), `invalid ${below}.plaintext[0].path`],
  [overriders('imageOverrider: [{ component: Tag, operator: replace, value: v2, predicate: { path: /spec/image } }]')],
  [
    overriders('imageOverrider: [{ component: Name, operator: replace, predicate: { path: image } }]'),
    `notSupported ${below}.imageOverrider[0].component`,
    `invalid ${below}.imageOverrider[0].predicate.path`,
  ],
  [
    overriders(
      'labelsOverrider: [{ operator: add, value: { a: b } }], annotationsOverrider: [{ operator: add, value: { a: "any text" } }]',
    ),
  ],
  [
    overriders('labelsOverrider: [{ operator: add, value: { a: "b c" } }]'),
    `invalid ${below}.labelsOverrider[0].value[a]`,
  ],
  [
    overriders('annotationsOverrider: [{ operator: add, value: { "a b": c } }]'),
    `invalid ${below}.annotationsOverrider[0].value[a b]`,
  ],
  [overriders('fieldOverrider: [{ fieldPath: /data/x, json: [{ subPath: /a, operator: add, value: 1 }] }]')],
  [
    overriders('fieldOverrider: [{ fieldPath: data, json: [{ subPath: a, operator: add }] }]'),
    `invalid ${below}.fieldOverrider[0].fieldPath`,
    `invalid ${below}.fieldOverrider[0].json[0].subPath`,
    `required ${below}.fieldOverrider[0].json[0].value`,
  ],
  [
    overriders('fieldOverrider: [{ fieldPath: /data/x, yaml: [{ subPath: /a, operator: remove, value: 1 }] }]'),
    `invalid ${below}.fieldOverrider[0].yaml[0].value`,
  ],
  [overriders('fieldOverrider: [{ fieldPath: /data/x }]'), `required ${below}.fieldOverrider[0]`],
  [
    overriders(
      'fieldOverrider: [{ fieldPath: /d, json: [{ subPath: /a, operator: remove }], yaml: [{ subPath: /a, operator: remove }] }]',
    ),
    `invalid ${below}.fieldOverrider[0]`,
  ],
  [`targetCluster: {}, ${overriders('')}`, 'invalid spec.targetCluster'],
  [
    `overriders: { fieldOverrider: [{ fieldPath: /d, json: [{ subPath: /a, operator: remove }] }] }, ${overriders('')}`,
    'invalid spec.overriders',
  ],
  [`overriders: {}, ${overriders('')}`],
  [
    'targetCluster: { clusterNames: [m1] }, overriders: { plaintext: [{ path: a, operator: remove }] }',
    'invalid spec.overriders.plaintext[0].path',
  ],
  [
    'overrideRules: [{ targetCluster: { fieldSelector: { matchExpressions: [{ key: rack, operator: In, values: [a] }] } }, overriders: {} }]',
    'notSupported spec.overrideRules[0].targetCluster.fieldSelector.matchExpressions[0].key',
  ],
  [
    'resourceSelectors: [{ apiVersion: v1, kind: Pod, labelSelector: { matchLabels: { a: "b c" } } }]',
    'invalid spec.resourceSelectors[0].labelSelector.matchLabels[a]',
  ],
];

describe('override policies', () => {
  test.each(overrideRows)('both scopes: %s', (spec, ...expected) => {
    expect(faults(make('OverridePolicy', spec))).toEqual(expected);
    expect(faults(make('ClusterOverridePolicy', spec))).toEqual(expected);
  });

  test.each<[string, number, number]>([
    ['shop', 0, 0],
    ['other', 1, 0],
    ['team-*', 1, 0],
    ['*', 1, 1],
  ])('policies that select in %s', (namespace, namespaced, clusterwide) => {
    const spec = `resourceSelectors: [{ apiVersion: v1, kind: Pod, namespace: "${namespace}" }]`;
    expect(faults(make('OverridePolicy', spec))).toHaveLength(namespaced);
    expect(faults(make('ClusterOverridePolicy', spec))).toHaveLength(clusterwide);
  });
});

describe('a ClusterTaintPolicy', () => {
  test.each<Row>([
    ['taints: [{ key: a, effect: NoSchedule }, { key: a, effect: NoExecute }]', 'forbidden spec.taints[1].effect'],
    ['taints: []', 'invalid spec.taints'],
    ['taints: [{ key: a, effect: NoSchedule }, { key: a, effect: NoSchedule, value: b }]', 'duplicate spec.taints[1]'],
    [
      'taints: [{ key: "a b", value: "c d", effect: Never }]',
      'invalid spec.taints[0].key',
      'invalid spec.taints[0].value',
      'notSupported spec.taints[0].effect',
    ],
    [
      'taints: [{ key: a, effect: NoSchedule }], addOnConditions: [{ conditionType: Ready, operator: Is, statusValues: [a] }]',
      'notSupported spec.addOnConditions[0].operator',
    ],
  ])('with %s', (spec, ...expected) => {
    expect(faults(make('ClusterTaintPolicy', spec))).toEqual(expected);
  });

  test('may evict where that is allowed', () => {
    const policy = make('ClusterTaintPolicy', 'taints: [{ key: a, effect: NoExecute }]');
    expect(faults(policy, undefined, { settings: { allowNoExecuteTaintPolicies: true } })).toEqual([]);
  });
});

describe('a FederatedResourceQuota', () => {
  test.each<Row>([
    ['overall: { cpu: "0.3" }, staticAssignments: [' + [share('100m'), share('"0.1"'), share('"1e-1"')].join() + ']'],
    [`overall: { cpu: 1, memory: 1Gi }, staticAssignments: [${share('1')}]`],
    [`overall: { cpu: 1 }, staticAssignments: [${share('1')}, ${share('1n', 'm2')}]`, 'invalid spec.overall[cpu]'],
    [
      'overall: { memory: 1Gi }, staticAssignments: [{ clusterName: m1, hard: { memory: "1073741825" } }]',
      'invalid spec.overall[memory]',
    ],
    [`overall: { memory: 1 }, staticAssignments: [${share('1')}]`, 'forbidden spec.staticAssignments[0].hard[cpu]'],
    [`overall: { cpu: 1 }, staticAssignments: [${share('1', 'M_1')}]`, 'invalid spec.staticAssignments[0].clusterName'],
    ['overall: { cpu: -1 }', 'invalid spec.overall[cpu]'],
    ['overall: { cpu: lots }', 'invalid spec.overall.cpu'],
  ])('with %s', (spec, ...expected) => {
    expect(faults(make('FederatedResourceQuota', spec))).toEqual(expected);
  });

  test('has a name that fits into a label', () => {
    expect(faults(make('FederatedResourceQuota', 'overall: {}', { name: 'a'.repeat(64) }))).toEqual([
      'tooLong metadata.name',
    ]);
  });
});

describe('bindings and works', () => {
  const resource = 'resource: { apiVersion: apps/v1, kind: Deployment, name: web }';
  test.each<[string, Parts, ...string[]]>([
    [resource, {}],
    [resource, annotated('[]')],
    [resource, annotated('[{'), 'invalid metadata.annotations[resourcebinding.karmada.io/dependencies]'],
    [`${resource}, suspension: { dispatching: true, scheduling: true }`, {}],
    [
      `${resource}, suspension: { dispatching: true, suspendDispatching: true }`,
      {},
      'forbidden spec.suspension.dispatching',
    ],
    [
      `${resource}, components: [{ name: a, replicas: 1 }, { name: a, replicas: 1 }, { name: '', replicas: 1 }]`,
      {},
      'required spec.components[2].name',
      'duplicate spec.components[1].name',
    ],
    ['replicas: 1', {}, 'required spec.resource'],
  ])('a binding with %s %j', (spec, metadata, ...expected) => {
    expect(faults(make('ResourceBinding', spec, metadata))).toEqual(expected);
    expect(faults({ ...make('ResourceBinding', spec, metadata), apiVersion: 'work.karmada.io/v1alpha1' })).toEqual(
      expected,
    );
  });

  test.each<Row>([
    ['workload: { manifests: [{ apiVersion: v1, kind: Secret, metadata: { name: a } }] }'],
    [
      'workload: { manifests: [{ kind: Secret, metadata: {} }] }',
      'required spec.workload.manifests[0].apiVersion',
      'required spec.workload.manifests[0].metadata.name',
    ],
  ])('a Work with %s', (spec, ...expected) => {
    expect(faults(make('Work', spec))).toEqual(expected);
  });
});

describe('a Cluster', () => {
  const end = '9223372036854775807';
  test.each<Row>([
    [
      'apiEndpoint: "https://10.0.0.1:6443", secretRef: { namespace: karmada-cluster, name: b }, proxyURL: "socks5://p:1"',
    ],
    ['apiEndpoint: "https://[::1]:6443/path"'],
    ['apiEndpoint: member1:6443'],
    ['apiEndpoint: "https://"', 'invalid spec.apiEndpoint'],
    ['apiEndpoint: "https://user:secret@host"', 'invalid spec.apiEndpoint'],
    ['apiEndpoint: "https://host?x=1"', 'invalid spec.apiEndpoint'],
    ['apiEndpoint: "https://host#x"', 'invalid spec.apiEndpoint'],
    ['apiEndpoint: "https://host:99999"', 'invalid spec.apiEndpoint'],
    ['apiEndpoint: "https://a b"', 'invalid spec.apiEndpoint'],
    ['proxyURL: "ftp://p"', 'invalid spec.proxyURL'],
    ['secretRef: { namespace: "", name: "" }', 'required spec.secretRef.namespace', 'required spec.secretRef.name'],
    ['impersonatorSecretRef: { namespace: karmada-cluster }', 'required spec.impersonatorSecretRef.name'],
    [
      'provider: "a b", region: -a, zones: [ok, "b c"]',
      'invalid spec.provider',
      'invalid spec.region',
      'invalid spec.zones[1]',
    ],
    ['zone: a, zones: [b]', 'forbidden spec.zone'],
    ['taints: [{ key: a, effect: NoExecute }, { key: a, effect: NoSchedule }]'],
    ['taints: [{ key: a, effect: PreferNoSchedule }]', 'notSupported spec.taints[0].effect'],
    ['taints: [{ key: a, effect: NoExecute }, { key: a, effect: NoExecute }]', 'duplicate spec.taints[1]'],
    [models(range('0', '1'), range('1', end))],
    [models(range('0', '500m'), range('0.5', end))],
    [models(range('1', '2'), range('2', end)), 'invalid spec.resourceModels[0].ranges[0].min'],
    [models(range('0', '1'), range('2', end)), 'invalid spec.resourceModels[1].ranges[0].min'],
    [models(range('0', '1'), range('1', '2')), 'invalid spec.resourceModels[1].ranges[0].max'],
    [models(range('0', '0'), range('0', end)), 'invalid spec.resourceModels[0].ranges[0].max'],
    [models(range('0', '1'), range('0', end, 'memory')), 'invalid spec.resourceModels[1].ranges'],
    [models(`${range('0', end)}, ${range('0', end)}`), 'duplicate spec.resourceModels[0].ranges[1].name'],
    [`resourceModels: [{ grade: 1, ranges: [] }, { grade: 1, ranges: [] }]`, 'duplicate spec.resourceModels[1].grade'],
  ])('with %s', (spec, ...expected) => {
    expect(faults(make('Cluster', `syncMode: Push, ${spec}`))).toEqual(expected);
  });

  test.each<[string, ...string[]]>([
    ['a'.repeat(48)],
    ['a'.repeat(49), 'invalid metadata.name'],
    ['A', 'invalid metadata.name'],
    ['', 'invalid metadata.name'],
  ])('named %s', (name, ...expected) => {
    expect(faults(make('Cluster', 'syncMode: Pull', { name }))).toEqual(expected);
  });

  test('has one of two modes', () => {
    expect(faults(make('Cluster', 'syncMode: Both'))).toEqual(['notSupported spec.syncMode']);
    expect(faults(make('Cluster', ''))).toEqual(['required spec.syncMode']);
  });
});

describe('interpreters', () => {
  const target = 'target: { apiVersion: v1, kind: Foo }';
  const script = '{ luaScript: "return 1" }';
  const other = make(
    'ResourceInterpreterCustomization',
    `${target}, customizations: { retention: ${script}, dependencyInterpretation: ${script} }`,
    { name: 'two' },
  );
  test.each<Row>([
    [`${target}, customizations: { replicaResource: ${script}, dependencyInterpretation: ${script} }`],
    [`${target}, customizations: { retention: ${script} }`, 'forbidden spec.customizations.retention'],
    [`target: { apiVersion: v1, kind: Bar }, customizations: { retention: ${script} }`],
    [
      `${target}, customizations: { replicaResource: { luaScript: "" } }`,
      'required spec.customizations.replicaResource.luaScript',
    ],
    [
      `target: { apiVersion: "", kind: "" }, customizations: {}`,
      'required spec.target.apiVersion',
      'required spec.target.kind',
    ],
  ])('in Lua: %s', (spec, ...expected) => {
    const customization = make('ResourceInterpreterCustomization', spec);
    expect(faults(customization, undefined, { customizations: [other, customization, null] })).toEqual(expected);
  });

  const rule = 'operations: [Retain], apiGroups: [apps], apiVersions: [v1], kinds: [Foo]';
  const url = 'clientConfig: { url: "https://host/x" }';
  test.each<Row>([
    [hook(`${url}, timeoutSeconds: 30, rules: [{ ${rule} }]`)],
    [`${hook(url)}, ${hook(url)}`, 'duplicate webhooks[1].name'],
    [hook(`${url}, timeoutSeconds: 31`), 'invalid webhooks[0].timeoutSeconds'],
    [hook('clientConfig: {}'), 'required webhooks[0].clientConfig'],
    [hook('clientConfig: { url: "http://host" }'), 'invalid webhooks[0].clientConfig.url'],
    [
      `{ name: a, ${url}, interpreterContextVersions: [v2] }`,
      'invalid webhooks[0].name',
      'invalid webhooks[0].interpreterContextVersions',
    ],
    [
      hook(`${url}, rules: [{ operations: ["*", Retain], apiGroups: ["*"], apiVersions: [v1], kinds: [] }]`),
      'invalid webhooks[0].rules[0].operations',
      'required webhooks[0].rules[0].kinds',
    ],
    [
      hook(`${url}, rules: [{ operations: [Guess], apiGroups: [""], apiVersions: [v1], kinds: [Foo] }]`),
      'notSupported webhooks[0].rules[0].operations[0]',
    ],
  ])('by webhook: %s', (webhooks, ...expected) => {
    const kind = 'ResourceInterpreterWebhookConfiguration';
    expect(
      faults({
        apiVersion: 'config.karmada.io/v1alpha1',
        kind,
        metadata: { name: 'w' },
        webhooks: load(`[${webhooks}]`),
      }),
    ).toEqual(expected);
  });
});

describe('the rest', () => {
  test.each<Row>([
    ['workloads: [{ apiVersion: apps/v1, kind: Deployment, namespace: a, name: b }]'],
    ['workloads: []', 'invalid spec.workloads'],
    ['workloads: [{ apiVersion: apps/v1, kind: Deployment, name: "" }]', 'required spec.workloads[0].name'],
    [
      'workloads: [{ apiVersion: v1, kind: A, name: a }, { apiVersion: v1, kind: A, name: a }]',
      'duplicate spec.workloads[1]',
    ],
  ])('a WorkloadRebalancer with %s', (spec, ...expected) => {
    expect(faults(make('WorkloadRebalancer', spec))).toEqual(expected);
  });

  test.each<Row>([
    ['types: [CrossCluster], ports: [{ name: http, port: 80 }], providerClusters: [{ name: m1 }]'],
    ['types: [CrossCluster, LoadBalancer]', 'invalid spec.types', 'invalid spec.types'],
    ['types: [LoadBalancer]', 'invalid spec.types'],
    [
      'types: [CrossCluster], ports: [{ port: 0 }, { port: 1 }, { port: 1 }]',
      'invalid spec.ports[0].port',
      'duplicate spec.ports[2]',
    ],
    [
      'types: [CrossCluster], consumerClusters: [{ name: A }], range: { clusterNames: [B] }',
      'invalid spec.consumerClusters[0].name',
      'invalid spec.range.clusterNames[0]',
    ],
  ])('a MultiClusterService with %s', (spec, ...expected) => {
    const old = make('MultiClusterService', 'types: [CrossCluster]');
    expect(faults(make('MultiClusterService', spec), old)).toEqual(expected);
  });

  test('kinds that are not ours have no faults', () => {
    expect(faults({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })).toEqual([]);
    expect(faults({ apiVersion: 'policy.karmada.io/v1', kind: 'PropagationPolicy' })).toEqual([]);
  });
});

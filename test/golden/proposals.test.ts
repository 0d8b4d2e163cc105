import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { crdSchemaOf, fieldErrorText, shapeErrors } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { mutate, validate } from '../../src/engine/index.ts';

const clusterPolicy = (name: string, spec: string): string =>
  `{ apiVersion: policy.karmada.io/v1alpha1, kind: ClusterPropagationPolicy, metadata: { name: ${name} }, spec: { ${spec} } }`;
const policy = (name: string, spec: string): string =>
  clusterPolicy(name, spec).replace('ClusterPropagationPolicy', 'PropagationPolicy');
const rollout = (name: string, spec: string): string =>
  clusterPolicy(name, spec).replace('ClusterPropagationPolicy', 'RolloutPolicy');
const to = (...members: readonly string[]): string =>
  `placement: { clusterAffinity: { clusterNames: [${members.join(', ')}] } }`;
const deployments = 'resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]';
const deploymentsAndMaps =
  'resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }, { apiVersion: v1, kind: ConfigMap }]';
const deploymentsIn = (namespace: string): string =>
  `resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: '${namespace}' }]`;
const nginx = 'resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: nginx }]';
const nginxThere = 'resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: default, name: nginx }]';
const fleet = to('member1', 'member2', 'member3');

/** The manifests that the proposals show, by proposal and place. */
const manifests: readonly (readonly [string, string])[] = [
  ['0, user story', clusterPolicy('default-cpp', `priority: 10, ${to('member1', 'member2')}, ${deploymentsAndMaps}`)],
  ['0, step 1', clusterPolicy('default-cpp-v2', `priority: 9999, ${to('member3', 'member4')}, ${deploymentsAndMaps}`)],
  ['0, step 2', clusterPolicy('default-cpp', `${deploymentsAndMaps}, excludedResources: [{ namespace: ns1 }]`)],
  [
    '0, step 3',
    clusterPolicy('default-cpp', `${deploymentsAndMaps}, excludedResources: [{ namespace: ns1 }, { namespace: ns2 }]`),
  ],
  [
    '1, summary',
    clusterPolicy(
      'nginx-pp',
      `${to('member1')}, priority: 10, preemption: Always, resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: nginx-deploy }]`,
    ),
  ],
  ['1, motivation', clusterPolicy('default-cpp', `${to('member1', 'member2')}, priority: 0, ${deployments}`)],
  [
    '1, prefix',
    clusterPolicy('custom-cpp', `${to('member1')}, priority: 3, preemption: Always, ${deploymentsIn('user1-*')}`),
  ],
  [
    '1, list',
    clusterPolicy(
      'custom-cpp',
      `${to('member1')}, priority: 3, preemption: Always, ${deploymentsIn('namespace1,namespace2,namespace3')}`,
    ),
  ],
  [
    '1, many',
    clusterPolicy(
      'gourp1-1-custom-cpp',
      `${to("'...'")}, priority: 2, preemption: Always, ${deploymentsIn('group1-1-*')}`,
    ),
  ],
  ['2, user stories', clusterPolicy('default-cpp', `${to('member1', 'member2')}, ${deployments}`)],
  ['2, story 1', clusterPolicy('default-cpp', `${fleet}, ${deployments}`)],
  [
    '2, story 2',
    clusterPolicy('custom-cpp', `${to('member1', 'member2', 'member4')}, priority: 100, ${deploymentsIn('user-ucs')}`),
  ],
  ['3, user story', policy('policy-delay', `activationPreference: Lazy, ${deployments}, ${to('member1', 'member2')}`)],
  ['4, all members', policy('nginx-propagation', `${nginx}, ${fleet}, suspension: { suspendDispatching: true }`)],
  [
    '4, some members',
    policy(
      'nginx-propagation',
      `${nginx}, ${fleet}, suspension: { suspendDispatchingOnClusters: { clusterNames: [member2, member3] } }`,
    ),
  ],
  [
    '4, fewer members',
    policy(
      'nginx-propagation',
      `${nginx}, ${fleet}, suspension: { suspendDispatchingOnClusters: { clusterNames: [member3] } }`,
    ),
  ],
  [
    '4, alternative, all members',
    rollout('nginx-deploy-rollout-policy', `${nginxThere}, suspension: { suspendDispatching: true }`),
  ],
  [
    '4, alternative, some members',
    rollout(
      'nginx-deploy-synchronization',
      `${nginxThere}, suspension: { suspendDispatchingOnClusters: { clusterNames: [member2, member3] } }`,
    ),
  ],
  [
    '4, the Work',
    `
    apiVersion: work.karmada.io/v1alpha1
    kind: Work
    metadata: { name: nginx-xxx, namespace: karmada-es-member1 }
    spec:
      workload: { manifests: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: nginx } }] }
      suspendDispatching: true
    status:
      conditions:
        - lastTransitionTime: "2024-07-01T08:33:28Z"
          message: Work dispatching is in a suspended state.
          reason: SuspendDispatching
          status: "True"
          type: Dispatching`,
  ],
];

/** Members of a value that the schema does not know, which a server would prune. */
function unknownFields(value: unknown, schema: object | undefined): readonly string[] {
  const { properties, items, ...rest } = (schema ?? {}) as Readonly<Record<string, never>>;
  if (rest['x-kubernetes-preserve-unknown-fields'] || rest['additionalProperties']) return [];
  if (Array.isArray(value)) return value.flatMap((item) => unknownFields(item, items));
  if (typeof value !== 'object' || value === null || !properties) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name in properties ? unknownFields(part, properties[name]) : [name],
  );
}

/** Manifests that a proposal shows as a danger, or in a shape that a later one replaced. */
const refused: readonly (readonly [string, string, string])[] = [
  [
    '1, every namespace',
    clusterPolicy('custom-cpp', `${to('member1')}, priority: 3, preemption: Always, ${deploymentsIn('*')}`),
    'spec.resourceSelectors[0].namespace: Invalid value: "*": the prefix is empty: name the namespaces, or write prefix*',
  ],
  [
    '1, exclusion in a selector',
    clusterPolicy(
      'custom-cpp',
      `priority: 1, resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, exclude: { namespace: user1-*, name: x } }]`,
    ),
    'spec.resourceSelectors[0].exclude: Forbidden: superseded: write the rule in spec.excludedResources',
  ],
  [
    '1, exclusion beside the selectors',
    clusterPolicy('custom-cpp', `${deployments}, excludeResourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: user1-* }]`),
    'spec.excludeResourceSelectors: Forbidden: superseded: write the rules in spec.excludedResources',
  ],
];

/** An object as the server takes it up; who names no namespace means the default one. */
function admitted(text: string): KubeObject {
  const object = load(text) as KubeObject;
  const namespaced = object.kind.startsWith('Cluster') ? object : { ...object, metadata: { namespace: 'default', ...object.metadata } };
  return mutate(namespaced, { operation: 'CREATE', uuid: 'id' });
}

describe('the manifests that the proposals show', () => {
  test.each(manifests)('proposal %s', (_, text) => {
    const object = load(text) as KubeObject;
    const schema = crdSchemaOf(object.apiVersion, object.kind);
    expect(schema).toBeDefined();
    expect(shapeErrors(object, schema!).map(fieldErrorText)).toEqual([]);
    expect(unknownFields({ ...object, metadata: {} }, schema)).toEqual([]);
    expect(validate(admitted(text)).map(fieldErrorText)).toEqual([]);
  });

  test.each(refused)('proposal %s, is refused', (_, text, error) => {
    expect(validate(admitted(text)).map(fieldErrorText)).toEqual([error]);
  });

  test('a field that no schema knows would be noticed', () => {
    const schema = crdSchemaOf('policy.karmada.io/v1alpha1', 'PropagationPolicy');
    expect(unknownFields({ spec: { suspension: { suspended: true } } }, schema)).toEqual(['suspended']);
  });
});

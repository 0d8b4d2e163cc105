import { describe, expect, test } from 'vitest';
import type { CustomResourceDefinition, Schema } from '../index.ts';
import { applyDefaults, crdOf, crds, shapeErrors } from '../index.ts';

const scalars = new Set<unknown>(['string', 'integer', 'number', 'boolean']);
const keepsUnknown = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;
const isIntOrString = (schema: Schema): boolean => schema['x-kubernetes-int-or-string'] === true;
const inJunctors = ({ allOf = [], anyOf = [], oneOf = [], not }: Schema): readonly Schema[] =>
  not ? [...allOf, ...anyOf, ...oneOf, not] : [...allOf, ...anyOf, ...oneOf];

type Rule = (schema: Schema) => boolean;

/** The rules of apiextensions.k8s.io/v1 for one node of a schema; each says what holds when it is broken. */
const structuralRules: Readonly<Record<string, Rule>> = {
  'no type': (s) => s.type === undefined && !keepsUnknown(s) && !isIntOrString(s),
  'int-or-string with a type': (s) => isIntOrString(s) && s.type !== undefined,
  'a reference': (s) => s.$ref !== undefined,
  uniqueItems: (s) => s.uniqueItems !== undefined,
  'properties with additionalProperties': (s) => s.properties !== undefined && s.additionalProperties !== undefined,
  'additionalProperties that are no schema': (s) => typeof s.additionalProperties === 'boolean',
  'a list without items': (s) => s.type === 'array' && s.items === undefined,
  'a required member that is unknown': (s) => s.required?.some((name) => !s.properties?.[name]) === true,
  'a pattern that is none': (s) => s.pattern !== undefined && !isPattern(s.pattern),
  'a default that does not fit': (s) => s.default !== undefined && shapeErrors(s.default, s).length > 0,
  'an enum that does not fit': ({ enum: values = [], ...s }) =>
    values.some((value) => shapeErrors(value, s).length > 0),
  'an embedded resource that loses fields': (s) =>
    s['x-kubernetes-embedded-resource'] === true && (s.type !== 'object' || !(keepsUnknown(s) || s.properties)),
  'a junctor with more than values': (s) => !isQuantityLike(s) && inJunctors(s).some(saysMoreThanValues),
  'a member that only a junctor knows': (s) =>
    inJunctors(s).some((part) => Object.keys(part.properties ?? {}).some((name) => !s.properties?.[name])),
  'list-map keys without a map': (s) =>
    s['x-kubernetes-list-map-keys'] !== undefined && s['x-kubernetes-list-type'] !== 'map',
  'a list-map key that is none': (s) =>
    s['x-kubernetes-list-type'] === 'map' && !(s['x-kubernetes-list-map-keys'] ?? ['']).every((key) => isKeyOf(s, key)),
};

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The one junctor with types that is allowed. */
function isQuantityLike(schema: Schema): boolean {
  return isIntOrString(schema) && JSON.stringify(schema.anyOf) === '[{"type":"integer"},{"type":"string"}]';
}

function saysMoreThanValues(part: Schema): boolean {
  const keys = ['description', 'type', 'default', 'additionalProperties', 'nullable'] as const;
  return (
    keys.some((key) => part[key] !== undefined) || Object.keys(part).some((key) => key.startsWith('x-kubernetes-'))
  );
}

function isKeyOf({ items }: Schema, key: string): boolean {
  const member = items?.properties?.[key];
  return scalars.has(member?.type) && (items?.required?.includes(key) === true || member?.default !== undefined);
}

/** The faults that keep a schema from being structural. */
function structuralFaults(schema: Schema, path: string): string[] {
  const broken = Object.keys(structuralRules).filter((name) => structuralRules[name]?.(schema));
  const faults = broken.map((name) => `${path}: ${name}`);
  const below: [string, Schema][] = Object.entries(schema.properties ?? {}).map(([name, part]) => [`.${name}`, part]);
  if (schema.items) below.push(['[]', schema.items]);
  if (typeof schema.additionalProperties === 'object') below.push(['{}', schema.additionalProperties]);
  return [...faults, ...below.flatMap(([name, part]) => structuralFaults(part, path + name))];
}

function summary(crd: CustomResourceDefinition): string {
  const { group, names, scope, versions } = crd.spec;
  const version = versions.map(({ name, storage }) => (storage ? `${name}*` : name)).join(',');
  const columns = (versions[0]?.additionalPrinterColumns ?? []).map(({ name, priority }) =>
    priority ? `(${name})` : name,
  );
  const parts = [
    `${names.kind} ${group}/${version} ${names.plural} ${scope}`,
    names.shortNames?.join(',') ?? '-',
    names.categories?.join(',') ?? '-',
    versions.every(({ subresources }) => subresources?.status) ? 'status' : '-',
    columns.join(' ') || '-',
  ];
  return parts.join(' | ');
}

describe('the definitions of our kinds', () => {
  test.each(crds().map((crd) => [crd.metadata.name, crd] as const))('%s is structural', (name, crd) => {
    expect(name).toBe(`${crd.spec.names.plural}.${crd.spec.group}`);
    expect(crd.spec.versions.filter(({ storage }) => storage)).toHaveLength(1);
    for (const version of crd.spec.versions) {
      const root = version.schema?.openAPIV3Schema ?? {};
      expect(root.type).toBe('object');
      expect(root.properties?.['metadata']).toEqual({ type: 'object' });
      expect(structuralFaults(root, version.name)).toEqual([]);
    }
  });

  test.each<[Schema, string]>([
    [{ type: 'object', properties: { a: {} } }, 'x.a: no type'],
    [{ type: 'string', default: 1 }, 'x: a default that does not fit'],
    [{ type: 'string', enum: ['a', 1] }, 'x: an enum that does not fit'],
    [{ type: 'object', anyOf: [{ properties: { b: {} } }] }, 'x: a member that only a junctor knows'],
    [{ type: 'object', anyOf: [{ type: 'object' }] }, 'x: a junctor with more than values'],
    [{ type: 'array', items: { type: 'object', required: ['gone'] } }, 'x[]: a required member that is unknown'],
    [{ type: 'string', pattern: '(' }, 'x: a pattern that is none'],
  ])('the check finds fault with %j', (schema, fault) => {
    expect(structuralFaults(schema, 'x')).toEqual([fault]);
  });

  test('have the names, scopes, subresources and columns that scripts for Karmada rely on', () => {
    expect(crds().map(summary)).toEqual([
      'PropagationPolicy policy.karmada.io/v1alpha1* propagationpolicies Namespaced | pp | karmada-io | status | CONFLICT-RESOLUTION PRIORITY TEMPLATES UP-TO-DATE PENDING SUSPENDED AGE',
      'ClusterPropagationPolicy policy.karmada.io/v1alpha1* clusterpropagationpolicies Cluster | cpp | karmada-io | status | CONFLICT-RESOLUTION PRIORITY TEMPLATES UP-TO-DATE PENDING SUSPENDED AGE',
      'RolloutPolicy policy.karmada.io/v1alpha1* rolloutpolicies Namespaced | rop | karmada-io | status | OWNER UNTIL REASON AGE',
      'ClusterRolloutPolicy policy.karmada.io/v1alpha1* clusterrolloutpolicies Cluster | crop | karmada-io | status | OWNER UNTIL REASON AGE',
      'OverridePolicy policy.karmada.io/v1alpha1* overridepolicies Namespaced | op | karmada-io | - | -',
      'ClusterOverridePolicy policy.karmada.io/v1alpha1* clusteroverridepolicies Cluster | cop | karmada-io | - | -',
      'ClusterTaintPolicy policy.karmada.io/v1alpha1* clustertaintpolicies Cluster | - | - | - | -',
      'FederatedResourceQuota policy.karmada.io/v1alpha1* federatedresourcequotas Namespaced | - | karmada-io | status | OVERALL OVERALL_USED',
      'Work work.karmada.io/v1alpha1* works Namespaced | wk | karmada-io | status | WORKLOAD-KIND APPLIED AGE',
      'ResourceBinding work.karmada.io/v1alpha2*,v1alpha1 resourcebindings Namespaced | rb | karmada-io | status | SCHEDULED FULLYAPPLIED STATE AGE (WHY)',
      'ClusterResourceBinding work.karmada.io/v1alpha2*,v1alpha1 clusterresourcebindings Cluster | crb | karmada-io | status | SCHEDULED FULLYAPPLIED STATE AGE (WHY)',
      'Cluster cluster.karmada.io/v1alpha1* clusters Cluster | - | - | status | VERSION MODE READY AGE (ZONES) (REGION) (PROVIDER) (API-ENDPOINT) (PROXY-URL)',
      'ResourceInterpreterCustomization config.karmada.io/v1alpha1* resourceinterpretercustomizations Cluster | ric | karmada-io | - | TARGET-API-VERSION TARGET-KIND AGE',
      'ResourceInterpreterWebhookConfiguration config.karmada.io/v1alpha1* resourceinterpreterwebhookconfigurations Cluster | - | karmada-io | - | -',
      'WorkloadRebalancer apps.karmada.io/v1alpha1* workloadrebalancers Cluster | - | - | status | -',
      'Remedy remedy.karmada.io/v1alpha1* remedies Cluster | - | karmada-io | - | -',
      'FederatedHPA autoscaling.karmada.io/v1alpha1* federatedhpas Namespaced | fhpa | karmada-io | status | REFERENCE-KIND REFERENCE-NAME MINPODS MAXPODS REPLICAS AGE',
      'CronFederatedHPA autoscaling.karmada.io/v1alpha1* cronfederatedhpas Namespaced | cronfhpa | karmada-io | status | REFERENCE-KIND REFERENCE-NAME AGE',
      'MultiClusterService networking.karmada.io/v1alpha1* multiclusterservices Namespaced | mcs | karmada-io | status | -',
      'MultiClusterIngress networking.karmada.io/v1alpha1* multiclusteringresses Namespaced | mci | karmada-io | status | -',
      'ServiceExport multicluster.x-k8s.io/v1alpha1* serviceexports Namespaced | svcex | - | status | Age',
      'ServiceImport multicluster.x-k8s.io/v1alpha1* serviceimports Namespaced | svcim | - | status | Type IP Age',
    ]);
  });

  test('give a policy its defaults', () => {
    const schema = crdOf('policy.karmada.io/v1alpha1', 'PropagationPolicy')!.spec.versions[0]!.schema!.openAPIV3Schema!;
    const spec = {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
      placement: { replicaScheduling: {} },
      failover: { application: { decisionConditions: {} }, cluster: {} },
    };
    expect(applyDefaults({ spec }, schema)).toEqual({
      spec: {
        ...spec,
        placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
        failover: {
          application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' },
          cluster: { purgeMode: 'Gracefully' },
        },
        priority: 0,
        preemption: 'Never',
        schedulerName: 'default-scheduler',
        conflictResolution: 'Abort',
      },
    });
  });
});

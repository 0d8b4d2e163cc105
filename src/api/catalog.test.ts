import { describe, expect, it } from 'vitest';
import { apiVersionOf, builtinCatalog, catalogWith, preferredVersion, storageKindOf } from './catalog.ts';
import type { KindInfo } from './kinds.ts';
import type { Schema } from './schema.ts';
import { compareVersions } from './versions.ts';

const catalog = builtinCatalog();

function kind(apiVersion: string, name: string): KindInfo {
  const found = catalog.byKind(apiVersion, name);
  if (!found) throw new Error(`no ${apiVersion} ${name}`);
  return found;
}

describe('builtinCatalog', () => {
  it('is built once', () => {
    expect(builtinCatalog()).toBe(catalog);
  });

  it('knows a deployment from every side', () => {
    const deployment = kind('apps/v1', 'Deployment');
    expect(catalog.byResource('apps', 'v1', 'deployments')).toBe(deployment);
    expect(deployment).toMatchObject({
      group: 'apps',
      version: 'v1',
      listKind: 'DeploymentList',
      singular: 'deployment',
      shortNames: ['deploy'],
      categories: ['all'],
      namespaced: true,
      status: true,
      scale: { specReplicasPath: '.spec.replicas' },
      subresources: [],
      definition: 'io.k8s.api.apps.v1.Deployment',
      workload: { podTemplate: ['spec', 'template'], replicas: ['spec', 'replicas'] },
      custom: false,
      storageVersion: 'v1',
    });
    expect(deployment.subresourceKinds?.['scale']).toMatchObject({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    });
    expect(deployment.subresourceKinds?.['status']).toMatchObject({ group: 'apps', version: 'v1', kind: 'Deployment' });
  });

  it.each([
    [
      'v1',
      'Pod',
      ['attach', 'binding', 'ephemeralcontainers', 'eviction', 'exec', 'log', 'portforward', 'proxy', 'resize'],
    ],
    ['v1', 'ServiceAccount', ['token']],
    ['v1', 'Namespace', ['finalize']],
    ['certificates.k8s.io/v1', 'CertificateSigningRequest', ['approval']],
    ['v1', 'ConfigMap', []],
  ])('subresources of %s %s', (apiVersion, name, expected) => {
    expect(kind(apiVersion, name).subresources).toEqual(expected);
  });

  it.each([
    ['v1', 'Node', false],
    ['v1', 'Secret', true],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', false],
    ['rbac.authorization.k8s.io/v1', 'Role', true],
    ['storage.k8s.io/v1', 'CSIStorageCapacity', true],
  ])('%s %s namespaced: %s', (apiVersion, name, expected) => {
    expect(kind(apiVersion, name).namespaced).toBe(expected);
  });

  it('lets reviews be created and nothing else, and API services be read', () => {
    expect(kind('authorization.k8s.io/v1', 'SelfSubjectAccessReview').verbs).toEqual(['create']);
    expect(kind('authentication.k8s.io/v1', 'TokenReview').verbs).toEqual(['create']);
    expect(kind('apiregistration.k8s.io/v1', 'APIService').verbs).toEqual(['get', 'list', 'watch']);
  });

  it('gives every kind a schema, and every reference a definition', () => {
    const missing: string[] = [];
    for (const one of catalog.kinds) if (!one.definition || !one.schema.properties) missing.push(one.kind);
    const visit = (schema: Schema): void => {
      if (schema.$ref && !catalog.definitions[schema.$ref]) missing.push(schema.$ref);
      for (const property of Object.values(schema.properties ?? {})) visit(property);
      if (schema.items) visit(schema.items);
      if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
    };
    Object.values(catalog.definitions).forEach(visit);
    expect(missing).toEqual([]);
  });

  it.each([
    [
      'io.k8s.api.core.v1.PodSpec',
      'containers',
      {
        type: 'array',
        items: { $ref: 'io.k8s.api.core.v1.Container' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-patch-merge-key': 'name',
        'x-kubernetes-patch-strategy': 'merge',
      },
    ],
    [
      'io.k8s.api.apps.v1.DeploymentSpec',
      'strategy',
      { $ref: 'io.k8s.api.apps.v1.DeploymentStrategy', 'x-kubernetes-patch-strategy': 'retainKeys' },
    ],
    ['io.k8s.api.core.v1.ServicePort', 'protocol', { type: 'string', default: 'TCP' }],
    ['io.k8s.api.core.v1.ServicePort', 'port', { type: 'integer', format: 'int32' }],
  ])('keeps what patches and apply need: %s.%s', (definition, property, expected) => {
    expect(catalog.definitions[definition]?.properties?.[property]).toEqual(expected);
  });

  it.each([
    ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'x-kubernetes-int-or-string', true],
    ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'x-kubernetes-preserve-unknown-fields', true],
    ['io.k8s.api.core.v1.LocalObjectReference', 'x-kubernetes-map-type', 'atomic'],
  ] as const)('%s has %s', (definition, extension, expected) => {
    expect(catalog.definitions[definition]?.[extension]).toBe(expected);
  });

  it('holds no prose', () => {
    expect(JSON.stringify(catalog.definitions)).not.toMatch(/"description":"/);
  });

  it.each([
    ['v1', 'Pod', { podTemplate: [] }],
    ['apps/v1', 'DaemonSet', { podTemplate: ['spec', 'template'] }],
    ['batch/v1', 'Job', { podTemplate: ['spec', 'template'], replicas: ['spec', 'parallelism'] }],
    ['batch/v1', 'CronJob', { podTemplate: ['spec', 'jobTemplate', 'spec', 'template'] }],
    ['v1', 'Service', undefined],
  ])('workload paths of %s %s', (apiVersion, name, expected) => {
    expect(kind(apiVersion, name).workload).toEqual(expected);
  });
});

const named = (name: string): readonly string[] =>
  catalog.byName(name).map((one) => `${apiVersionOf(one)} ${one.kind}`);

describe('byName', () => {
  it.each([
    ['po', ['v1 Pod']],
    ['Deployment', ['apps/v1 Deployment']],
    ['deployments.apps', ['apps/v1 Deployment']],
    ['deploy.v1.apps', ['apps/v1 Deployment']],
    ['hpa', ['autoscaling/v2 HorizontalPodAutoscaler']],
    ['hpa.v1.autoscaling', ['autoscaling/v1 HorizontalPodAutoscaler']],
    ['events', ['v1 Event', 'events.k8s.io/v1 Event']],
    ['ev.events.k8s.io', ['events.k8s.io/v1 Event']],
    ['endpoints', ['v1 Endpoints']],
    ['nonsense', []],
    ['pods.apps', []],
  ])('%s', (name, expected) => {
    expect(named(name)).toEqual(expected);
  });
});

describe('storage', () => {
  it('keeps both versions of an autoscaler as v2 and both kinds of events in the core group', () => {
    expect(storageKindOf(catalog, kind('autoscaling/v1', 'HorizontalPodAutoscaler')).version).toBe('v2');
    expect(storageKindOf(catalog, kind('autoscaling/v2', 'HorizontalPodAutoscaler')).version).toBe('v2');
    expect(storageKindOf(catalog, kind('events.k8s.io/v1', 'Event'))).toBe(kind('v1', 'Event'));
    expect(storageKindOf(catalog, kind('v1', 'Pod'))).toBe(kind('v1', 'Pod'));
  });
});

const custom = (version: string): KindInfo => ({
  group: 'example.com',
  version,
  kind: 'Widget',
  listKind: 'WidgetList',
  plural: 'widgets',
  singular: 'widget',
  shortNames: ['wd'],
  categories: [],
  namespaced: true,
  verbs: ['get'],
  status: false,
  subresources: [],
  columns: [],
  schema: { type: 'object' },
  custom: true,
  storageVersion: 'v1',
});

describe('catalogWith', () => {
  it('adds kinds beside the ones that are there', () => {
    const more = catalogWith(catalog, [custom('v1beta1'), custom('v1')]);
    expect(more.kinds).toHaveLength(catalog.kinds.length + 2);
    expect(more.byName('wd').map(({ version }) => version)).toEqual(['v1']);
    expect(more.groups.at(-1)).toEqual({ group: 'example.com', versions: ['v1', 'v1beta1'] });
    expect(preferredVersion(more, 'example.com')).toBe('v1');
    expect(preferredVersion(more, 'autoscaling')).toBe('v2');
    expect(preferredVersion(catalog, 'example.com')).toBeUndefined();
  });

  it('replaces a kind of the same resource', () => {
    const first = catalogWith(catalog, [custom('v1')]);
    const changed = { ...custom('v1'), verbs: ['get', 'list'] };
    const second = catalogWith(first, [changed]);
    expect(second.kinds).toHaveLength(first.kinds.length);
    expect(second.byKind('example.com/v1', 'Widget')).toBe(changed);
  });
});

it('sorts versions as Kubernetes does', () => {
  const versions = ['v1alpha1', 'foo10', 'v10', 'v1beta1', 'v2', 'v1', 'bar', 'v11alpha2', 'v3beta1', 'v1beta2'];
  expect(versions.toSorted(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v3beta1',
    'v1beta2',
    'v1beta1',
    'v11alpha2',
    'v1alpha1',
    'bar',
    'foo10',
  ]);
});

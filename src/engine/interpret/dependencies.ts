import type { KubeObject, Ref } from '../../api/index.ts';
import { at, isObject } from '../../base/index.ts';
import { workloadKind } from './workloads.ts';

/** The kinds of objects that a workload can depend on, all of the core group. */
export const dependencyKinds = ['ConfigMap', 'Secret', 'PersistentVolumeClaim', 'ServiceAccount'] as const;

type DependencyKind = (typeof dependencyKinds)[number];
type OnFound = (kind: DependencyKind, name: unknown) => void;

/** The objects that a template's pods cannot run without, in a stable order; undefined for kinds that have none. */
export function dependenciesOf(template: KubeObject): readonly Ref[] | undefined {
  const kind = workloadKind(template);
  if (!kind)
    return template.kind === 'Ingress' ? collect(template, (found) => ingressSecrets(template, found)) : undefined;
  const spec = at(template, kind.podSpec);
  return collect(template, (found) => {
    if (isObject(spec)) podNeeds(spec, claimsOf(template), found);
  });
}

function collect(template: KubeObject, search: (found: OnFound) => void): readonly Ref[] {
  const { namespace } = template.metadata;
  const refs = new Map<string, Ref>();
  search((kind, name) => {
    if (typeof name !== 'string' || name === '') return;
    refs.set(`${kind}/${name}`, { apiVersion: 'v1', kind, ...(namespace && { namespace }), name });
  });
  return [...refs.keys()].sort().map((key) => refs.get(key) as Ref);
}

function ingressSecrets(ingress: KubeObject, found: OnFound): void {
  for (const tls of listAt(ingress, ['spec', 'tls'])) found('Secret', tls['secretName']);
}

/** Claims that a StatefulSet makes for itself are not dependencies. */
function claimsOf(template: KubeObject): ReadonlySet<unknown> {
  const templates = listAt(template, ['spec', 'volumeClaimTemplates']);
  return new Set(templates.map((claim) => at(claim, ['metadata', 'name'])));
}

function podNeeds(spec: Record<string, unknown>, ownClaims: ReadonlySet<unknown>, found: OnFound): void {
  if (spec['serviceAccountName'] !== 'default') found('ServiceAccount', spec['serviceAccountName']);
  for (const secret of listAt(spec, ['imagePullSecrets'])) found('Secret', secret['name']);
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of listAt(spec, [list])) containerNeeds(container, found);
  }
  for (const volume of listAt(spec, ['volumes'])) volumeNeeds(volume, ownClaims, found);
}

function containerNeeds(container: Record<string, unknown>, found: OnFound): void {
  for (const source of listAt(container, ['envFrom'])) {
    found('ConfigMap', at(source, ['configMapRef', 'name']));
    found('Secret', at(source, ['secretRef', 'name']));
  }
  for (const variable of listAt(container, ['env'])) {
    found('ConfigMap', at(variable, ['valueFrom', 'configMapKeyRef', 'name']));
    found('Secret', at(variable, ['valueFrom', 'secretKeyRef', 'name']));
  }
}

/** Where the various kinds of volume name the Secret that they mount with. */
const volumeSecrets = [
  ['secret', 'secretName'],
  ['azureFile', 'secretName'],
  ['csi', 'nodePublishSecretRef', 'name'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
] as const;

function volumeNeeds(volume: Record<string, unknown>, ownClaims: ReadonlySet<unknown>, found: OnFound): void {
  found('ConfigMap', at(volume, ['configMap', 'name']));
  for (const path of volumeSecrets) found('Secret', at(volume, path));
  for (const source of listAt(volume, ['projected', 'sources'])) {
    found('ConfigMap', at(source, ['configMap', 'name']));
    found('Secret', at(source, ['secret', 'name']));
  }
  if (!ownClaims.has(volume['name']))
    found('PersistentVolumeClaim', at(volume, ['persistentVolumeClaim', 'claimName']));
}

function listAt(object: unknown, path: readonly string[]): readonly Record<string, unknown>[] {
  const list = at(object, path);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

import { retainReplicasLabel } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { at, isObject, withAt } from '../../base/index.ts';

type Retain = <T extends KubeObject>(desired: T, observed: KubeObject) => T;

const rules: Readonly<Record<string, Retain>> = {
  'apps/v1|Deployment': retainReplicas,
  'v1|Pod': retainPod,
  'v1|Service': retainService,
  'v1|ServiceAccount': retainServiceAccount,
  'v1|PersistentVolumeClaim': retainClaim,
  'v1|PersistentVolume': (desired, observed) => keep(desired, observed, ['spec', 'claimRef']),
  'batch/v1|Job': (desired, observed) =>
    keep(keep(desired, observed, ['spec', 'selector']), observed, ['spec', 'template', 'metadata', 'labels']),
  'v1|Secret': retainSecret,
};

/** The desired object with what a member's own controllers wrote into it kept. */
export function retain<T extends KubeObject>(desired: T, observed: KubeObject): T {
  return rules[`${desired.apiVersion}|${desired.kind}`]?.(desired, observed) ?? desired;
}

function keep<T extends KubeObject>(desired: T, observed: KubeObject, path: readonly string[]): T {
  const value = at(observed, path);
  return value === undefined ? desired : withAt(desired, path, value);
}

function retainReplicas<T extends KubeObject>(desired: T, observed: KubeObject): T {
  return desired.metadata.labels?.[retainReplicasLabel] === 'true'
    ? keep(desired, observed, ['spec', 'replicas'])
    : desired;
}

function retainService<T extends KubeObject>(desired: T, observed: KubeObject): T {
  const port = at(observed, ['spec', 'healthCheckNodePort']);
  const kept =
    typeof port === 'number' && port > 0 ? keep(desired, observed, ['spec', 'healthCheckNodePort']) : desired;
  const ip = at(observed, ['spec', 'clusterIP']);
  if (!ip || at(kept, ['spec', 'clusterIP'])) return kept;
  return keep(keep(kept, observed, ['spec', 'clusterIP']), observed, ['spec', 'clusterIPs']);
}

/** A claim that names no class gets that of the member, and may not change it, while it may grow. */
function retainClaim<T extends KubeObject>(desired: T, observed: KubeObject): T {
  const bound = keep(desired, observed, ['spec', 'volumeName']);
  const named = at(desired, ['spec', 'storageClassName']) !== undefined;
  return named ? bound : keep(bound, observed, ['spec', 'storageClassName']);
}

function retainSecret<T extends KubeObject>(desired: T, observed: KubeObject): T {
  const token = (desired as { readonly type?: unknown }).type === 'kubernetes.io/service-account-token';
  return token ? keep(desired, observed, ['data']) : desired;
}

function retainServiceAccount<T extends KubeObject>(desired: T, observed: KubeObject): T {
  return ['secrets', 'imagePullSecrets'].reduce((object, field) => union(object, observed, field), desired);
}

function union<T extends KubeObject>(desired: T, observed: KubeObject, field: string): T {
  const present = listAt(observed, [field]);
  if (present.length === 0) return desired;
  const wanted = listAt(desired, [field]);
  const names = new Set(wanted.map((item) => item['name']));
  return withAt(desired, [field], [...wanted, ...present.filter((item) => !names.has(item['name']))]);
}

function listAt(object: unknown, path: readonly string[]): readonly Record<string, unknown>[] {
  const list = at(object, path);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function retainPod<T extends KubeObject>(desired: T, observed: KubeObject): T {
  let pod = desired;
  for (const field of ['nodeName', 'serviceAccountName', 'volumes']) pod = keep(pod, observed, ['spec', field]);
  for (const list of ['containers', 'initContainers']) pod = retainMounts(pod, observed, ['spec', list]);
  return pod;
}

function retainMounts<T extends KubeObject>(desired: T, observed: KubeObject, path: readonly string[]): T {
  const present = new Map(listAt(observed, path).map((container) => [container['name'], container['volumeMounts']]));
  const containers = listAt(desired, path);
  if (containers.length === 0) return desired;
  const kept = containers.map((container) => {
    const volumeMounts = present.get(container['name']);
    return volumeMounts === undefined ? container : { ...container, volumeMounts };
  });
  return withAt(desired, path, kept);
}

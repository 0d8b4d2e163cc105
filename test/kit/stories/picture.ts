import { isSystemKey, policyFamilies, waitsAtAnnotation } from '../../../src/api/index.ts';
import type { Binding, KubeObject, Work } from '../../../src/api/index.ts';
import { claimOf, conditionStatus, inEffectOf, isTemplateKind } from '../../../src/engine/index.ts';
import type { World } from '../../../src/engine/index.ts';

/** The state of a world without ids and versions. */
export type Picture = Readonly<Record<string, unknown>>;

/** The hub and the members, without what depends on the order of writes: ids, versions, generations. */
export function pictureOf(world: World): Picture {
  const lines: [string, unknown][] = [];
  for (const [key, object] of world.entries()) {
    const seen = key.startsWith('@') ? inMember(object) : onHub(object);
    if (seen !== undefined) lines.push([key, seen]);
  }
  return Object.fromEntries(lines.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The objects in the members alone, without anything about policies. */
export function fleetOf(world: World): Picture {
  const lines = Object.entries(pictureOf(world)).filter(([key]) => key.startsWith('@'));
  return Object.fromEntries(lines.map(([key, seen]) => [key, { ...(seen as object), policy: undefined }]));
}

function bodyOf(object: KubeObject): object {
  const { apiVersion: _, kind: __, metadata, status, ...body } = object as KubeObject & { readonly status?: unknown };
  const { observedGeneration: ___, ...reported } = (status ?? {}) as { readonly observedGeneration?: unknown };
  const labels = Object.entries(metadata.labels ?? {}).filter(([key]) => !isSystemKey(key));
  return { ...body, labels: Object.fromEntries(labels), status: reported };
}

function inMember(object: KubeObject): object {
  const { annotations } = object.metadata;
  const policy = Object.values(policyFamilies).map((family) => annotations?.[family.nameAnnotation]);
  return { ...bodyOf(object), policy };
}

function onHub(object: KubeObject): unknown {
  if (object.kind === 'Work') return workSeen(object as Work);
  if (object.kind.endsWith('ResourceBinding')) return bindingSeen(object as Binding);
  if (object.metadata.deletionTimestamp) return 'leaving';
  if (!isTemplateKind(object)) return object.apiVersion.startsWith('policy') ? 'there' : undefined;
  const claim = claimOf(object);
  return {
    ...bodyOf(object),
    managedBy: claim?.name,
    waits: object.metadata.annotations?.[waitsAtAnnotation] !== undefined,
  };
}

function bindingSeen(binding: Binding): object {
  const { resource, ...spec } = binding.spec;
  const { policy, template } = inEffectOf(binding) ?? {};
  return {
    ...spec,
    resource: resource.name,
    policy: policy?.name,
    template,
    managedBy: claimOf(binding)?.name,
    leaving: binding.metadata.deletionTimestamp !== undefined,
    scheduled: conditionStatus(binding.status?.conditions, 'Scheduled'),
    applied: conditionStatus(binding.status?.conditions, 'FullyApplied'),
  };
}

function workSeen({ spec, metadata, status }: Work): object {
  return {
    manifests: spec.workload.manifests.map(inMember),
    suspended: spec.suspendDispatching,
    preserve: spec.preserveResourcesOnDeletion,
    leaving: metadata.deletionTimestamp !== undefined,
    applied: conditionStatus(status?.conditions, 'Applied'),
    dispatching: conditionStatus(status?.conditions, 'Dispatching'),
  };
}

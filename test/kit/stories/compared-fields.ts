import type { Binding, KubeObject, Work } from '../../../src/api/index.ts';
import { isSystemKey, waitsAtAnnotation } from '../../../src/api/index.ts';
import { isObject } from '../../../src/base/index.ts';
import { claimOf, conditionStatus, inEffectOf, isTemplateKind } from '../../../src/engine/index.ts';
import { tamperedWord } from './done.ts';

/** The fields of an object that are compared between a model and a live system: none that only one of them fills in. */
export interface ComparedFields {
  /** The object that tells to which story it belongs. */
  readonly about: unknown;
  readonly seen: unknown;
}

interface Content extends KubeObject {
  readonly data?: unknown;
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image?: string }[] } };
  };
}

export function comparedFieldsOf(key: string, object: KubeObject): ComparedFields | undefined {
  if (key.startsWith('@'))
    return isTold(object) ? { about: object.metadata.namespace, seen: contentOf(object) } : undefined;
  if (object.kind === 'Work') return workSeen(object as Work);
  if (object.kind === 'ResourceBinding') return bindingSeen(object as Binding);
  if (!isTold(object)) return undefined;
  return { about: object.metadata.namespace, seen: templateSeen(object) };
}

const rootCertificate = 'kube-root-ca.crt';
const kinds: ReadonlySet<string> = new Set(['Deployment', 'ConfigMap', 'Secret']);

function isTold(object: KubeObject): boolean {
  return kinds.has(object.kind) && isTemplateKind(object) && object.metadata.name !== rootCertificate;
}

function contentOf(object: KubeObject): unknown {
  const { data, spec, metadata } = object as Content;
  const labels = Object.entries(metadata.labels ?? {})
    .filter(([key]) => !isSystemKey(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const image = spec?.template?.spec?.containers?.[0]?.image;
  if (isTampered(data) || image === tamperedWord) return 'tampered';
  return { data, replicas: spec?.replicas, image, labels };
}

/** A model writes the word where a live system has data. */
function isTampered(data: unknown): boolean {
  return data === 'tampered' || (isObject(data) && data['value'] === tamperedWord);
}

function templateSeen(object: KubeObject): unknown {
  if (object.metadata.deletionTimestamp) return 'leaving';
  const { annotations } = object.metadata;
  return {
    content: contentOf(object),
    managedBy: claimOf(object)?.name,
    waits: annotations?.[waitsAtAnnotation] !== undefined,
  };
}

function bindingSeen({ spec, metadata, status, ...rest }: Binding): ComparedFields {
  const binding = { spec, metadata, status, ...rest } as Binding;
  const seen = {
    clusters: [...(spec.clusters ?? [])]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, replicas }) => [name, replicas]),
    managedBy: claimOf(binding)?.name,
    policy: inEffectOf(binding)?.policy?.name,
    leaving: metadata.deletionTimestamp !== undefined,
    neededBy: (spec.requiredBy ?? []).map(({ name }) => name).sort(),
    suspension: spec.suspension,
    preserve: spec.preserveResourcesOnDeletion,
    scheduled: conditionStatus(status?.conditions, 'Scheduled'),
    applied: conditionStatus(status?.conditions, 'FullyApplied'),
  };
  return { about: metadata.namespace, seen };
}

function workSeen({ spec, metadata, status }: Work): ComparedFields | undefined {
  const manifest = spec.workload.manifests[0];
  if (!manifest || !isTold(manifest)) return undefined;
  const seen = {
    content: contentOf(manifest),
    suspended: spec.suspendDispatching ?? false,
    preserve: spec.preserveResourcesOnDeletion ?? false,
    leaving: metadata.deletionTimestamp !== undefined,
    applied: conditionStatus(status?.conditions, 'Applied'),
    dispatching: conditionStatus(status?.conditions, 'Dispatching'),
  };
  return { about: manifest.metadata.namespace, seen };
}

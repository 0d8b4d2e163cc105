import { managedAnnotationsAnnotation, managedLabelsAnnotation } from '../../api/index.ts';
import type { KubeObject, ObjectMeta } from '../../api/index.ts';
import { ContentHashes } from '../../base/index.ts';
import type { Answer, Interpreter } from '../interpret/index.ts';

/** On a member object: the hash of the manifest that was last dispatched; it shows what the template has removed since. */
export const dispatchedAnnotation = 'sluice.dev/dispatched';

type Map = Readonly<Record<string, string>>;

const hashes = new ContentHashes<KubeObject>((manifest) => manifest);

/** Was this manifest the last one that the member was sent? */
export function wasSent(present: KubeObject, manifest: KubeObject): boolean {
  return hashes.isOf(present.metadata.annotations?.[dispatchedAnnotation], manifest);
}

/** The manifest as it is created in a member. */
export function created(manifest: KubeObject): KubeObject {
  const annotations = { ...manifest.metadata.annotations, [dispatchedAnnotation]: hashes.of(manifest) };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/** The manifest merged into the member's object: fields that belong to the member are kept. */
export function merged(
  manifest: KubeObject,
  present: KubeObject,
  { retain }: Pick<Interpreter, 'retain'>,
): Answer<KubeObject> {
  const { metadata } = present;
  const fresh = created(manifest);
  const object = {
    ...fresh,
    metadata: {
      ...keptMetadata(metadata),
      ...fresh.metadata,
      labels: mergedKeys(fresh.metadata.labels, metadata.labels, managedKeys(metadata, managedLabelsAnnotation)),
      annotations: mergedKeys(
        fresh.metadata.annotations,
        metadata.annotations,
        managedKeys(metadata, managedAnnotationsAnnotation),
      ),
    },
    ...statusOf(present),
  };
  return retain(object, present);
}

function statusOf(present: KubeObject): object {
  return 'status' in present ? { status: present.status } : {};
}

function keptMetadata(metadata: ObjectMeta): Partial<ObjectMeta> {
  const { uid, resourceVersion, generation, creationTimestamp, finalizers, ownerReferences } = metadata;
  return {
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
    ...(generation !== undefined && { generation }),
    ...(creationTimestamp && { creationTimestamp }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
  };
}

function managedKeys(metadata: ObjectMeta, list: string): ReadonlySet<string> {
  return new Set(metadata.annotations?.[list]?.split(','));
}

/** Keys of the member stay, unless Sluice wrote them and the template has dropped them since. */
function mergedKeys(wanted: Map | undefined, present: Map | undefined, managed: ReadonlySet<string>): Map {
  const kept: Record<string, string> = {};
  for (const key in present) if (!managed.has(key)) kept[key] = present[key] ?? '';
  return { ...kept, ...wanted };
}

import { managedAnnotationsAnnotation, managedLabel, managedLabelsAnnotation } from '../../api/index.ts';
import type { KubeObject, ObjectMeta } from '../../api/index.ts';
import { ContentHashes } from '../../base/index.ts';
import type { Interpreted, Interpreter } from '../interpret/index.ts';
import { covers } from './covers.ts';
import { sharedFields, sharedFieldsAnnotation, withOthers } from './others.ts';

/** On a member object: the hash of the manifest that was last dispatched; it shows what the template has removed since. */
export const dispatchedAnnotation = 'sluice.dev/dispatched';

type Map = Readonly<Record<string, string>>;

const hashes = new ContentHashes<KubeObject>((manifest) => manifest);

/** Tells whether this manifest was the last one that the member was sent. */
export function wasSent(present: KubeObject, manifest: KubeObject): boolean {
  return hashes.isOf(present.metadata.annotations?.[dispatchedAnnotation], manifest);
}

/**
 * True when there is nothing to send: the member was sent this manifest, and its object still matches. An object without the hash that
 * has all of the manifest with its marks was written by Karmada, which replaces whole objects: nothing that the template removed is left.
 */
export function saysAsSent(
  present: KubeObject,
  manifest: KubeObject,
  { retain }: Pick<Interpreter, 'retain'>,
): boolean {
  const isOfKarmada = present.metadata.annotations?.[dispatchedAnnotation] === undefined;
  return (isOfKarmada || wasSent(present, manifest)) && covers(present, retain(manifest, present).value);
}

/** The manifest as it is created in a member. */
export function created(manifest: KubeObject): KubeObject {
  const annotations = { ...manifest.metadata.annotations, [dispatchedAnnotation]: hashes.of(manifest) };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/**
 * The manifest merged into the member's object. What the kind's rules retain is kept. In an object that Sluice manages
 * already, so is every field that another writer has set and the template does not have and did not have before.
 */
export function merged(
  manifest: KubeObject,
  present: KubeObject,
  { retain }: Pick<Interpreter, 'retain'>,
): Interpreted<KubeObject> {
  const { metadata } = present;
  const fresh = created(manifest);
  const object = {
    ...fresh,
    metadata: {
      ...keptMetadata(metadata),
      ...fresh.metadata,
      labels: mergedKeys(fresh.metadata.labels, metadata.labels, managedKeys(metadata, managedLabelsAnnotation)),
      annotations: mergedAnnotations(fresh, present),
    },
    ...statusOf(present),
  };
  const { value, ...others } = retain(object, present);
  const isManaged = metadata.labels?.[managedLabel] === 'true';
  return { value: isManaged ? withOthers(value, present) : value, ...others };
}

function mergedAnnotations(manifest: KubeObject, present: KubeObject): Map {
  const managed = managedKeys(present.metadata, managedAnnotationsAnnotation);
  const shared = sharedFields(manifest, present);
  const kept = mergedKeys(manifest.metadata.annotations, present.metadata.annotations, managed);
  const { [sharedFieldsAnnotation]: _, ...others } = kept;
  return shared === undefined ? others : { ...others, [sharedFieldsAnnotation]: shared };
}

function statusOf(present: KubeObject): object {
  return 'status' in present ? { status: present.status } : {};
}

function keptMetadata(metadata: ObjectMeta): Partial<ObjectMeta> {
  const { uid, resourceVersion, generation, creationTimestamp, finalizers, ownerReferences, managedFields } = metadata;
  return {
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
    ...(generation !== undefined && { generation }),
    ...(creationTimestamp && { creationTimestamp }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
    ...(managedFields && { managedFields }),
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

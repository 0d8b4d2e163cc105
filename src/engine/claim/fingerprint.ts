import { isSystemKey } from '../../api/index.ts';
import type { Binding, KubeObject, ObjectMeta } from '../../api/index.ts';
import { ContentHashes, isOfNewerVersion } from '../../base/index.ts';
import { inEffectOf } from './records.ts';

const fingerprints = new ContentHashes<KubeObject>(contentOfUser);

/**
 * A fingerprint of what users wrote: everything but `status`, the server's bookkeeping in `metadata`, and labels,
 * annotations and finalizers with a system key (proposal 3, Goals). Remembered per frozen object.
 */
export function fingerprintOf(template: KubeObject): string {
  return fingerprints.of(template);
}

/**
 * Tells whether this recorded fingerprint is that of the template's present content. One that an older release recorded
 * is compared as that release computed it; one that only a newer release can compute is taken for equal, so that a
 * return to this release activates nothing.
 */
export function isFingerprintOf(recorded: string | undefined, template: KubeObject): boolean {
  return fingerprints.isOf(recorded, template) || (recorded !== undefined && isOfNewerVersion(recorded));
}

/**
 * Tells whether the binding reflects the content of the template. A binding that no policy wrote reflects whatever is
 * there.
 */
export function reflectsContent(binding: Binding, template: KubeObject): boolean {
  const inEffect = inEffectOf(binding);
  return inEffect === undefined || isFingerprintOf(inEffect.template, template);
}

function contentOfUser(template: KubeObject): object {
  const { metadata, status: _, ...content } = template as KubeObject & { readonly status?: unknown };
  return { ...content, metadata: metadataOfUser(metadata) };
}

function metadataOfUser(metadata: ObjectMeta): object {
  const finalizers = metadata.finalizers?.filter((finalizer) => !isSystemKey(finalizer));
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    labels: keysOfUser(metadata.labels),
    annotations: keysOfUser(metadata.annotations),
    finalizers: finalizers?.length ? finalizers : undefined,
  };
}

/** The labels or annotations without the system's; undefined when none is left, so that `{}` equals absent. */
function keysOfUser(map: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined {
  let own: Record<string, string> | undefined;
  for (const key in map) if (!isSystemKey(key)) (own ??= {})[key] = map[key] ?? '';
  return own;
}

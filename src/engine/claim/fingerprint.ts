import { isSystemKey } from '../../api/index.ts';
import type { KubeObject, ObjectMeta } from '../../api/index.ts';
import { digest } from '../../base/index.ts';

const known = new WeakMap<KubeObject, string>();

/**
 * A fingerprint of what users wrote: everything but `status`, the server's bookkeeping in `metadata`, and labels,
 * annotations and finalizers with a system key (proposal 3, Goals). Remembered per frozen object.
 */
export function fingerprintOf(template: KubeObject): string {
  const remembered = known.get(template);
  if (remembered !== undefined) return remembered;
  const { metadata, status: _, ...content } = template as KubeObject & { readonly status?: unknown };
  const fingerprint = digest({ ...content, metadata: metadataOfUser(metadata) });
  known.set(template, fingerprint);
  return fingerprint;
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

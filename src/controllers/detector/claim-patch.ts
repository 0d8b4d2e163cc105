import { hasReason, reconcileAnnotation, refOf, waitsAtAnnotation } from '../../api/index.ts';
import type { KubeObject, Ref } from '../../api/index.ts';
import { claimKeys, isTemplateKind } from '../../engine/index.ts';
import type { Write } from '../../engine/index.ts';
import { refresh, Stale } from '../../runtime/index.ts';
import type { WriteTarget } from '../../runtime/index.ts';

/** A claim that waits also removes a request for activation that is older than the claim. */
const patchedKeys: readonly string[] = [...claimKeys, waitsAtAnnotation, reconcileAnnotation];

/**
 * Writes a claim to a template by a patch of its labels and annotations with the resourceVersion that the decision saw.
 * Templates are users' objects: nobody's edit is overwritten, and no validation of a user's content can stop a claim.
 * Undefined for every other write.
 */
export function patchClaim(write: Write, hub: WriteTarget, signal: AbortSignal): Promise<void> | undefined {
  if (write.verb !== 'update' || write.at !== undefined || !isTemplateKind(write.object)) return undefined;
  const { labels, annotations, resourceVersion } = write.object.metadata;
  const patch = { metadata: { resourceVersion, labels: withNulls(labels), annotations: withNulls(annotations) } };
  return patched(refOf(write.object), patch, { hub, signal });
}

function withNulls(map: KubeObject['metadata']['labels']): Record<string, string | null> {
  const patch: Record<string, string | null> = {};
  for (const key of patchedKeys) patch[key] = map?.[key] ?? null;
  return patch;
}

/** Where the template was not what the decision saw, it is read again and Stale is thrown. */
async function patched(
  ref: Ref,
  patch: object,
  { hub, signal }: { readonly hub: WriteTarget; readonly signal: AbortSignal },
): Promise<void> {
  try {
    hub.cache.put(await hub.server.patch(ref, patch, { type: 'merge', signal }));
  } catch (error) {
    if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error;
    await refresh(ref, hub, signal);
    throw new Stale(ref, error);
  }
}

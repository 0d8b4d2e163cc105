import { hasReason, reconcileAnnotation, refOf, waitsAtAnnotation } from '../../api/index.ts';
import type { KubeObject, Ref } from '../../api/index.ts';
import { claimKeys, isTemplateKind } from '../../engine/index.ts';
import type { Write } from '../../engine/index.ts';
import { refresh, Stale } from '../../runtime/index.ts';
import type { WriteTarget } from '../../runtime/index.ts';

/** A claim that waits also takes a request that is older than it off the template. */
const markKeys: readonly string[] = [...claimKeys, waitsAtAnnotation, reconcileAnnotation];

/** A patch of nothing but our marks on a template. */
export interface MarksPatch {
  readonly ref: Ref;
  readonly patch: object;
}

/**
 * Templates are users' objects. What we write to them are marks in their metadata, by a patch with the resourceVersion
 * that the decision saw: nobody's edit is overwritten, and no validation of a user's content can stop a claim.
 */
export function marksOf(write: Write): MarksPatch | undefined {
  if (write.verb !== 'update' || write.at !== undefined || !isTemplateKind(write.object)) return undefined;
  const { labels, annotations, resourceVersion } = write.object.metadata;
  const patch = { metadata: { resourceVersion, labels: withNulls(labels), annotations: withNulls(annotations) } };
  return { ref: refOf(write.object), patch };
}

function withNulls(map: KubeObject['metadata']['labels']): Record<string, string | null> {
  const marks: Record<string, string | null> = {};
  for (const key of markKeys) marks[key] = map?.[key] ?? null;
  return marks;
}

/** Writes the marks; where the template was not what the decision saw, it is read again and Stale is thrown. */
export async function patchMarks(hub: WriteTarget, { ref, patch }: MarksPatch, signal: AbortSignal): Promise<void> {
  try {
    hub.cache.put(await hub.server.patch(ref, patch, { type: 'merge', signal }));
  } catch (error) {
    if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error;
    await refresh(ref, hub, signal);
    throw new Stale(ref, error);
  }
}

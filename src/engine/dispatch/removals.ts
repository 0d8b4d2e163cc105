import { keyOf, removalsRef } from '../../api/index.ts';
import type { KubeObject, View } from '../../api/index.ts';

/** The key of the ConfigMap that suspends removals. */
export const removalsKey = keyOf(removalsRef);

/** Since when nothing is deleted in members, and why. */
export interface RemovalsSuspension {
  /** RFC 3339. */
  readonly since: string;
  readonly reason: string;
}

/**
 * The suspension of all removals; undefined when they are not suspended. The ConfigMap suspends by existing, whatever
 * it says.
 */
export function removalsSuspension(view: Pick<View, 'get'>): RemovalsSuspension | undefined {
  const found: (KubeObject & { readonly data?: unknown }) | undefined = view.get(removalsKey);
  if (!found) return undefined;
  const { since = found.metadata.creationTimestamp ?? '', reason = '' } = (found.data ?? {}) as Record<string, string>;
  return { since, reason };
}

/** `removals are suspended since …: reason`. */
export function removalsWords({ since, reason }: RemovalsSuspension): string {
  return `removals are suspended${since && ` since ${since}`}${reason && `: ${reason}`}`;
}

import { resourceText } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import type { Draft, Part } from '../../kinds/index.ts';

/** The objects of a resource that are left in a namespace that is being deleted. */
export interface Remainder {
  readonly kind: KindInfo;
  readonly objects: readonly KubeObject[];
}

/** All that keeps a namespace from going. */
export interface Obstacles {
  readonly left: readonly Remainder[];
  /** Why some of it could not be deleted. */
  readonly refusals: readonly unknown[];
  readonly now: string;
}

/** Says in the status of a namespace what it still waits for, in the conditions that Kubernetes has for it. */
export function tellRemainder(draft: Draft, { left, refusals, now }: Obstacles): void {
  const conditions = [...refused(refusals), contentOf(left), ...finalizersOf(left)];
  const status = draft['status'] as Part | undefined;
  const before = (status?.['conditions'] ?? []) as readonly Part[];
  draft['status'] = {
    ...status,
    conditions: conditions.map((one) => ({ ...one, lastTransitionTime: sinceOf(before, one) ?? now })),
  };
}

function refused(refusals: readonly unknown[]): readonly Part[] {
  if (refusals.length === 0) return [];
  const words = [...new Set(refusals.map((refusal) => (refusal instanceof Error ? refusal.message : String(refusal))))];
  return [
    condition(
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${refusals.length} remaining: ${words.sort().join(', ')}`,
    ),
  ];
}

function contentOf(left: readonly Remainder[]): Part {
  const resources = left.map(({ kind, objects }) => `${resourceText(kind)} has ${objects.length} resource instances`);
  const message = `Some resources are remaining: ${resources.join(', ')}`;
  return condition('NamespaceContentRemaining', 'SomeResourcesRemain', message);
}

function finalizersOf(left: readonly Remainder[]): readonly Part[] {
  const counts = new Map<string, number>();
  for (const { objects } of left) {
    for (const one of objects.flatMap(({ metadata }) => metadata.finalizers ?? []))
      counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const finalizers = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`;
  return [condition('NamespaceFinalizersRemaining', 'SomeFinalizersRemain', message)];
}

function condition(type: string, reason: string, message: string): Part {
  return { type, status: 'True', reason, message };
}

function sinceOf(before: readonly Part[], { type }: Part): unknown {
  return before.find((one) => one['type'] === type)?.['lastTransitionTime'];
}

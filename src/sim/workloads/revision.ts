import type { KubeObject } from '../../api/index.ts';
import { safeHash } from '../../api/index.ts';
import { digest, equal } from '../../base/index.ts';
import { bornAt } from '../cluster/objects.ts';
import type { PodTemplate, ReplicaSet } from '../cluster/objects.ts';

/** The label that tells the pods of one template from those of another. */
export const hashLabel = 'pod-template-hash';
/** The annotation that counts the revisions of a Deployment. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const mostAnnotation = 'deployment.kubernetes.io/max-replicas';

/** Annotations of the Deployment alone; all others are copied to its ReplicaSets. */
const kept = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  desiredAnnotation,
  mostAnnotation,
]);

/** The name that a pod template has among the revisions of its owner. */
export function templateHash(template: PodTemplate, collisions = 0): string {
  return safeHash(digest(template) + (collisions > 0 ? String(collisions) : ''));
}

/** The revision of a ReplicaSet; 0 when it has none. */
export function revisionOf(object: KubeObject): number {
  return Number(object.metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

/** The ReplicaSet that has this template; the oldest if there are several. */
export function setOf(sets: readonly ReplicaSet[], template: PodTemplate): ReplicaSet | undefined {
  const same = sets.filter((set) => equal(withoutHash(set.spec.template), withoutHash(template)));
  return same.toSorted((a, b) => (bornAt(a) < bornAt(b) ? -1 : 1))[0];
}

function withoutHash(template: PodTemplate): PodTemplate {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  const { creationTimestamp: __, ...metadata } = (template.metadata ?? {}) as Record<string, unknown>;
  return { ...template, metadata: { ...metadata, labels } };
}

/** The annotations of a ReplicaSet of this Deployment. */
export function annotationsOf(
  deployment: KubeObject,
  numbers: { readonly revision: number; readonly desired: number; readonly most: number },
): Readonly<Record<string, string>> {
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !kept.has(name));
  return {
    ...Object.fromEntries(own),
    [desiredAnnotation]: String(numbers.desired),
    [mostAnnotation]: String(numbers.most),
    [revisionAnnotation]: String(numbers.revision),
  };
}

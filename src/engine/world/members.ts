import type { KubeObject } from '../../api/index.ts';
import { at, isObject } from '../../base/index.ts';

/** The status that a member's own controllers give an object, or undefined for kinds without status. */
export type MemberBehaviour = (object: KubeObject) => unknown;

/**
 * Members that do at once what they are told. A plan assumes this: it cannot know how long a rollout takes, only what
 * it comes to.
 */
export const promptMembers: MemberBehaviour = (object) => behaviours[`${object.apiVersion}|${object.kind}`]?.(object);

const behaviours: Readonly<Record<string, MemberBehaviour>> = {
  'apps/v1|Deployment': deploymentStatus,
  'apps/v1|StatefulSet': statefulSetStatus,
  'v1|Pod': (object) => ({ ...keptStatus(object), phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }),
  'v1|PersistentVolumeClaim': (object) => ({ ...keptStatus(object), phase: 'Bound' }),
};

function wanted(object: KubeObject): number {
  const replicas = at(object, ['spec', 'replicas']);
  return typeof replicas === 'number' ? replicas : 1;
}

function deploymentStatus(object: KubeObject): unknown {
  const replicas = wanted(object);
  const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  return { ...keptStatus(object), observedGeneration: object.metadata.generation ?? 1, ...counts };
}

function statefulSetStatus(object: KubeObject): unknown {
  return { ...(deploymentStatus(object) as object), currentReplicas: wanted(object) };
}

function keptStatus(object: KubeObject): object {
  const { status } = object as KubeObject & { readonly status?: unknown };
  return isObject(status) ? status : {};
}

import type { KubeObject } from '../../src/api/index.ts';
import { at, isObject } from '../../src/base/index.ts';
import { promptMembers } from '../../src/engine/index.ts';
import type { MemberBehaviour } from '../../src/engine/index.ts';

const outcome = ['spec', 'template', 'metadata', 'annotations', 'sim.sluice.dev/outcome'];

/** Members that do at once what they are told, and heed the annotation of simulated members for containers that fail. */
export const simulated: MemberBehaviour = (object) => {
  if (object.kind === 'ResourceQuota') return unusedQuota(object);
  if (at(object, outcome) === undefined) return promptMembers(object);
  const { generation } = object.metadata;
  const { status } = object as KubeObject & { readonly status?: unknown };
  // A status that was written for this generation stays, as that of a simulated member does.
  if (isObject(status) && status['observedGeneration'] === generation) return undefined;
  const ready = isObject(status) && typeof status['readyReplicas'] === 'number' ? status['readyReplicas'] : 0;
  const replicas = at(object, ['spec', 'replicas']);
  return statusOf(withReady(object, Math.min(ready, typeof replicas === 'number' ? replicas : 1)));
};

/** The status of a ResourceQuota of which nothing is used. */
function unusedQuota(object: KubeObject): unknown {
  const hard = at(object, ['spec', 'hard']);
  if (!isObject(hard)) return undefined;
  return { hard, used: Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0'])) };
}

function statusOf(object: KubeObject): unknown {
  return (object as KubeObject & { readonly status?: unknown }).status;
}

/** The Deployment with so many replicas ready, as its controller reports it. */
export function withReady(object: KubeObject, ready: number): KubeObject {
  const replicas = at(object, ['spec', 'replicas']) ?? 1;
  const counts = { replicas, updatedReplicas: replicas, readyReplicas: ready, availableReplicas: ready };
  return withStatus(object, counts);
}

/** The object with this status, as its controller reports it of its newest generation. */
export function withStatus(object: KubeObject, status: object): KubeObject {
  return { ...object, status: { observedGeneration: object.metadata.generation ?? 1, ...status } } as KubeObject;
}

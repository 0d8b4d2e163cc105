import { keyOf, workApi, workNameAnnotation, workNamespaceAnnotation } from '../api/index.ts';
import type { KubeObject, View, Work } from '../api/index.ts';
import { share } from '../base/index.ts';

/** An object of a member, made of what its Work says wherever it says the same: most of it, in every member. */
export function asSent(view: Pick<View, 'get'>, object: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  const name = annotations?.[workNameAnnotation];
  const namespace = annotations?.[workNamespaceAnnotation];
  if (name === undefined || namespace === undefined) return object;
  const work = view.get(keyOf({ apiVersion: workApi, kind: 'Work', namespace, name })) as Work | undefined;
  return share(object, work?.spec.workload.manifests[0]);
}

import { executionNamespace, keyOf, managedLabel, refOf, workApi } from '../../api/index.ts';
import type { KubeObject, View } from '../../api/index.ts';
import { bindingOf, workNameOf } from '../../engine/index.ts';
import { refresh } from '../../runtime/index.ts';
import type { MemberCache, WriteTarget } from '../../runtime/index.ts';

/**
 * Reads again what stands in the way of Works in a member: objects that are not ours, which we met when we wanted to
 * create our own. Only what is ours is watched, so nobody would tell when they go or are handed over.
 */
export async function reviewForeign(view: View, cache: MemberCache, target: WriteTarget): Promise<void> {
  for (const object of foreignIn(view, cache)) await refresh(refOf(object), target);
}

function foreignIn(view: View, cache: MemberCache): readonly KubeObject[] {
  const found: KubeObject[] = [];
  for (const [, object] of cache.entries()) {
    if (object.metadata.labels?.[managedLabel] !== 'true' && isWanted(view, cache.member, object)) found.push(object);
  }
  return found;
}

function isWanted(view: View, member: string, object: KubeObject): boolean {
  const template = view.get(keyOf(refOf(object)));
  const name = workNameOf(object, template && bindingOf(view, template));
  return (
    view.get(keyOf({ apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name })) !== undefined
  );
}

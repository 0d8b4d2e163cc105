import { executionNamespace, keyOf, managedLabel, refOf, workApi } from '../../api/index.ts';
import type { KubeObject, View } from '../../api/index.ts';
import { bindingOf, namedInWorkKey, workNameOf } from '../../engine/index.ts';
import { refresh } from '../../runtime/index.ts';
import type { MemberCache, WriteTarget } from '../../runtime/index.ts';

/**
 * Reads again the objects of a member that are not managed and have the name of an object that a Work wants there. Only
 * managed objects are watched, so no watch reports that such an object was deleted or may be adopted.
 */
export async function rereadForeign(view: View, cache: MemberCache, target: WriteTarget): Promise<void> {
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
  const [name, namespace] = [workNameOf(object, template && bindingOf(view, template)), executionNamespace(member)];
  const isTemplate = view.get(keyOf({ apiVersion: workApi, kind: 'Work', namespace, name })) !== undefined;
  return isTemplate || view.has(namedInWorkKey(namespace, keyOf(refOf(object))));
}

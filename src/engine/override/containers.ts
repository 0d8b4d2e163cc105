import type { CommandArgsOverrider, KubeObject } from '../../api/index.ts';
import { at, isObject, withAt } from '../../base/index.ts';
import { workloadKind } from '../interpret/index.ts';

/** A container of a pod. */
type Container = Readonly<Record<string, unknown>>;

const lists = ['initContainers', 'containers'] as const;

/** The object with its containers changed, those that run first included; the very object when its kind runs no pods. */
export function eachContainer(object: KubeObject, change: (container: Container) => Container): KubeObject {
  const kind = workloadKind(object);
  if (!kind) return object;
  let changed = object;
  for (const list of lists) {
    const path = [...kind.podSpec, list];
    const containers = at(changed, path);
    if (!Array.isArray(containers)) continue;
    const next = containers.map((one: unknown) => (isObject(one) ? change(one) : one));
    if (next.some((one, i) => one !== containers[i])) changed = withAt(changed, path, next);
  }
  return changed;
}

/**
 * The object with words added to, or removed from, the command or the arguments of one container. Without any word left the
 * field is absent: a member drops an empty list, and would look changed for ever.
 */
export function withWords(
  object: KubeObject,
  field: 'command' | 'args',
  { containerName, operator, value = [] }: CommandArgsOverrider,
): KubeObject {
  return eachContainer(object, (container) => {
    if (container['name'] !== containerName) return container;
    const present = container[field];
    const words: readonly unknown[] = Array.isArray(present) ? present : [];
    const next = operator === 'add' ? [...words, ...value] : words.filter((word) => !value.some((one) => one === word));
    if (next.length > 0)
      return next.length === words.length && operator === 'remove' ? container : { ...container, [field]: next };
    const { [field]: _, ...others } = container;
    return present === undefined ? container : others;
  });
}

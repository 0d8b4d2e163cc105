import type { Members } from '../../base/index.ts';
import { isObject } from '../../base/index.ts';
import type { Node } from './node.ts';
import { childOf, isKnown } from './prune.ts';

/**
 * The value with those fields of its older state that the schema does not name: the writer that stored them knew more
 * than we do, for example a newer release before it was rolled back. Items of a list are the same ones while there are
 * as many of them.
 */
export function preserveUnknown<T>(node: Node, value: T, old: unknown): T {
  return isKnown(node, old) ? value : (joined(node, value, old) as T);
}

function joined(node: Node, value: unknown, old: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(old)) return joinedList(node, value, old);
  return isObject(value) && isObject(old) ? joinedObject(node, value, old) : value;
}

function joinedList({ items }: Node, value: readonly unknown[], old: readonly unknown[]): readonly unknown[] {
  if (!items || value.length !== old.length) return value;
  return value.map((item, i) => joined(items, item, old[i]));
}

function joinedObject(node: Node, value: Readonly<Members>, old: Readonly<Members>): Readonly<Members> {
  const whole: Record<string, unknown> = { ...value };
  for (const key in old) {
    const known = childOf(node, key);
    if (known) {
      if (Object.hasOwn(value, key)) whole[key] = joined(known, value[key], old[key]);
    } else whole[key] ??= old[key];
  }
  return whole;
}

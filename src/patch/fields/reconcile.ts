import { isEmptySet, leaf } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';

/** Under which type a set was last found to be in order. */
const settled = new WeakMap<FieldSet, FieldType>();

/**
 * Brings a set in line with a type that may have changed since the set was written: where a map or list has become
 * one leaf, who owned something in it owns all of it. A set that is in order is returned itself.
 */
export function reconciled(set: FieldSet, type: FieldType): FieldSet {
  if (settled.get(set) === type) return set;
  const result = isEmptySet(set) ? set : below(set, type);
  settled.set(result, type);
  return result;
}

function below(node: FieldSet, type: FieldType): FieldSet {
  if (isEmptySet(node)) return node;
  if (type.map) return belowMap(node, type.map);
  return type.list ? belowList(node, type.list) : node;
}

function belowMap(node: FieldSet, type: MapType): FieldSet {
  if (type.atomic) return leaf;
  return mapped(node, (element, child) => {
    const member = element.startsWith('f:') ? (type.fieldOf(element.slice(2))?.type ?? type.element()) : undefined;
    return member ? below(child, member) : child;
  });
}

function belowList(node: FieldSet, type: ListType): FieldSet {
  if (type.relation === 'atomic') return leaf;
  return mapped(node, (element, child) => (element === '.' ? child : below(child, type.element())));
}

function mapped(node: FieldSet, change: (element: string, child: FieldSet) => FieldSet): FieldSet {
  let out: Record<string, FieldSet> | undefined;
  for (const element of Object.keys(node)) {
    const child = node[element] ?? leaf;
    const changed = change(element, child);
    if (changed === child) continue;
    out ??= { ...node };
    out[element] = changed;
  }
  return out ?? node;
}

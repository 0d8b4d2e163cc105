import { isObject, leaf } from '../../base/index.ts';
import type { Members, FieldSet } from '../../base/index.ts';
import { formOf, ignored, undeclared } from './field-type.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { fieldElement, itemElement } from './path-element.ts';

/** All that comes or goes together with a value: its leaves, and everything that they stand in. */
export function wholeOf(value: unknown, type: FieldType): FieldSet {
  const form = formOf(value, type);
  if (form === 'map' && type.map && !type.map.atomic && isObject(value)) return wholeMap(value, type.map);
  if (form === 'list' && type.list && type.list.relation !== 'atomic' && Array.isArray(value)) {
    return wholeList(value, type.list);
  }
  return leaf;
}

function wholeMap(value: Members, type: MapType): FieldSet {
  if (isBare(value)) return leaf;
  const set: Record<string, FieldSet> = { '.': leaf };
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    const field = type.fieldOf(key);
    const member = field?.type ?? undeclared(type);
    if (member !== ignored) set[field?.element ?? fieldElement(key)] = wholeOf(value[key], member);
  }
  return set;
}

function wholeList(value: readonly unknown[], type: ListType): FieldSet {
  if (value.length === 0) return leaf;
  const set: Record<string, FieldSet> = { '.': leaf };
  const element = type.element();
  for (const item of value) {
    const place = itemElement(item, type);
    if (place === undefined) continue;
    // Items that share an element are one leaf.
    set[place] = set[place] ? leaf : wholeOf(item, element);
  }
  return set;
}

/** Tells whether the map has no members. */
export function isBare(map: Members | undefined): boolean {
  for (const key in map) if (map[key] !== undefined) return false;
  return true;
}

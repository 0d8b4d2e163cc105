import { isObject, asMember, isEmptySet, leaf } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import { formOf, undeclared } from './field-type.ts';
import type { Field, FieldType, ListType, MapType } from './field-type.ts';
import { fieldElement, itemElement } from './path-element.ts';

/** Every leaf and every list item that an object mentions, as a set of fields. */
export function fieldSetOf(object: unknown, type: FieldType): FieldSet {
  return setOf(object, type) ?? leaf;
}

/** undefined: the value mentions nothing, as an empty list. */
function setOf(value: unknown, type: FieldType): FieldSet | undefined {
  const form = formOf(value, type);
  if (form === 'map' && type.map) return setOfMap(value, type.map);
  if (form === 'list' && type.list) return setOfList(value, type.list);
  return leaf;
}

function setOfMap(value: unknown, type: MapType): FieldSet | undefined {
  if (type.atomic) return leaf;
  if (!isObject(value)) return undefined;
  const set: Record<string, FieldSet> = {};
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    const field = type.fieldOf(key);
    const node = setOfMember(value[key], field, type);
    if (node) set[field?.element ?? fieldElement(key)] = node;
  }
  return isEmptySet(set) ? undefined : set;
}

/** A key of a map is a member, a field of a struct only when it is null or empty. */
function setOfMember(value: unknown, field: Field | undefined, type: MapType): FieldSet | undefined {
  const below = setOf(value, field?.type ?? undeclared(type));
  return !field || value === null || isEmptyMap(value) ? asMember(below) : below;
}

function setOfList(value: unknown, type: ListType): FieldSet | undefined {
  if (type.relation === 'atomic') return leaf;
  if (!Array.isArray(value)) return undefined;
  const set: Record<string, FieldSet> = {};
  const seen = new Set<string>();
  for (const item of value) {
    const element = itemElement(item, type);
    if (element === undefined) continue;
    // Items that share an element cannot be told apart: together they are one leaf.
    set[element] = seen.has(element) ? leaf : asMember(setOf(item, type.element()));
    seen.add(element);
  }
  return seen.size > 0 ? set : undefined;
}

function isEmptyMap(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

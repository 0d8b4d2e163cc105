import { isObject, setMember, isMember } from '../../base/index.ts';
import type { Members, FieldSet } from '../../base/index.ts';
import { formOf, typeOfMember } from './field-type.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { fieldElement, itemElement } from './path-element.ts';

/**
 * The object without the fields of a set. A map or list that loses all it has becomes null: it is empty now, but no one
 * asked for it to go. undefined when the object itself is left with nothing.
 */
export function withoutFields(object: unknown, set: FieldSet, type: FieldType): unknown {
  return remaining(object, set, type) ?? undefined;
}

function remaining(value: unknown, set: FieldSet, type: FieldType): unknown {
  const form = formOf(value, type);
  if (form === 'map' && type.map) return mapWithout(value, set, type.map);
  if (form === 'list' && type.list) return listWithout(value, set, type.list);
  return value;
}

function mapWithout(value: unknown, set: FieldSet, type: MapType): unknown {
  // An atomic map has no fields of its own to lose: it goes as a whole.
  if (!isObject(value) || type.atomic) return null;
  const kept: Members = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const node = set[fieldElement(key)];
    const rest = node ? memberWithout(value[key], node, typeOfMember(type, key)) : value[key];
    changed ||= rest !== value[key];
    if (rest !== undefined) setMember(kept, key, rest);
  }
  if (!changed) return value;
  return Object.keys(kept).length > 0 ? kept : null;
}

function listWithout(value: unknown, set: FieldSet, type: ListType): unknown {
  if (!Array.isArray(value) || type.relation === 'atomic') return null;
  const kept: unknown[] = [];
  let changed = false;
  for (const item of value as unknown[]) {
    const element = itemElement(item, type);
    const node = element === undefined ? undefined : set[element];
    const rest = node ? memberWithout(item, node, type.element()) : item;
    changed ||= rest !== item;
    if (rest !== undefined) kept.push(rest);
  }
  if (!changed) return value;
  return kept.length > 0 ? kept : null;
}

/** undefined: the member itself is in the set. */
function memberWithout(value: unknown, node: FieldSet, type: FieldType): unknown {
  return isMember(node) ? undefined : remaining(value, node, type);
}

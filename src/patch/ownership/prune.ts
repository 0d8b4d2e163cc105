import {
  asMember,
  difference,
  intersection,
  isEmptySet,
  isMember,
  isObject,
  leaf,
  setMember,
  union,
} from '../../base/index.ts';
import type { FieldSet, Members } from '../../base/index.ts';
import { fieldSetOf } from '../fields/field-set-of.ts';
import { formOf, typeOfMember } from '../fields/field-type.ts';
import type { FieldType, ListType, MapType } from '../fields/field-type.ts';
import { fieldElement, itemElement } from '../fields/path-element.ts';

/** The fields that an applier owned before, and those that all managers own now, itself included. */
interface Ownership {
  readonly last: FieldSet;
  readonly owned: FieldSet;
}

/**
 * Takes out of a merged object what its applier no longer applies: fields that it owned, that it leaves out now, and
 * that no other manager owns.
 */
export function withoutGivenUp(merged: unknown, { last, owned }: Ownership, type: FieldType): unknown {
  const named = (set: FieldSet) => withNamedFields(set, type);
  const mentioned = (object: unknown) => named(fieldSetOf(object, type));
  const all = mentioned(merged);
  const stripped = withoutFields(merged, named(last), type);
  // An owned field comes back, together with its parents.
  const owners = withoutFields(merged, difference(all, union(mentioned(stripped), named(owned))), type);
  // A field that went along without ever having been the applier's comes back too.
  const doomed = intersection(difference(all, mentioned(owners)), named(last));
  return withoutFields(merged, doomed, type);
}

const nothing: FieldType = { scalar: undefined, list: undefined, map: undefined };

/** The set, with every declared field on the way to its members made a member too. */
function withNamedFields(set: FieldSet, type: FieldType): FieldSet {
  const out: Record<string, FieldSet> = {};
  for (const element of Object.keys(set)) {
    const node = set[element] ?? leaf;
    if (element === '.' || isEmptySet(node)) {
      out[element] = node;
      continue;
    }
    const below = withNamedFields(node, typeBelow(element, type));
    const declared = element.startsWith('f:') && type.map?.fieldOf(element.slice(2)) !== undefined;
    out[element] = declared ? asMember(below) : below;
  }
  return out;
}

function typeBelow(element: string, { map, list }: FieldType): FieldType {
  if (element.startsWith('f:') && map) {
    return map.fieldOf(element.slice(2))?.type ?? map.element() ?? nothing;
  }
  return element.startsWith('k:') && list ? list.element() : nothing;
}

/**
 * The object without the fields of a set. A map or list that loses all it has becomes null: it is empty now, but no one
 * asked for it to go. undefined when the object itself is left with nothing.
 */
function withoutFields(object: unknown, set: FieldSet, type: FieldType): unknown {
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

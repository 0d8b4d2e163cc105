import type { KubeObject } from '../../api/index.ts';
import {
  difference,
  elementsOf,
  intersection,
  isEmptySet,
  isFieldSet,
  isMember,
  isObject,
  leaf,
  memberOf,
} from '../../base/index.ts';
import type { FieldSet, Members } from '../../base/index.ts';

/**
 * On a member object: the fields of the last manifest that another writer had set already. The member's API server does
 * not count them as ours, so this record shows when the template has dropped them.
 */
export const sharedFieldsAnnotation = 'sluice.dev/shared-fields';

/** The fields of the member's object that other writers have set and Sluice has not. */
function othersFields(present: KubeObject): FieldSet {
  const [entry] = (present.metadata.managedFields ?? []) as readonly { readonly fieldsV1?: FieldSet }[];
  return entry?.fieldsV1 ?? leaf;
}

/** The text of the record for the next merge; undefined when no field of the manifest belongs to another writer too. */
export function sharedFields(manifest: KubeObject, present: KubeObject): string | undefined {
  const others = othersFields(present);
  if (isEmptySet(others)) return undefined;
  const shared = fieldsIn(manifest, others);
  return shared && JSON.stringify(shared);
}

/** The wanted object with the fields that other writers have set in the member and the template does not name. */
export function withOthers<T extends KubeObject>(wanted: T, present: KubeObject): T {
  const others = othersFields(present);
  if (isEmptySet(others)) return wanted;
  const dropped = difference(others, recorded(present, others));
  return kept(wanted, present, dropped) as T;
}

/** The record of the last merge, as far as it is one: anybody may write annotations. */
function recorded({ metadata }: KubeObject, others: FieldSet): FieldSet {
  const text = metadata.annotations?.[sharedFieldsAnnotation];
  if (text === undefined) return leaf;
  try {
    const record: unknown = JSON.parse(text);
    return isFieldSet(record) ? intersection(others, record) : leaf;
  } catch {
    return leaf;
  }
}

/** The part of a set of fields that a value has. */
function fieldsIn(value: unknown, fields: FieldSet): FieldSet | undefined {
  if (isEmptySet(fields)) return leaf;
  const found: Record<string, FieldSet> = {};
  for (const element of elementsOf(fields)) {
    const child = childOf(value, element);
    const below = child === undefined ? undefined : fieldsIn(child, fields[element] ?? leaf);
    if (below) found[element] = below;
  }
  return isEmptySet(found) ? undefined : found;
}

function kept(wanted: unknown, present: unknown, fields: FieldSet): unknown {
  if (Array.isArray(present)) return keptInList(wanted, present, fields);
  if (isObject(present) && (wanted === undefined || isObject(wanted))) return keptInMap(wanted, present, fields);
  return wanted;
}

function keptInMap(wanted: Members | undefined, present: Members, fields: FieldSet): unknown {
  if (wanted && differInType(wanted, present)) return wanted;
  let out: Members | undefined;
  for (const element of elementsOf(fields)) {
    const there = childOf(present, element);
    const name = element.slice(2);
    const here = memberOf(wanted, name);
    const value = there === undefined ? here : keptValue(here, there, fields[element] ?? leaf);
    if (value === here) continue;
    out ??= { ...wanted };
    out[name] = value;
  }
  return out ?? wanted;
}

function keptValue(wanted: unknown, present: unknown, fields: FieldSet): unknown {
  if (!isEmptySet(fields)) return kept(wanted, present, fields);
  return wanted === undefined ? present : wanted;
}

/** Values of one type mean nothing for another: the parameters of a rolling update do not go with Recreate. */
function differInType(wanted: Members, present: Members): boolean {
  const [a, b] = [memberOf(wanted, 'type'), memberOf(present, 'type')];
  return typeof a === 'string' && typeof b === 'string' && a !== b;
}

/** The template says which items a list has; a list that it does not have keeps the items of others. */
function keptInList(wanted: unknown, present: readonly unknown[], fields: FieldSet): unknown {
  if (wanted === undefined) return itemsOfOthers(present, fields);
  if (!Array.isArray(wanted)) return wanted;
  return elementsOf(fields).reduce<readonly unknown[]>((list, element) => {
    const index = indexOf(list, element);
    const there = childOf(present, element);
    if (index === undefined || there === undefined) return list;
    const item = kept(list[index], there, fields[element] ?? leaf);
    return item === list[index] ? list : list.with(index, item);
  }, wanted);
}

function itemsOfOthers(present: readonly unknown[], fields: FieldSet): readonly unknown[] | undefined {
  const own = elementsOf(fields)
    .filter((element) => isMember(fields[element] ?? leaf))
    .map((element) => childOf(present, element))
    .filter((item) => item !== undefined);
  return own.length > 0 ? own : undefined;
}

/** The value at one step of a path: a member of a map, or the item of a list with this key or value. */
function childOf(value: unknown, element: string): unknown {
  if (isObject(value)) return element.startsWith('f:') ? memberOf(value, element.slice(2)) : undefined;
  if (!Array.isArray(value)) return undefined;
  const index = indexOf(value, element);
  return index === undefined ? undefined : value[index];
}

function indexOf(list: readonly unknown[], element: string): number | undefined {
  const key = parsed(element.slice(2));
  const isIt = element.startsWith('k:') && isObject(key) ? hasKey(key) : (item: unknown) => item === key;
  const index = element.startsWith('f:') || key === undefined ? -1 : list.findIndex(isIt);
  return index < 0 ? undefined : index;
}

function hasKey(key: Members): (item: unknown) => boolean {
  const names = Object.keys(key);
  return (item) => isObject(item) && names.every((name) => memberOf(item, name) === key[name]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

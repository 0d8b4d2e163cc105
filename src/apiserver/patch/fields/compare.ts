import { equal, isObject } from '../../../base/index.ts';
import { memberOf } from '../members.ts';
import type { Members } from '../members.ts';
import { leaf, unionNodes } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { formOf, ignored, undeclared } from './field-type.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { fieldElement, itemElement } from './path-element.ts';

/** What differs between two objects, as sets of fields. */
export interface Difference {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** What differs at and below a node; a set without fields is absent. */
interface Delta {
  removed: FieldSet | undefined;
  modified: FieldSet | undefined;
  added: FieldSet | undefined;
}

/** Two values; undefined stands for one that is not there. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares two objects of a type; an object that is not there counts as an empty one. */
export function compareObjects(pair: Pair, { map }: FieldType): Difference {
  const delta: Delta = { removed: undefined, modified: undefined, added: undefined };
  if (map) compareMembers(delta, { before: pair.before ?? {}, after: pair.after ?? {} }, map);
  return { removed: delta.removed ?? leaf, modified: delta.modified ?? leaf, added: delta.added ?? leaf };
}

function compareValues(pair: Pair, type: FieldType): Delta | undefined {
  const { before, after } = pair;
  if (before === after || type === ignored) return undefined;
  if (before === undefined) return compareAs(formOf(after, type), pair, type);
  const form = formOf(before, type);
  const delta = compareAs(form, pair, type);
  if (after === undefined) return delta;
  const other = formOf(after, type);
  return other === form ? delta : both(delta, compareAs(other, pair, type));
}

function compareAs(form: 'scalar' | 'list' | 'map', pair: Pair, type: FieldType): Delta | undefined {
  if (form === 'map' && type.map) return compareMaps(pair, type.map);
  if (form === 'list' && type.list) return compareLists(pair, type.list);
  return compareLeaves(pair);
}

function compareLeaves({ before, after }: Pair): Delta | undefined {
  if (before === undefined) return { removed: undefined, modified: undefined, added: leaf };
  if (after === undefined) return { removed: leaf, modified: undefined, added: undefined };
  return equal(before, after) ? undefined : { removed: undefined, modified: leaf, added: undefined };
}

function compareMaps(pair: Pair, type: MapType): Delta | undefined {
  // Empty on both sides: the difference between null and empty must not be lost.
  if (type.atomic || (isBare(mapOf(pair.before)) && isBare(mapOf(pair.after)))) return compareLeaves(pair);
  const delta = containerDelta(pair);
  compareMembers(delta, pair, type);
  return delta;
}

function compareMembers(delta: Delta, pair: Pair, type: MapType): void {
  const before = mapOf(pair.before);
  const after = mapOf(pair.after);
  const typed = before !== undefined && after !== undefined;
  for (const key of keysOf(before, after)) {
    const values = { before: memberOf(before, key), after: memberOf(after, key) };
    if (values.before === values.after) continue;
    const field = type.fieldOf(key);
    const present = typed && field ? withAbsent(values, field.absent) : values;
    attach(delta, fieldElement(key), compareValues(present, field?.type ?? undeclared(type)));
  }
}

/** A typed object cannot leave some fields out: what is missing there is empty or null. */
function withAbsent({ before, after }: Pair, absent: unknown): Pair {
  return absent === undefined ? { before, after } : { before: before ?? absent, after: after ?? absent };
}

function compareLists(pair: Pair, type: ListType): Delta | undefined {
  const before = listOf(pair.before);
  const after = listOf(pair.after);
  if (type.relation === 'atomic' || before.length + after.length === 0) return compareLeaves(pair);
  if (pair.before !== undefined && equal(before, after)) return undefined;
  const delta = containerDelta(pair);
  const left = itemsByElement(before, type);
  const right = itemsByElement(after, type);
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    compareItems(delta, { element, items: left.get(element) ?? [], others: right.get(element) ?? [] }, type);
  }
  return delta;
}

interface Items {
  readonly element: string;
  readonly items: readonly unknown[];
  readonly others: readonly unknown[];
}

/** Items that share an element are one leaf: no one of them can be told from the others. */
function compareItems(delta: Delta, { element, items, others }: Items, type: ListType): void {
  const single = { before: undefined, after: undefined };
  if (items.length < 2 && others.length < 2) {
    attach(delta, element, compareValues({ before: items[0], after: others[0] }, type.element()));
  } else if (items.length >= 2 && others.length >= 2) {
    if (!equal(items, others)) delta.modified = attached(delta.modified, element, leaf);
  } else if (items.length >= 2) {
    if (others.length > 0) attach(delta, element, compareValues({ ...single, after: others[0] }, type.element()));
    delta.removed = attached(delta.removed, element, leaf);
  } else {
    if (items.length > 0) attach(delta, element, compareValues({ ...single, before: items[0] }, type.element()));
    delta.added = attached(delta.added, element, leaf);
  }
}

function itemsByElement(list: readonly unknown[], type: ListType): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const item of list) {
    const element = itemElement(item, type);
    if (element === undefined) continue;
    const same = found.get(element);
    if (same) same.push(item);
    else found.set(element, [item]);
  }
  return found;
}

/** A container that comes or goes is itself a field that is added or removed. */
function containerDelta({ before, after }: Pair): Delta {
  return {
    removed: after === undefined ? leaf : undefined,
    modified: undefined,
    added: before === undefined ? leaf : undefined,
  };
}

function attach(delta: Delta, element: string, child: Delta | undefined): void {
  if (!child) return;
  if (child.removed) delta.removed = attached(delta.removed, element, child.removed);
  if (child.modified) delta.modified = attached(delta.modified, element, child.modified);
  if (child.added) delta.added = attached(delta.added, element, child.added);
}

/** Writes in place: nodes of a delta belong to this comparison, but for the shared leaf. */
function attached(set: FieldSet | undefined, element: string, child: FieldSet): FieldSet {
  if (set === undefined) return { [element]: child };
  if (set === leaf) return { '.': leaf, [element]: child };
  const own = set as Record<string, FieldSet>;
  const known = own[element];
  own[element] = known ? unionNodes(known, child) : child;
  return own;
}

function both(a: Delta | undefined, b: Delta | undefined): Delta | undefined {
  if (!a || !b) return a ?? b;
  return {
    removed: joined(a.removed, b.removed),
    modified: joined(a.modified, b.modified),
    added: joined(a.added, b.added),
  };
}

function joined(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  return a && b ? unionNodes(a, b) : (a ?? b);
}

function mapOf(value: unknown): Members | undefined {
  return isObject(value) ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isBare(map: Members | undefined): boolean {
  for (const key in map) if (map[key] !== undefined) return false;
  return true;
}

function keysOf(before: Members | undefined, after: Members | undefined): readonly string[] {
  const keys = after ? Object.keys(after) : [];
  if (!before) return keys;
  for (const key of Object.keys(before)) if (!after || !Object.hasOwn(after, key)) keys.push(key);
  return keys;
}

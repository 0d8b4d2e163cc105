import { equal, isObject, leaf, memberOf, unionNodes } from '../../base/index.ts';
import type { FieldSet, Members } from '../../base/index.ts';
import { formOf, ignored, undeclared } from './field-type.ts';
import type { Field, FieldType, ListType, MapType } from './field-type.ts';
import { fieldElement, itemElement } from './path-element.ts';

/** The fields that differ between two objects, as sets. */
export interface Difference {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** The differences at and below a node; a set without fields is absent. */
interface Delta {
  removed: FieldSet | undefined;
  modified: FieldSet | undefined;
  added: FieldSet | undefined;
}

/** Two values; undefined stands for one that is not there. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  /** The second is not a typed object yet: a field that it leaves out is absent, and null is a value. */
  readonly untyped?: boolean;
}

/** Compares two objects of a type; an object that is not there counts as an empty one. */
export function compareObjects(pair: Pair, { map }: FieldType): Difference {
  const delta: Delta = { removed: undefined, modified: undefined, added: undefined };
  const before = pair.before ?? {};
  if (map) compareMembers(delta, { ...pair, before, after: sharing(before, pair.after ?? {}) }, map);
  return { removed: delta.removed ?? leaf, modified: delta.modified ?? leaf, added: delta.added ?? leaf };
}

/** The second object with the very parts of the first where they are equal: most changes concern one part. */
function sharing(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const shared = { ...after };
  for (const part in shared) if (equal(shared[part], before[part])) shared[part] = before[part];
  return shared;
}

function compareValues(pair: Pair, type: FieldType): Delta | undefined {
  const { before, after } = pair;
  if (before === after || type === ignored) return undefined;
  if (before === undefined) return { removed: undefined, modified: undefined, added: wholeOf(after, type) };
  if (after === undefined) return { removed: wholeOf(before, type), modified: undefined, added: undefined };
  const form = formOf(before, type);
  const other = formOf(after, type);
  const delta = compareAs(form, pair, type);
  return other === form ? delta : both(delta, compareAs(other, pair, type));
}

function compareAs(form: 'scalar' | 'list' | 'map', pair: Pair, type: FieldType): Delta | undefined {
  if (form === 'map' && type.map) return compareMaps(pair, type.map);
  if (form === 'list' && type.list) return compareLists(pair, type.list);
  return compareLeaves(pair);
}

function compareLeaves({ before, after }: Pair): Delta | undefined {
  return equal(before, after) ? undefined : { removed: undefined, modified: leaf, added: undefined };
}

function compareMaps(pair: Pair, type: MapType): Delta | undefined {
  // Empty on both sides: the difference between null and empty must not be lost.
  if (type.atomic || (isBare(mapOf(pair.before)) && isBare(mapOf(pair.after)))) return compareLeaves(pair);
  const delta: Delta = { removed: undefined, modified: undefined, added: undefined };
  compareMembers(delta, pair, type);
  return delta;
}

function compareMembers(delta: Delta, pair: Pair, type: MapType): void {
  const before = mapOf(pair.before);
  const after = mapOf(pair.after);
  for (const key of keysOf(before, after)) {
    const left = memberOf(before, key);
    const right = memberOf(after, key);
    if (left === right) continue;
    const field = type.fieldOf(key);
    const values = { before: left, after: right, untyped: pair.untyped === true };
    // Where the object itself is missing on one side, so are all its fields.
    const present = before && after && field ? withAbsent(values, field) : values;
    attach(delta, field?.element ?? fieldElement(key), compareValues(present, field?.type ?? undeclared(type)));
  }
}

function withAbsent({ before, after, untyped }: Required<Pair>, field: Field): Required<Pair> {
  return { before: orAbsent(before, field), after: untyped ? after : orAbsent(after, field), untyped };
}

function orAbsent(value: unknown, { typed, absent }: Field): unknown {
  return value === undefined || (typed && value === null) ? absent : value;
}

function compareLists(pair: Pair, type: ListType): Delta | undefined {
  const before = listOf(pair.before);
  const after = listOf(pair.after);
  if (type.relation === 'atomic' || before.length + after.length === 0) return compareLeaves(pair);
  if (equal(before, after)) return undefined;
  const delta: Delta = { removed: undefined, modified: undefined, added: undefined };
  const left = itemsByElement(before, type);
  const right = itemsByElement(after, type);
  const untyped = pair.untyped === true;
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const items = { element, before: left.get(element) ?? [], after: right.get(element) ?? [], untyped };
    compareItems(delta, items, type);
  }
  return delta;
}

interface Items {
  readonly element: string;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly untyped: boolean;
}

/** Items that share an element are one leaf: no one of them can be told from the others. */
function compareItems(delta: Delta, { element, before, after, untyped }: Items, type: ListType): void {
  const many = { before: before.length > 1, after: after.length > 1 };
  if (many.before && many.after) {
    if (!equal(before, after)) delta.modified = attached(delta.modified, element, leaf);
    return;
  }
  const single = { before: many.before ? undefined : before[0], after: many.after ? undefined : after[0], untyped };
  if (single.before !== undefined || single.after !== undefined) {
    attach(delta, element, compareValues(single, type.element()));
  }
  if (many.before) delta.removed = attached(delta.removed, element, leaf);
  if (many.after) delta.added = attached(delta.added, element, leaf);
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

function attach(delta: Delta, element: string, child: Delta | undefined): void {
  if (!child) return;
  if (child.removed) delta.removed = attached(delta.removed, element, child.removed);
  if (child.modified) delta.modified = attached(delta.modified, element, child.modified);
  if (child.added) delta.added = attached(delta.added, element, child.added);
}

/** Writes in place: the nodes on the way to a difference belong to this comparison. */
function attached(set: FieldSet | undefined, element: string, child: FieldSet): FieldSet {
  if (set === undefined) return { [element]: child };
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

function keysOf(before: Members | undefined, after: Members | undefined): readonly string[] {
  const keys = after ? Object.keys(after) : [];
  if (!before) return keys;
  for (const key of Object.keys(before)) if (!after || !Object.hasOwn(after, key)) keys.push(key);
  return keys;
}

/** All that comes or goes together with a value: its leaves, and everything that they stand in. */
function wholeOf(value: unknown, type: FieldType): FieldSet {
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
function isBare(map: Members | undefined): boolean {
  for (const key in map) if (map[key] !== undefined) return false;
  return true;
}

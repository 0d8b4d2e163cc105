import { isObject } from './json.ts';

/**
 * A set of fields in the very form of FieldsV1: a trie whose keys are path elements (`f:spec`, `k:{"name":"a"}`,
 * `v:"x"`). A node that is empty, or that has the key `.`, is a member of the set; a node without `.` that has keys is
 * only on the way to members. Sets are immutable and share their unchanged parts, so a manager's set in an object's
 * managedFields is used as it stands, without decoding.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** Tells whether a value, which may come from anywhere, is a set of fields. */
export function isFieldSet(value: unknown): value is FieldSet {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([element, node]) => elementForm.test(element) && isFieldSet(node));
}

const elementForm = /^(\.$|[fkvi]:)/;

type SetDraft = Record<string, FieldSet>;

/** A member without members below. Also the set without fields, where a whole set is meant. */
export const leaf: FieldSet = Object.freeze({});
const self = '.';

/** Tells whether the set has no fields. For a node inside a set: is it a member without members below? */
export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Tells whether this node, inside a set, is itself a member. */
export function isMember(node: FieldSet): boolean {
  return node[self] !== undefined || isEmptySet(node);
}

/** The node, made a member. */
export function asMember(node: FieldSet | undefined): FieldSet {
  if (node === undefined) return leaf;
  return isMember(node) ? node : { [self]: leaf, ...node };
}

/** The path elements below a node. */
export function elementsOf(node: FieldSet): readonly string[] {
  return Object.keys(node).filter((element) => element !== self);
}

/** All fields of both sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return isEmptySet(a) ? b : unionNodes(a, b);
}

/** The union of two nodes inside sets; the first itself when the second adds nothing. */
export function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return asMember(b);
  if (isEmptySet(b)) return asMember(a);
  let out: SetDraft | undefined;
  for (const element in b) {
    const left = a[element];
    const merged = unionAt(element, left, b[element]);
    if (merged === left) continue;
    out ??= { ...a };
    out[element] = merged;
  }
  return out ?? a;
}

function unionAt(element: string, a: FieldSet | undefined, b: FieldSet = leaf): FieldSet {
  if (a === undefined) return b;
  return element === self ? a : unionNodes(a, b);
}

/** The fields of the first set that are not in the second; the first itself when they have nothing in common. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(a) || isEmptySet(b) ? a : (subtract(a, b, false) ?? leaf);
}

/** As difference, but a member of the second set takes everything below it with it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(a) || isEmptySet(b) ? a : (subtract(a, b, true) ?? leaf);
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet | undefined {
  const taken = isMember(b);
  if (taken && recursive) return undefined;
  if (isEmptySet(a)) return taken ? undefined : a;
  return subtractBelow(a, b, { taken, recursive });
}

function subtractBelow(a: FieldSet, b: FieldSet, how: { taken: boolean; recursive: boolean }): FieldSet | undefined {
  let out: SetDraft | undefined;
  for (const element in a) {
    const left = a[element] ?? leaf;
    const rest = subtractAt(left, element === self ? how.taken : b[element], how.recursive);
    if (rest !== left) out = replaced(out ?? { ...a }, element, rest);
  }
  return out ? normalized(out, isMember(a) && !how.taken) : a;
}

function replaced(node: SetDraft, element: string, rest: FieldSet | undefined): SetDraft {
  if (rest === undefined) delete node[element];
  else node[element] = rest;
  return node;
}

/** `b` is what is taken from an element: a set, the element itself or nothing. */
function subtractAt(a: FieldSet, b: FieldSet | boolean | undefined, recursive: boolean): FieldSet | undefined {
  if (typeof b === 'object') return subtract(a, b, recursive);
  return b ? undefined : a;
}

/** A node that lost elements: without any left it is a leaf or nothing. */
function normalized(node: SetDraft, member: boolean): FieldSet | undefined {
  for (const element in node) if (element !== self) return node;
  return member ? leaf : undefined;
}

/** Tells whether the second set has all fields of the first. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (isEmptySet(a)) return true;
  return !isEmptySet(b) && hasAllBelow(a, b);
}

function hasAllBelow(a: FieldSet, b: FieldSet): boolean {
  for (const element in a) {
    if (element === self) continue;
    const left = a[element] ?? leaf;
    const right = b[element];
    if (left === right) continue;
    if (right === undefined || (isMember(left) && !isMember(right)) || !hasAllBelow(left, right)) return false;
  }
  return true;
}

/** The fields that both sets have. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(a) || isEmptySet(b) ? leaf : (intersect(a, b) ?? leaf);
}

function intersect(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const member = isMember(a) && isMember(b);
  const out: SetDraft = {};
  let found = false;
  for (const element in a) {
    const right = b[element];
    if (right === undefined || element === self) continue;
    const common = intersect(a[element] ?? leaf, right);
    if (!common) continue;
    out[element] = common;
    found = true;
  }
  if (!found) return member ? leaf : undefined;
  if (member) out[self] = leaf;
  return out;
}

/** Tells whether the field at this path is a member of the set. */
export function hasField(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return node !== undefined && path.length > 0 && isMember(node);
}

/** The paths of all members: those of a level in order first, then those below. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): readonly (readonly string[])[] {
  const nodes = elementsOf(set)
    .toSorted()
    .map((element) => ({ path: [...prefix, element], node: set[element] ?? leaf }));
  return [
    ...nodes.filter(({ node }) => isMember(node)).map(({ path }) => path),
    ...nodes.flatMap(({ path, node }) => pathsOf(node, path)),
  ];
}

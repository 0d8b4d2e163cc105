import type { Members } from '../../base/index.ts';
import { isObject } from '../../base/index.ts';
import { compile } from './node.ts';
import type { Node } from './node.ts';

/**
 * The value without the fields that its schema does not name, and without nulls that stand for nothing.
 * Copies only what changes: a value that needs no pruning is returned as it is.
 */
export function prune<T>(node: Node, value: T): T {
  return pruned(node, value) as T;
}

function pruned(node: Node, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? prunedList(node, value) : prunedObject(node, value as Members);
}

function prunedList(node: Node, items: readonly unknown[]): readonly unknown[] {
  const { items: item } = node;
  if (!item) return node.preserve ? items : emptied(items);
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const kept = items[i] === null && !item.custom ? zeroOf(item) : pruned(item, items[i]);
    if (kept !== items[i]) (copy ??= [...items])[i] = kept;
  }
  return copy ?? items;
}

/** A list whose items nobody describes keeps its scalars; its objects lose all their fields. */
function emptied(items: readonly unknown[]): readonly unknown[] {
  if (!items.some((item) => isObject(item) && Object.keys(item).length > 0)) return items;
  return items.map((item) => (isObject(item) ? {} : item));
}

function prunedObject(node: Node, value: Members): Members {
  let copy: Members | undefined;
  for (const key in value) {
    const member = value[key];
    const kept = keptMember(node, key, member);
    if (kept === member) continue;
    copy ??= { ...value };
    if (kept === undefined) delete copy[key];
    else copy[key] = kept;
  }
  return copy ?? value;
}

/** The remaining part of one member; undefined: nothing. */
function keptMember(node: Node, key: string, member: unknown): unknown {
  const known = childOf(node, key);
  if (!known) return node.preserve ? member : undefined;
  if (member === null) return keptNull(node, key, known);
  const kept = pruned(known, member);
  return isLeftOut(node, key, kept) ? undefined : kept;
}

/**
 * A built-in kind has no empty lists and maps but in required fields: Go leaves them out when it writes. An empty struct
 * stays, and so do empty managedFields, by which a client asks to forget all managers.
 */
export function isLeftOut(node: Node, key: string, value: unknown): boolean {
  if (node.custom || !isEmpty(value) || key === 'managedFields' || node.schema.required?.includes(key)) return false;
  const known = node.properties.get(key);
  return known !== undefined && (Array.isArray(value) || known.additional !== undefined);
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  for (const _ in value) return false;
  return value !== null;
}

/**
 * Null stands for "not given" unless the schema says nullable; where there is a default, defaulting replaces it.
 * In a map of strings of a built-in kind Go reads it as the empty string.
 */
function keptNull(node: Node, key: string, known: Node): unknown {
  if (known.preserve || known.schema.nullable) return null;
  if (node.custom) return known.schema.default === undefined ? undefined : null;
  return node.properties.has(key) || known.typeText === 'array' ? undefined : (zeroOf(known) ?? undefined);
}

/** The value that Go reads from a null in a list, or in a map, of a built-in kind: the zero of its type. */
function zeroOf({ typeText, preserve }: Node): unknown {
  if (preserve) return null;
  switch (typeText) {
    case 'string':
      return '';
    case 'object':
      return {};
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

/** The node that describes a member; metadata, apiVersion and kind of a whole object are always known. */
export function childOf(node: Node, key: string): Node | undefined {
  if (node.embedded) {
    if (key === 'metadata') return node.objectMeta ?? anything;
    if (key === 'apiVersion' || key === 'kind') return anything;
  }
  return node.properties.get(key) ?? node.additional;
}

/** Keeps all that is below. */
const anything = compile({ 'x-kubernetes-preserve-unknown-fields': true }, { definitions: {}, custom: true });

/** The paths of the first hundreds of fields that `prune` would drop because the schema does not name them, sorted. */
export function unknownFields(node: Node, value: unknown): readonly string[] {
  if (isKnown(node, value)) return [];
  const found: string[] = [];
  collect(node, value, { at: '', found });
  return found.sort();
}

/** Tells whether the schema names all fields. The usual answer is yes, and finding it needs no paths. */
export function isKnown(node: Node | undefined, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!Array.isArray(value)) return isKnownObject(node, value as Members);
  if (node?.preserve && !node.items) return true;
  for (let i = 0; i < value.length; i++) if (!isKnown(node?.items, value[i])) return false;
  return true;
}

function isKnownObject(node: Node | undefined, value: Members): boolean {
  for (const key in value) {
    const child = node && childOf(node, key);
    const fine = child ? isKnown(child, value[key]) : node?.preserve || value[key] === undefined;
    if (!fine) return false;
  }
  return true;
}

/** More paths than anybody is shown. */
const mostUnknown = 500;

interface Search {
  readonly at: string;
  readonly found: string[];
}

function collect(node: Node | undefined, value: unknown, search: Search): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) collectFromList(node, value, search);
  else collectFromObject(node, value as Members, search);
}

function collectFromList(node: Node | undefined, items: readonly unknown[], { at, found }: Search): void {
  if (node?.preserve && !node.items) return;
  items.forEach((item, i) => collect(node?.items, item, { at: `${at}[${i}]`, found }));
}

function collectFromObject(node: Node | undefined, value: Members, { at, found }: Search): void {
  for (const key in value) {
    if (found.length >= mostUnknown) return;
    const child = node && childOf(node, key);
    const below = at ? `${at}.${key}` : key;
    if (child) collect(child, value[key], { at: below, found });
    else if (!node?.preserve && value[key] !== undefined) found.push(below);
  }
}

/** `unknown field "spec.replicaz"`, one a field: the words of warnings and of strict decoding errors. */
export function unknownFieldWords(fields: readonly string[]): readonly string[] {
  return fields.map((field) => `unknown field ${JSON.stringify(field)}`);
}

import { clone, equal, isDeeper } from './json.ts';
import { hasMember, memberOf, setMember } from './members.ts';
import type { Members } from './members.ts';

const kinds = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

/** One step of a JSON patch; `path` and `from` are absent when its author left them out. */
export interface PatchOperation {
  readonly op: (typeof kinds)[number] | { readonly unknown: string };
  readonly path?: string;
  readonly from?: string;
  /** null when its author left it out. */
  readonly value: unknown;
  readonly hasValue: boolean;
}

/** The kind of operation that a word names. */
export function operationKind(op: string): PatchOperation['op'] {
  return kinds.find((kind) => kind === op) ?? { unknown: op };
}

/** A patch that does not fit the object; the message says which operation, and why. */
export class PatchFailure extends Error {}

/** Characters that all copies of one patch may add: a chain of copies doubles an object at every step. */
const maxCopiedCharacters = 3 * 1024 * 1024;

/** Levels of a part that is copied. */
const mostCopiedLevels = 600;

/** The object while it is being patched: `fresh` holds the parts that were made here and may be written to. */
interface PatchedObject {
  root: object;
  readonly fresh: Set<object>;
  readonly isStrict: boolean;
  copied: number;
}

/** The place that a pointer names: an array or object, and the key in it. */
interface Location {
  readonly parent: unknown[] | Members;
  readonly key: string;
}

/** How a patch is read. */
interface PatchWords {
  /** `replace` of a missing member fails, as RFC 6902 says; otherwise it adds the member, as Kubernetes does. */
  readonly isStrict?: boolean;
}

/**
 * A JSON patch (RFC 6902) in which negative indices count from the end. The object is not written to; what the patch
 * does not reach is shared with the result. Throws a PatchFailure.
 */
export function withOperations<T extends object>(
  object: T,
  operations: readonly PatchOperation[],
  { isStrict = false }: PatchWords = {},
): T {
  const draft: PatchedObject = { root: object, fresh: new Set(), isStrict, copied: 0 };
  for (const operation of operations) perform(draft, operation);
  return draft.root as T;
}

function perform(draft: PatchedObject, operation: PatchOperation): void {
  const { op } = operation;
  switch (op) {
    case 'add':
      return add(draft, operation);
    case 'remove':
      return remove(draft, operation);
    case 'replace':
      return replace(draft, operation);
    case 'move':
      return move(draft, operation);
    case 'copy':
      return copy(draft, operation);
    case 'test':
      return test(draft, operation);
    default:
      throw new PatchFailure(`Unexpected kind: ${op.unknown}`);
  }
}

function add(draft: PatchedObject, { path, value }: PatchOperation): void {
  if (path === undefined) throw new PatchFailure('add operation failed to decode path: missing value');
  const place = placeOf(draft, path);
  if (!place) throw missing(`add operation does not apply: doc is missing path: "${path}"`);
  insert(place, value, `error in add for path: '${path}'`);
}

function remove(draft: PatchedObject, { path }: PatchOperation): void {
  if (path === undefined) throw missing('remove operation failed to decode path');
  const place = placeOf(draft, path);
  if (!place) throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
  take(place, `error in remove for path: '${path}'`);
}

function replace(draft: PatchedObject, { path, value }: PatchOperation): void {
  if (path === undefined) throw missing('replace operation failed to decode path: operation missing path field');
  if (path === '') return replaceRoot(draft, value);
  const place = placeOf(draft, path);
  if (!place) throw missing(`replace operation does not apply: doc is missing path: ${path}`);
  if (!Array.isArray(place.parent)) {
    if (draft.isStrict && !hasMember(place.parent, place.key)) {
      throw missing(`replace operation does not apply: doc is missing key: ${path}`);
    }
    return setMember(place.parent, place.key, value);
  }
  const index = indexIn(place.parent, place.key);
  if (typeof index === 'string') throw missing(`replace operation does not apply: doc is missing key: ${path}`);
  place.parent[index] = value;
}

function replaceRoot(draft: PatchedObject, value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    throw new PatchFailure('replace operation value must be object or array');
  }
  draft.root = value;
}

function move(draft: PatchedObject, { path, from }: PatchOperation): void {
  if (from === undefined) throw missing('move operation failed to decode from: operation, missing from field');
  const source = placeOf(draft, from);
  if (!source) throw missing(`move operation does not apply: doc is missing from path: ${from}`);
  const value = take(source, `error in move for path: '${source.key}'`);
  if (path === undefined) throw missing('move operation failed to decode path: operation missing path field');
  const target = placeOf(draft, path);
  if (!target) throw missing(`move operation does not apply: doc is missing destination path: ${path}`);
  insert(target, value, `error in move for path: '${path}'`);
}

function copy(draft: PatchedObject, { path, from }: PatchOperation): void {
  if (from === undefined) throw missing('copy operation failed to decode from: operation, missing from field');
  const source = placeOf(draft, from);
  if (!source) throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
  const value = valueAt(source, `error in copy for from: '${from}'`) ?? null;
  if (path === undefined) throw missing('copy operation failed to decode path');
  const target = placeOf(draft, path);
  if (!target) throw missing(`copy operation does not apply: doc is missing destination path: ${path}`);
  // A chain of copies doubles the depth, too.
  if (isDeeper(value, mostCopiedLevels)) throw new PatchFailure('Unable to complete the copy, exceeded max depth');
  draft.copied += JSON.stringify(value).length;
  if (draft.copied > maxCopiedCharacters) {
    throw new PatchFailure(
      `Unable to complete the copy, the accumulated size increase of copy is ${draft.copied}, exceeding the limit ${maxCopiedCharacters}`,
    );
  }
  // A true copy: parts in `fresh` are written in place, so they must not stand in two places.
  insert(target, clone(value), 'error while adding value during copy');
}

function test(draft: PatchedObject, operation: PatchOperation): void {
  const { path } = operation;
  if (path === undefined) throw missing('test operation failed to decode path: operation missing path field');
  if (!equal(testedValue(draft, path), operation.value) || !operation.hasValue) {
    throw new PatchFailure(`testing value ${path} failed: test failed`);
  }
}

function testedValue(draft: PatchedObject, path: string): unknown {
  if (path === '') return draft.root;
  const place = placeOf(draft, path);
  if (!place) throw missing(`test operation does not apply: is missing path: ${path}`);
  return valueAt(place, `error in test for path: '${path}'`) ?? null;
}

/** Walks to the parent of what a pointer names, making everything on the way writable. */
function placeOf(draft: PatchedObject, pointer: string): Location | undefined {
  const tokens = pointer.split('/');
  if (tokens.length < 2) return undefined;
  let parent = writable(draft, draft.root);
  draft.root = parent;
  for (let i = 1; i < tokens.length - 1; i++) {
    const key = unescaped(tokens[i] ?? '');
    const index = Array.isArray(parent) ? indexIn(parent, key) : key;
    const child: unknown = Array.isArray(parent) ? parent[index as number] : memberOf(parent, key);
    if (typeof child !== 'object' || child === null) return undefined;
    const owned = writable(draft, child);
    if (Array.isArray(parent)) parent[index as number] = owned;
    else setMember(parent, key, owned);
    parent = owned;
  }
  return { parent, key: unescaped(tokens.at(-1) ?? '') };
}

function writable(draft: PatchedObject, part: object): unknown[] | Members {
  if (draft.fresh.has(part)) return part as Members;
  const owned: unknown[] | Members = Array.isArray(part) ? [...(part as unknown[])] : { ...part };
  draft.fresh.add(owned);
  return owned;
}

function valueAt({ parent, key }: Location, context: string): unknown {
  if (!Array.isArray(parent)) return memberOf(parent, key);
  return parent[checkedIndex(parent, key, context)];
}

function take({ parent, key }: Location, context: string): unknown {
  if (Array.isArray(parent)) return parent.splice(checkedIndex(parent, key, context), 1)[0];
  if (!hasMember(parent, key)) throw missing(`${context}: Unable to remove nonexistent key: ${key}`);
  const value = parent[key];
  delete parent[key];
  return value;
}

function insert({ parent, key }: Location, value: unknown, context: string): void {
  if (!Array.isArray(parent)) return setMember(parent, key, value);
  if (key === '-') {
    parent.push(value);
    return;
  }
  // One more than there are elements: an addition may come after the last.
  const index = indexIn({ length: parent.length + 1 }, key);
  if (typeof index === 'string') throw new PatchFailure(`${context}: ${index}`);
  parent.splice(index, 0, value);
}

function checkedIndex(array: readonly unknown[], key: string, context: string): number {
  const index = indexIn(array, key);
  if (typeof index === 'string') throw new PatchFailure(`${context}: ${index}`);
  return index;
}

/** The position that a token names, or what is wrong with it. */
function indexIn({ length }: { readonly length: number }, token: string): number | string {
  if (!/^[+-]?\d+$/.test(token)) {
    return `value was not a proper array index: '${token}': strconv.Atoi: parsing "${token}": invalid syntax`;
  }
  const index = Number(token);
  if (index >= length || index < -length) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return index < 0 ? index + length : index;
}

function unescaped(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

function missing(detail: string): PatchFailure {
  return new PatchFailure(`${detail}: missing value`);
}

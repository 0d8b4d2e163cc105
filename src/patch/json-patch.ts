import { clone, equal, isDeeper } from '../base/index.ts';
import { parseOperations } from './json-patch-operation.ts';
import type { Operation } from './json-patch-operation.ts';
import { hasMember, memberOf, setMember } from './members.ts';
import type { Members } from './members.ts';
import { unprocessablePatch } from './patch-error.ts';

/** Characters that all copies of one patch may add: a chain of copies doubles an object at every step. */
const maxCopiedCharacters = 3 * 1024 * 1024;

/** Levels of a part that is copied. */
const mostCopiedLevels = 600;

/** The object while it is being patched: `fresh` holds the parts that were made here and may be written to. */
interface Draft {
  root: object;
  readonly fresh: Set<object>;
  copied: number;
}

/** The place that a pointer names: an array or object, and the key in it. */
interface Location {
  readonly parent: unknown[] | Members;
  readonly key: string;
}

/**
 * A JSON patch (RFC 6902) with the leniencies of Kubernetes: negative indices count from the end, and `replace` of a
 * missing member adds it. The object is not written to; what the patch does not reach is shared with the result.
 */
export function jsonPatch<T extends object>(object: T, patch: unknown): T {
  const draft: Draft = { root: object, fresh: new Set(), copied: 0 };
  for (const operation of parseOperations(patch)) perform(draft, operation);
  return draft.root as T;
}

function perform(draft: Draft, operation: Operation): void {
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
      throw unprocessablePatch(`Unexpected kind: ${op.unknown}`);
  }
}

function add(draft: Draft, { path, value }: Operation): void {
  if (path === undefined) throw unprocessablePatch('add operation failed to decode path: missing value');
  const place = placeOf(draft, path);
  if (!place) throw missing(`add operation does not apply: doc is missing path: "${path}"`);
  insert(place, value, `error in add for path: '${path}'`);
}

function remove(draft: Draft, { path }: Operation): void {
  if (path === undefined) throw missing('remove operation failed to decode path');
  const place = placeOf(draft, path);
  if (!place) throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
  take(place, `error in remove for path: '${path}'`);
}

function replace(draft: Draft, { path, value }: Operation): void {
  if (path === undefined) throw missing('replace operation failed to decode path: operation missing path field');
  if (path === '') return replaceRoot(draft, value);
  const place = placeOf(draft, path);
  if (!place) throw missing(`replace operation does not apply: doc is missing path: ${path}`);
  if (!Array.isArray(place.parent)) return setMember(place.parent, place.key, value);
  const index = indexIn(place.parent, place.key);
  if (typeof index === 'string') throw missing(`replace operation does not apply: doc is missing key: ${path}`);
  place.parent[index] = value;
}

function replaceRoot(draft: Draft, value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    throw unprocessablePatch('replace operation value must be object or array');
  }
  draft.root = value;
}

function move(draft: Draft, { path, from }: Operation): void {
  if (from === undefined) throw missing('move operation failed to decode from: operation, missing from field');
  const source = placeOf(draft, from);
  if (!source) throw missing(`move operation does not apply: doc is missing from path: ${from}`);
  const value = take(source, `error in move for path: '${source.key}'`);
  if (path === undefined) throw missing('move operation failed to decode path: operation missing path field');
  const target = placeOf(draft, path);
  if (!target) throw missing(`move operation does not apply: doc is missing destination path: ${path}`);
  insert(target, value, `error in move for path: '${path}'`);
}

function copy(draft: Draft, { path, from }: Operation): void {
  if (from === undefined) throw missing('copy operation failed to decode from: operation, missing from field');
  const source = placeOf(draft, from);
  if (!source) throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
  const value = valueAt(source, `error in copy for from: '${from}'`) ?? null;
  if (path === undefined) throw missing('copy operation failed to decode path');
  const target = placeOf(draft, path);
  if (!target) throw missing(`copy operation does not apply: doc is missing destination path: ${path}`);
  // A chain of copies doubles the depth, too.
  if (isDeeper(value, mostCopiedLevels)) throw unprocessablePatch('Unable to complete the copy, exceeded max depth');
  draft.copied += JSON.stringify(value).length;
  if (draft.copied > maxCopiedCharacters) {
    throw unprocessablePatch(
      `Unable to complete the copy, the accumulated size increase of copy is ${draft.copied}, exceeding the limit ${maxCopiedCharacters}`,
    );
  }
  // A true copy: parts in `fresh` are written in place, so they must not stand in two places.
  insert(target, clone(value), 'error while adding value during copy');
}

function test(draft: Draft, operation: Operation): void {
  const { path } = operation;
  if (path === undefined) throw missing('test operation failed to decode path: operation missing path field');
  if (!equal(testedValue(draft, path), operation.value) || !operation.hasValue) {
    throw unprocessablePatch(`testing value ${path} failed: test failed`);
  }
}

function testedValue(draft: Draft, path: string): unknown {
  if (path === '') return draft.root;
  const place = placeOf(draft, path);
  if (!place) throw missing(`test operation does not apply: is missing path: ${path}`);
  return valueAt(place, `error in test for path: '${path}'`) ?? null;
}

/** Walks to the parent of what a pointer names, making everything on the way writable. */
function placeOf(draft: Draft, pointer: string): Location | undefined {
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

function writable(draft: Draft, part: object): unknown[] | Members {
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
  if (typeof index === 'string') throw unprocessablePatch(`${context}: ${index}`);
  parent.splice(index, 0, value);
}

function checkedIndex(array: readonly unknown[], key: string, context: string): number {
  const index = indexIn(array, key);
  if (typeof index === 'string') throw unprocessablePatch(`${context}: ${index}`);
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

function missing(detail: string) {
  return unprocessablePatch(`${detail}: missing value`);
}

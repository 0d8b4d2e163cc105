import { equal, hasMember, isObject, memberOf, setMember, sharedIfSame } from '../base/index.ts';
import type { Members } from '../base/index.ts';
import { jsonKind } from './go-text.ts';
import { badPatch } from './patch-error.ts';
import type { SchemaScope } from './schema-walk.ts';
import { checkOrder, mergeList, reorder } from './strategic-list.ts';
import { memberType, rootType } from './strategic-type.ts';
import type { PatchType } from './strategic-type.ts';
import {
  badRetainKeysFormat,
  deletionPrefix,
  directiveMarker,
  fieldOf,
  containsMaps,
  isDirective,
  listIn,
  literal,
  orderPrefix,
  plain,
  retainKeysMarker,
  unknownDirective,
} from './strategic-value.ts';

/**
 * A strategic merge patch: objects merge, lists with a merge key merge by it, and directives in the patch
 * delete, replace, reorder or retain. The object is not written to; unchanged parts are shared with the result.
 */
export function strategicMergePatch<T extends object>(object: T, patch: unknown, scope: SchemaScope): T {
  if (!isObject(patch)) {
    throw badPatch(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`);
  }
  return mergeMap(object as Members, patch, rootType(scope.schema, scope.definitions)) as T;
}

function mergeMap(live: Members, patch: Members, type: PatchType): Members {
  if (hasMember(patch, directiveMarker)) return obeyDirective(live, patch);
  const merged = retained(live, patch);
  const rest = { ...patch };
  delete rest[retainKeysMarker];
  for (const key of Object.keys(patch)) {
    if (key.startsWith(orderPrefix)) mergeOrdered(merged, { rest, key }, type);
  }
  for (const key of Object.keys(rest)) {
    if (key.startsWith(deletionPrefix)) deleteScalars(merged, fieldOf(key, deletionPrefix), rest[key]);
    else mergeMember(merged, { key, wanted: rest[key] }, type);
  }
  return sharedIfSame(live, merged);
}

function obeyDirective(live: Members, patch: Members): Members {
  const directive = patch[directiveMarker];
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(patch);
  const { [directiveMarker]: _, ...content } = patch;
  const wanted = literal(content) as Members;
  return equal(live, wanted) ? live : wanted;
}

/** A copy of the live map, without the members that `$retainKeys` does not list. */
function retained(live: Members, patch: Members): Members {
  if (!hasMember(patch, retainKeysMarker)) return { ...live };
  const listed = patch[retainKeysMarker];
  if (!Array.isArray(listed)) throw badRetainKeysFormat();
  const keep = new Set<unknown>(listed);
  for (const key of Object.keys(patch)) {
    const exempt = key === retainKeysMarker || key.startsWith(deletionPrefix) || key.startsWith(orderPrefix);
    if (!exempt && patch[key] !== null && !keep.has(key)) throw badRetainKeysFormat();
  }
  return Object.fromEntries(Object.entries(live).filter(([key]) => keep.has(key)));
}

/** Merges the list that a `$setElementOrder` speaks of, and takes both out of what remains to be merged. */
function mergeOrdered(merged: Members, { rest, key }: { rest: Members; key: string }, type: PatchType): void {
  const order = listIn(rest[key]);
  delete rest[key];
  const field = fieldOf(key, orderPrefix);
  const hadLive = hasMember(merged, field);
  const hadPatch = hasMember(rest, field);
  const live = hadLive ? listIn(merged[field]) : [];
  const patch = hadPatch ? listIn(rest[field]) : [];
  const listType = memberType(type, field);
  checkOrder(patch, order, listType);
  delete rest[field];
  if (!hadLive && !hadPatch) return;
  const content = hadPatch ? mergeList({ live, patch }, listType, mergeMap) : live;
  const ordered = reorder(content, { live, patch, order }, listType);
  setMember(merged, field, hadLive ? sharedIfEqual(live, ordered) : ordered);
}

function deleteScalars(merged: Members, field: string, doomed: unknown): void {
  const live = memberOf(merged, field);
  if (!Array.isArray(live) || !Array.isArray(doomed) || live.length + doomed.length === 0) return;
  containsMaps(live, doomed);
  const gone = new Set<unknown>(doomed);
  const kept = live.filter((item) => !gone.has(item));
  if (kept.length !== live.length) setMember(merged, field, kept);
}

function mergeMember(merged: Members, { key, wanted }: { key: string; wanted: unknown }, type: PatchType): void {
  const live = memberOf(merged, key);
  const value = wanted === null ? undefined : mergedValue(live, wanted, () => memberType(type, key));
  if (value === undefined) delete merged[key];
  else setMember(merged, key, value);
}

/** The type is looked up only where two maps or lists meet: of what is new, nothing need be known. */
function mergedValue(live: unknown, wanted: unknown, typeOf: () => PatchType): unknown {
  if (Array.isArray(wanted) && Array.isArray(live)) {
    return sharedIfEqual(live, mergeList({ live, patch: wanted }, typeOf(), mergeMap));
  }
  if (isObject(wanted) && isObject(live)) {
    const type = typeOf();
    return type.strategy === 'replace' ? sharedIfEqual(live, literal(wanted)) : mergeMap(live, wanted, type);
  }
  // A directive where there is nothing to direct leaves nothing.
  return isDirective(wanted) ? undefined : plain(wanted);
}

function sharedIfEqual(live: unknown, wanted: unknown): unknown {
  return equal(live, wanted) ? live : wanted;
}

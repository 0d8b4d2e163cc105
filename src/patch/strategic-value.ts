import { hasMember, isObject, setMember } from '../base/index.ts';
import type { Members } from '../base/index.ts';
import { goText, goType } from './go-text.ts';
import { badPatch, failedPatch, unprocessablePatch } from './patch-error.ts';
import type { PatchError } from './patch-error.ts';

/** The member that turns a map of a patch into an instruction. */
export const directiveMarker = '$patch';
/** Lists the only members that a map is to keep. */
export const retainKeysMarker = '$retainKeys';
/** `$setElementOrder/ports` gives the order of a list. */
export const orderPrefix = '$setElementOrder';
/** `$deleteFromPrimitiveList/finalizers` takes scalars out of a list. */
export const deletionPrefix = '$deleteFromPrimitiveList';

/** A value of the patch as it goes into the object: without nulls in maps, and without maps that are directives. */
export function plain(value: unknown): unknown {
  return valueOf(value, (item) => !isDirective(item));
}

/** A value that replaces as it is, where directives have no meaning: what carries one stays, the directive goes. */
export function literal(value: unknown): unknown {
  return valueOf(value, () => true);
}

function valueOf(value: unknown, isKept: (item: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.filter(isKept).map((item) => valueOf(item, isKept));
  if (!isObject(value)) return value;
  const kept: Members = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === null || isInstruction(key) || !isKept(member)) continue;
    setMember(kept, key, valueOf(member, isKept));
  }
  return kept;
}

/** True for a map that carries `$patch`. */
export function isDirective(value: unknown): value is Members {
  return isObject(value) && hasMember(value, directiveMarker);
}

function isInstruction(key: string): boolean {
  return (
    key === directiveMarker || key === retainKeysMarker || key.startsWith(orderPrefix) || key.startsWith(deletionPrefix)
  );
}

/** The field that `$setElementOrder/ports` or `$deleteFromPrimitiveList/finalizers` speaks of. */
export function fieldOf(key: string, prefix: string): string {
  const slash = key.indexOf('/');
  if (slash >= 0 && key.slice(0, slash) === prefix) return key.slice(slash + 1);
  throw prefix === orderPrefix ? badOrderFormat() : badPatch('invalid patch format of primitive list');
}

/** A key that starts like `$setElementOrder/ports` but names no field. */
function badOrderFormat(): PatchError {
  return badPatch('invalid patch format of setElementOrder list');
}

/** `$retainKeys` is not a list, or does not list what the patch itself sets. */
export function badRetainKeysFormat(): PatchError {
  return badPatch('invalid patch format of retainKeys');
}

/** An element lacks the member by which its list is merged. */
export function noMergeKey(map: unknown, mergeKey: string): PatchError {
  return failedPatch(`map: ${goText(map)} does not contain declared merge key: ${mergeKey}`);
}

/** A `$patch` that says neither replace nor delete. */
export function unknownDirective(map: Members): PatchError {
  return failedPatch(`unknown patch type: ${goText(map[directiveMarker])} in map: ${goText(map)}`);
}

/** The list in a member that must be one. */
export function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw failedPatch(`expected a []interface {}, but received a ${goType(value)}`);
}

/** Checks that the elements of all lists are maps, or that none is; tells which. */
export function containsMaps(...lists: readonly (readonly unknown[])[]): boolean {
  let first: string | undefined;
  for (const item of lists.flat()) {
    const kind = goType(item);
    if (Array.isArray(item) && first === undefined) throw unprocessablePatch('lists of lists are not supported');
    // JSON has one kind of number, Go has two.
    const comparable = kind === 'float64' ? 'int64' : kind;
    first ??= comparable;
    if (first !== comparable) throw failedPatch(`list element types are not identical: ${goText(lists)}`);
  }
  return first === goType({});
}

import { equal, isObject, memberOf, setMember, sharedIfSame } from '../base/index.ts';
import type { Members } from '../base/index.ts';
import { jsonKind } from './go-text.ts';
import { badPatch } from './patch-error.ts';

/**
 * A JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces.
 * The object is not written to; what the patch does not change is shared with the result.
 */
export function mergePatch<T extends object>(object: T, patch: unknown): T {
  if (!isObject(patch)) {
    throw badPatch(
      `error decoding patch: json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return mergeMembers(object as Members, patch) as T;
}

function mergeMembers(object: Readonly<Members>, patch: Readonly<Members>): Members {
  const merged = { ...object };
  for (const key of Object.keys(patch)) {
    const wanted = patch[key];
    if (wanted === null) delete merged[key];
    else if (wanted !== undefined) setMember(merged, key, mergeValue(memberOf(object, key), wanted));
  }
  return sharedIfSame(object, merged);
}

function mergeValue(current: unknown, wanted: unknown): unknown {
  if (isObject(wanted)) return mergeMembers(isObject(current) ? current : {}, wanted);
  return equal(current, wanted) ? current : wanted;
}

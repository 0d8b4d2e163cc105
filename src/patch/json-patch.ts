import { PatchFailure, withOperations } from '../base/index.ts';
import { parseOperations } from './json-patch-operation.ts';
import { unprocessablePatch } from './patch-error.ts';

/** A JSON patch (RFC 6902) as Kubernetes takes it: `replace` of a missing member adds it. */
export function jsonPatch<T extends object>(object: T, patch: unknown): T {
  const operations = parseOperations(patch);
  try {
    return withOperations(object, operations);
  } catch (error) {
    if (error instanceof PatchFailure) throw unprocessablePatch(error.message);
    throw error;
  }
}

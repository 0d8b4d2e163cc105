import { hasMember, isObject, operationKind, PatchFailure, withOperations } from '../base/index.ts';
import type { PatchOperation } from '../base/index.ts';
import { jsonKind } from './go-text.ts';
import { badPatch, PatchError, unprocessablePatch } from './patch-error.ts';

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

const maxOperations = 10_000;
/** Reads the body of a JSON patch; every step is checked for its shape before the first is applied. */
export function parseOperations(patch: unknown): readonly PatchOperation[] {
  if (!Array.isArray(patch)) throw undecodable(jsonKind(patch), 'value of type []handlers.jsonPatchOp');
  if (patch.length > maxOperations) {
    throw new PatchError({
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    });
  }
  return patch.map(parseOperation);
}

function parseOperation(step: unknown): PatchOperation {
  if (!isObject(step)) throw undecodable(jsonKind(step), 'value of type handlers.jsonPatchOp');
  const op = text(step, 'op') ?? 'unknown';
  const path = text(step, 'path');
  const from = text(step, 'from');
  return {
    op: operationKind(op),
    ...(path !== undefined && { path }),
    ...(from !== undefined && { from }),
    value: step['value'] ?? null,
    hasValue: hasMember(step, 'value'),
  };
}

function text(step: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = step[field] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw undecodable(jsonKind(value), `struct field jsonPatchOp.${field} of type string`);
}

function undecodable(found: string, wanted: string): PatchError {
  return badPatch(`error decoding patch: json: cannot unmarshal ${found} into Go ${wanted}`);
}

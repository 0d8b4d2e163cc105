import { PatchFailure, isObject, memberOf, withOperations } from '../../base/index.ts';
import type { OverrideOperator } from '../../api/index.ts';
import { OverrideFailure } from './failure.ts';

/** One change at a JSON pointer, as overriders spell it. */
export interface PointerChange {
  readonly path: string;
  readonly operator: OverrideOperator;
  readonly value?: unknown;
}

/** The object after these changes, each a JSON patch operation (RFC 6902). The object itself is not written to. */
export function changedAt<T extends object>(object: T, changes: readonly PointerChange[]): T {
  const operations = changes.map(({ path, operator, value }) => ({
    op: operator,
    path,
    value: value ?? null,
    hasValue: value !== undefined,
  }));
  try {
    return withOperations(object, operations, { isStrict: true });
  } catch (error) {
    if (error instanceof PatchFailure) throw new OverrideFailure(error.message);
    throw error;
  }
}

/** The text at a JSON pointer. */
export function textAt(object: object, pointer: string): string {
  const value = valueAt(object, pointer);
  if (typeof value === 'string') return value;
  const found = value === undefined ? 'there is nothing' : 'that is not a text';
  throw new OverrideFailure(`${pointer}: ${found}`);
}

function valueAt(object: object, pointer: string): unknown {
  let here: unknown = object;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = /^\d+$/.test(key) ? here[Number(key)] : undefined;
    else here = isObject(here) ? memberOf(here, key) : undefined;
  }
  return here;
}

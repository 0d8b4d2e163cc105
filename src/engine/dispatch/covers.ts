import { isObject } from '../../base/index.ts';
import { quantity } from '../../api/index.ts';

/**
 * Tells whether the member's object has every value of the manifest. Further values belong to the member: defaults, and
 * fields that controllers fill in. Quantities may be spelt differently, since API servers normalise them.
 */
export function covers(present: unknown, wanted: unknown): boolean {
  if (wanted === present) return true;
  if (Array.isArray(wanted)) return Array.isArray(present) && coversList(present, wanted);
  if (isObject(wanted)) return isObject(present) && coversObject(present, wanted);
  if (present === undefined) return wanted === null || wanted === undefined;
  return sameQuantity(present, wanted);
}

function coversList(present: readonly unknown[], wanted: readonly unknown[]): boolean {
  return present.length === wanted.length && wanted.every((item, i) => covers(present[i], item));
}

function coversObject(present: Record<string, unknown>, wanted: Record<string, unknown>): boolean {
  for (const key in wanted) {
    const value = wanted[key];
    if (value === undefined) continue;
    if (!(key in present) && isEmpty(value)) continue;
    if (!covers(present[key], value)) return false;
  }
  return true;
}

/** An API server drops empty maps and lists, and null. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

function sameQuantity(a: unknown, b: unknown): boolean {
  if (typeof a === 'object' || typeof b === 'object') return false;
  const left = quantity(a);
  return left !== undefined && left === quantity(b);
}

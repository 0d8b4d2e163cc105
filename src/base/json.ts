/** A JSON value; objects in caches are frozen, so everything is readonly. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** True for a plain JSON object, false for an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep equality of JSON values; a key whose value is undefined counts as absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  return !Array.isArray(b) && equalObjects(a as Record<string, unknown>, b as Record<string, unknown>);
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false;
  return true;
}

function equalObjects(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let present = 0;
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    if (!equal(value, b[key])) return false;
    present++;
  }
  for (const key in b) if (b[key] !== undefined) present--;
  return present === 0;
}

/** A deep copy that may be written to; undefined members are dropped. */
export function clone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clone) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) if (value[key] !== undefined) copy[key] = clone(value[key]);
  return copy as T;
}

/**
 * Tells whether the value has more than so many levels of arrays and objects. Most functions here recurse, so a caller
 * asks this before.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isDeeper(value[i], levels - 1)) return true;
    return false;
  }
  for (const key in value) if (isDeeper(value[key as keyof typeof value], levels - 1)) return true;
  return false;
}

/**
 * Freezes a value all the way down; a part that is frozen already is taken to be frozen below.
 * Arrays are walked by index and scalars not visited: this runs on every write, and is four times faster so.
 */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) freezePart(value[i]);
  } else for (const key in value) freezePart(value[key]);
  return Object.freeze(value);
}

function freezePart(value: unknown): void {
  if (typeof value === 'object' && value !== null) freeze(value);
}

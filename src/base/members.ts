/**
 * Members of JSON objects whose keys come from a client: `constructor` and `__proto__` are keys like any other,
 * so nothing may be read from, or written to, a prototype.
 */
export type Members = Record<string, unknown>;

/** The own member of an object; undefined when it is missing, or the value is not an object. */
export function memberOf(object: Readonly<Members> | undefined, key: string): unknown {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Tells whether the object has this member, with a value. */
export function hasMember(object: Readonly<Members>, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined;
}

/** Writes a member of an object that the caller owns. */
export function setMember(object: Members, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Returns `original` when the copy made of it still has the same members, so that unchanged parts stay shared. */
export function sharedIfSame(original: Readonly<Members>, copy: Members): Members {
  const keys = Object.keys(copy);
  if (keys.length !== Object.keys(original).length) return copy;
  for (const key of keys) if (!Object.hasOwn(original, key) || original[key] !== copy[key]) return copy;
  return original;
}

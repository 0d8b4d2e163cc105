import { isObject } from './json.ts';

/** The value at a path of keys, or undefined. */
export function at(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (!isObject(here)) return undefined;
    here = here[key];
  }
  return here;
}

/** A copy with the value at a path replaced; what is not on the path is shared. `undefined` removes the key. */
export function withAt<T>(value: T, path: readonly string[], replacement: unknown): T {
  const [key, ...below] = path;
  if (key === undefined) return replacement as T;
  const object: Record<string, unknown> = isObject(value) ? value : {};
  const changed = withAt(object[key], below, replacement);
  if (changed === object[key]) return value;
  if (changed !== undefined) return { ...object, [key]: changed } as T;
  const { [key]: _, ...others } = object;
  return others as T;
}

import { isObject } from '../../base/index.ts';

/** Makes the new part from the old one; returning the very part changes nothing, undefined leaves it out. */
export type PartChange = (part: unknown) => unknown;

/** In a path: every item of a list. */
export const every = '*';

/**
 * Changes the parts at a path, copying only what changes. A value on the way that is not an object (or not a list, for
 * `every`) stays as it is: mutation never makes a parent, and never throws on a malformed object.
 */
export function update<T>(value: T, path: readonly string[], change: PartChange): T {
  const [name, ...rest] = path;
  if (name === undefined) return change(value) as T;
  if (name === every) return Array.isArray(value) ? (updateItems(value, rest, change) as T) : value;
  if (!isObject(value)) return value;
  const before = Object.hasOwn(value, name) ? value[name] : undefined;
  const after = update(before, rest, change);
  return after === before ? value : replaced(value, name, after);
}

function updateItems(list: readonly unknown[], path: readonly string[], change: PartChange): readonly unknown[] {
  const items = list.map((item) => update(item, path, change));
  return items.every((item, index) => item === list[index]) ? list : items;
}

function replaced<T extends Record<string, unknown>>(object: T, name: string, part: unknown): T {
  const copy: Record<string, unknown> = { ...object };
  if (part === undefined) delete copy[name];
  else copy[name] = part;
  return copy as T;
}

/** Sets a label of an object that has metadata. */
export function withLabel<T>(object: T, label: string, choose: (current: string) => string): T {
  return update(object, ['metadata', 'labels'], (labels) => {
    if (labels !== undefined && labels !== null && !isObject(labels)) return labels;
    const current = labels?.[label];
    const chosen = choose(typeof current === 'string' ? current : '');
    return chosen === '' || chosen === current ? labels : { ...labels, [label]: chosen };
  });
}

/** Adds a finalizer to an object that has metadata. */
export function withFinalizer<T>(object: T, finalizer: string): T {
  return update(object, ['metadata', 'finalizers'], (finalizers) => {
    if (finalizers === undefined || finalizers === null) return [finalizer];
    if (!Array.isArray(finalizers) || finalizers.includes(finalizer)) return finalizers;
    return [...(finalizers as unknown[]), finalizer];
  });
}

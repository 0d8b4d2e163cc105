import type { KubeObject } from '../../api/index.ts';

/** A part of an object that has not been looked at yet. */
export type ReadonlyPart = Readonly<Record<string, unknown>>;

/** The value at a dotted path, undefined where the way ends early. */
export function at(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as ReadonlyPart)[key];
  }
  return found;
}

/** A string or number at a path as text, else the fallback. */
export function text(value: unknown, path: string, fallback = ''): string {
  const found = at(value, path);
  return isScalar(found) && found !== '' ? String(found) : fallback;
}

/** A scalar at a path as text, the empty one too; the fallback only where nothing is written. */
export function given(value: unknown, path: string, fallback: string): string {
  const found = at(value, path);
  return isScalar(found) ? String(found) : fallback;
}

/** A number at a path, else the fallback. */
export function number(value: unknown, path: string, fallback = 0): number {
  const found = at(value, path);
  return typeof found === 'number' ? found : fallback;
}

/** Tells whether the value at a path is true. */
export function flag(value: unknown, path: string, fallback = false): boolean {
  const found = at(value, path);
  return typeof found === 'boolean' ? found : fallback;
}

/** The objects of a list at a path. */
export function list(value: unknown, path: string): readonly ReadonlyPart[] {
  const found = at(value, path);
  return Array.isArray(found) ? (found as readonly ReadonlyPart[]) : [];
}

/** The strings of a list at a path. */
export function strings(value: unknown, path: string): readonly string[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.map(String) : [];
}

/** How many members an object at a path has. */
export function size(value: unknown, path: string): number {
  const found = at(value, path);
  return typeof found === 'object' && found !== null ? Object.keys(found).length : 0;
}

/** A label or annotation, whose key may contain dots. */
export function labelled(object: KubeObject, kind: 'labels' | 'annotations', key: string): string {
  return object.metadata[kind]?.[key] ?? '';
}

/** Strings joined, or the fallback when there are none. */
export function joined(parts: readonly string[], fallback = '<none>', separator = ','): string {
  return parts.join(separator) || fallback;
}

/** At most so many of a list, and how many more there are. */
export function clipped(parts: readonly string[], most: number, fallback: string): string {
  const shown = parts.slice(0, most).join(',');
  if (parts.length > most) return `${shown} + ${parts.length - most} more...`;
  return shown || fallback;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

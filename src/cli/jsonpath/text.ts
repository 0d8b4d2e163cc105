import { isObject } from '../../base/index.ts';

/** A value as kubectl prints it within text: what is simple as it is, the rest as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return escaped(JSON.stringify(sorted(value)));
}

/** Maps by the order of their keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** Signs that JSON of Go does not let stand, as it may come to stand in a page. */
function escaped(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

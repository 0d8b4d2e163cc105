import { isObject } from '../base/index.ts';

/**
 * JSON to the letter as programs in Go write it, kubectl among them: maps by the order of their keys, and no sign in a
 * text that would mean something in a page.
 */
export function goJson(value: unknown): string {
  return JSON.stringify(sorted(value)).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

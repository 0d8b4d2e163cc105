import { canonicalJson } from './canonical.ts';

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function escaped(text: string): string {
  return /[<>&\u2028\u2029]/.test(text)
    ? text.replaceAll(/[<>&\u2028\u2029]/g, (found) => escapes[found] ?? found)
    : text;
}

/** JSON as Go writes a struct: members in their order, and the signs of HTML escaped. Kubernetes compares such texts by their bytes. */
export function goJson(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** JSON as Go writes a map, for example in kubectl's annotations: members by name, and the signs of HTML escaped. */
export function sortedGoJson(value: unknown): string {
  return escaped(canonicalJson(value ?? null));
}

import type { Members } from './members.ts';
const needsNoEscape = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** A quoted text. Most texts need no escape, and to see that takes half the time of `JSON.stringify`. */
const quoted = (text: string): string => (needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text));

/**
 * A JSON value as RFC 8785 (JSON Canonicalization Scheme) spells it: no spaces, and the keys of an object in the order
 * of their UTF-16 code units. A member that is undefined counts as absent.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value as Record<string, unknown>);
}

function canonicalArray(values: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ',') + canonicalJson(values[i]);
  return `${text}]`;
}

/** Users mostly write members in order, and to see that takes less time than to sort them. */
function canonicalObject(object: Readonly<Members>): string {
  return isSorted(object) ? inOrder(object) : sorted(object);
}

function isSorted(object: Readonly<Members>): boolean {
  let last = '';
  for (const key in object) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

function inOrder(object: Readonly<Members>): string {
  let text = '{';
  for (const key in object) {
    const value = object[key];
    if (value !== undefined) text += `${text.length === 1 ? '' : ','}${quoted(key)}:${canonicalJson(value)}`;
  }
  return `${text}}`;
}

function sorted(object: Readonly<Members>): string {
  let text = '{';
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value !== undefined) text += `${text.length === 1 ? '' : ','}${quoted(key)}:${canonicalJson(value)}`;
  }
  return `${text}}`;
}

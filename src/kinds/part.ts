import type { KubeObject } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import type { Draft, Part } from './draft.ts';

const nothing: Part = Object.freeze({});

/** An object below a name, to be read; an empty one when there is none. */
export function partOf(whole: object | undefined, name: string): Part {
  const value = (whole as Part | undefined)?.[name];
  return isObject(value) ? value : nothing;
}

/** The spec, to be read. */
export function specOf(object: Draft | KubeObject): Part {
  return partOf(object, 'spec');
}

/** An object below a name, to be written to; made when there is none. */
export function ownPart(whole: Part | Draft, name: string): Part {
  const value = (whole as Part)[name];
  if (isObject(value)) return value;
  const made: Part = {};
  (whole as Part)[name] = made;
  return made;
}

/** The objects of a list below a name; everything else in it is skipped. */
export function partsOf(whole: object | undefined, name: string): Part[] {
  const value = (whole as Part | undefined)?.[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text below a name, '' when there is none. */
export function textOf(whole: object | undefined, name: string): string {
  const value = (whole as Part | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

/** The number below a name. */
export function numberOf(whole: object | undefined, name: string): number | undefined {
  const value = (whole as Part | undefined)?.[name];
  return typeof value === 'number' ? value : undefined;
}

/** Tells whether there is nothing below this name. As in Go, null and the empty string are nothing. */
export function isUnset(whole: object | undefined, name: string): boolean {
  const value = (whole as Part | undefined)?.[name];
  return value === undefined || value === null || value === '';
}

/** Sets what is unset. Values of the table are scalars, or functions that make something fresh. */
export function fill(part: Part, table: Readonly<Record<string, unknown>>): void {
  for (const name in table) {
    if (!isUnset(part, name)) continue;
    const value = table[name];
    part[name] = typeof value === 'function' ? (value as () => unknown)() : value;
  }
}

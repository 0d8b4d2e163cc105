import type { FieldError } from '../../api/index.ts';
import { memberPath } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';

/** A place in an object of which nothing is known yet: its path, and what stands there. */
export interface Place {
  readonly path: string;
  readonly value: unknown;
}

/** Rules yield what they find, so that all faults of an object come at once. */
export type Faults = Iterable<FieldError>;

/** The whole of an object. */
export function root(value: unknown): Place {
  return { path: '', value };
}

/** A member, however deep; undefined when it is absent or its parent is not an object. */
export function at(place: Place, ...names: readonly string[]): Place {
  let { path, value } = place;
  for (const name of names) {
    path = memberPath(path, name);
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return { path, value };
}

/** The entry of a map whose keys are data: `metadata.labels[a/b]`. */
export function entryOf(place: Place, key: string): Place {
  return { path: `${place.path}[${key}]`, value: at(place, key).value };
}

/** The items of a list; of anything else none. */
export function items(place: Place): readonly Place[] {
  if (!Array.isArray(place.value)) return [];
  return place.value.map((value: unknown, index) => ({ path: `${place.path}[${index}]`, value }));
}

/** The entries of a map, with their keys. */
export function entries(place: Place): readonly (readonly [string, Place])[] {
  return isObject(place.value) ? Object.keys(place.value).map((key) => [key, entryOf(place, key)]) : [];
}

/** Tells whether there is a value. An explicit null is nothing. */
export function isSet(place: Place): boolean {
  return place.value !== undefined && place.value !== null;
}

/** The text there; '' when there is none. */
export function textOf(place: Place): string {
  return typeof place.value === 'string' ? place.value : '';
}

/** The number there, if it is one. */
export function numberOf(place: Place): number | undefined {
  return typeof place.value === 'number' ? place.value : undefined;
}

/** A check that says what is wrong with a text, or nothing. */
export type TextCheck = (text: string) => string | undefined;

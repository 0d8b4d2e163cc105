import { isObject } from '../../../base/index.ts';
import { memberOf, setMember } from '../members.ts';
import type { Members } from '../members.ts';

/** The value without members that are null; itself when it has none. */
export function withoutNulls<T>(value: T): T {
  return hasNull(value) ? (stripped(value, []) as T) : value;
}

/**
 * The value without members that are null, but for those that one of the known values has as null too. Where a known
 * value has an empty map or list, that takes the place of null.
 */
export function withoutOtherNulls<T>(value: T, known: readonly unknown[]): T {
  return hasNull(value) ? (stripped(value, known) as T) : value;
}

function stripped(value: unknown, known: readonly unknown[]): unknown {
  if (Array.isArray(value)) return strippedList(value, known);
  if (!isObject(value)) return value;
  const kept: Members = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const below = known.map((one) => (isObject(one) ? memberOf(one, key) : undefined));
    const rest = member === null ? insteadOfNull(below) : stripped(member, below);
    changed ||= rest !== member;
    if (rest !== undefined) setMember(kept, key, rest);
  }
  return changed ? kept : value;
}

function insteadOfNull(known: readonly unknown[]): unknown {
  return known.includes(null)
    ? null
    : known.find((one) => typeof one === 'object' && Object.keys(one as object).length === 0);
}

/** Items have no place by which to find them in the known lists: where such a list has nulls, all are kept. */
function strippedList(list: readonly unknown[], known: readonly unknown[]): readonly unknown[] {
  if (known.some(hasNull)) return list;
  const items = list.filter((item) => item !== null).map((item) => stripped(item, []));
  return items.length === list.length && items.every((item, i) => item === list[i]) ? list : items;
}

function hasNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  for (const key in value) if (hasNull(value[key as keyof typeof value])) return true;
  return value === null;
}

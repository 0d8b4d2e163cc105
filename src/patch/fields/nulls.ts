import { isObject, memberOf, setMember, isMember } from '../../base/index.ts';
import type { Members, FieldSet } from '../../base/index.ts';
import { fieldElement } from './path-element.ts';

/** The value without members that are null; itself when it has none. */
export function withoutNulls<T>(value: T): T {
  return hasNull(value) ? (stripped(value, {}) as T) : value;
}

/** Tells of a null whether it is meant. */
export interface Nulls {
  readonly live?: unknown;
  readonly applied?: unknown;
  /** All that managers own. */
  readonly owned?: FieldSet | undefined;
}

/**
 * The value without members that are null only because they lost all they had; one that is applied as empty, or that
 * someone owns, is empty instead. What is null in the live or in the applied object is meant to be.
 */
export function withoutEmptied<T>(value: T, nulls: Nulls): T {
  return hasNull(value) ? (stripped(value, nulls) as T) : value;
}

function stripped(value: unknown, nulls: Nulls): unknown {
  if (Array.isArray(value)) return strippedList(value, nulls);
  if (!isObject(value)) return value;
  const kept: Members = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const below = nullsBelow(nulls, key);
    const rest = member === null ? insteadOfNull(below) : stripped(member, below);
    changed ||= rest !== member;
    if (rest !== undefined) setMember(kept, key, rest);
  }
  return changed ? kept : value;
}

function nullsBelow({ live, applied, owned }: Nulls, key: string): Nulls {
  return {
    live: isObject(live) ? memberOf(live, key) : undefined,
    applied: isObject(applied) ? memberOf(applied, key) : undefined,
    owned: owned?.[fieldElement(key)],
  };
}

function insteadOfNull({ live, applied, owned }: Nulls): unknown {
  if (live === null || applied === null) return null;
  if (!isEmptyContainer(applied) && !(owned && isMember(owned))) return undefined;
  return Array.isArray(live) || Array.isArray(applied) ? [] : {};
}

function isEmptyContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Items have no place by which to find them in the other lists: where such a list has nulls, all are kept. */
function strippedList(list: readonly unknown[], { live, applied }: Nulls): readonly unknown[] {
  if (hasNull(live) || hasNull(applied)) return list;
  const items = list.filter((item) => item !== null).map((item) => stripped(item, {}));
  return items.length === list.length && items.every((item, i) => item === list[i]) ? list : items;
}

function hasNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  for (const key in value) if (hasNull(value[key as keyof typeof value])) return true;
  return value === null;
}

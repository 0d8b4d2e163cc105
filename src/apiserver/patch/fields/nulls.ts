import { isObject } from '../../../base/index.ts';
import { setMember } from '../members.ts';
import type { Members } from '../members.ts';

/** The value without members that are null; itself when it has none. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) {
    const items = value.map(withoutNulls);
    return items.some((item, i) => item !== value[i]) ? (items as T) : value;
  }
  if (!isObject(value)) return value;
  const kept: Members = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const rest = withoutNulls(member);
    changed ||= rest !== member || member === null;
    if (member !== null) setMember(kept, key, rest);
  }
  return changed ? (kept as T) : value;
}

import { equal, isObject, memberOf, setMember, sharedIfSame } from '../../base/index.ts';
import type { Members } from '../../base/index.ts';
import { formOf, typeOfMember } from './field-type.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { itemElement } from './path-element.ts';

/** Puts what is applied over what is live: nothing is removed, and leaves of the applied object win. */
export function mergeApplied(live: unknown, applied: unknown, type: FieldType): unknown {
  if (applied === undefined) return live;
  const form = formOf(applied, type);
  if (form === 'map' && type.map) return mergeMaps(live, applied, type.map);
  if (form === 'list' && type.list) return mergeLists(live, applied, type.list);
  return leafOf(live, applied);
}

function leafOf(live: unknown, applied: unknown): unknown {
  return equal(live, applied) ? live : applied;
}

function mergeMaps(live: unknown, applied: unknown, type: MapType): unknown {
  const left: Members = isObject(live) ? live : {};
  const right: Members = isObject(applied) ? applied : {};
  const empty = Object.keys(left).length === 0 && Object.keys(right).length === 0;
  if (type.atomic || empty) return leafOf(live, applied);
  const merged = { ...left };
  for (const key of Object.keys(right)) {
    setMember(merged, key, mergeApplied(memberOf(left, key), right[key], typeOfMember(type, key)));
  }
  return isObject(live) ? sharedIfSame(live, merged) : merged;
}

function mergeLists(live: unknown, applied: unknown, type: ListType): unknown {
  const left: readonly unknown[] = Array.isArray(live) ? live : [];
  const right: readonly unknown[] = Array.isArray(applied) ? applied : [];
  if (type.relation === 'atomic' || left.length + right.length === 0) return leafOf(live, applied);
  const merged = interleave(keyed(left, type), keyed(right, type)).map(({ live, applied }) =>
    mergeApplied(live, applied, type.element()),
  );
  const same = merged.length === left.length && merged.every((item, i) => item === left[i]);
  return same && Array.isArray(live) ? live : merged;
}

interface Item {
  readonly element: string;
  readonly value: unknown;
}

interface Merged {
  readonly live?: unknown;
  readonly applied?: unknown;
}

function keyed(list: readonly unknown[], type: ListType): readonly Item[] {
  return list.map((value, i) => ({ element: itemElement(value, type) ?? `i:${i}`, value }));
}

/**
 * Items come in the order of the applied list. Items that only the live list has stay in its order and before the item
 * that they stood before, as far as the two orders agree.
 */
function interleave(live: readonly Item[], applied: readonly Item[]): readonly Merged[] {
  const before = byElement(live);
  const wanted = new Set(applied.map(({ element }) => element));
  const shared = applied.filter(({ element }) => before.has(element)).map(({ element }) => element);
  const out: Merged[] = [];
  let i = 0;
  let next = 0;
  for (const { element, value } of applied) {
    i = passLiveItems({ live, from: i, until: element }, (item) => {
      if (!wanted.has(item.element)) return out.push({ live: item.value }) > 0;
      // A shared item waits for its turn in the applied order; one that had its turn is passed by.
      return shared[next] !== undefined && shared[next] !== item.element;
    });
    // Past the last shared item, what did not pass has been merged already.
    if (i < live.length && (live[i]?.element === element || shared[next] === undefined)) i++;
    const current = before.get(element);
    out.push({ ...(current !== undefined && { live: current }), applied: value });
    if (shared[next] === element) next++;
  }
  for (const item of live.slice(i)) if (!wanted.has(item.element)) out.push({ live: item.value });
  return out;
}

/** Moves over live items until one must wait; returns where to go on. */
function passLiveItems(
  { live, from, until }: { live: readonly Item[]; from: number; until: string },
  passes: (item: Item) => boolean,
): number {
  let i = from;
  for (; i < live.length; i++) {
    const item = live[i];
    if (!item || item.element === until || !passes(item)) break;
  }
  return i;
}

/** Items that share an element are not merged with: each would be as good as the other. */
function byElement(items: readonly Item[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { element, value } of items) found.set(element, found.has(element) ? undefined : value);
  return found;
}

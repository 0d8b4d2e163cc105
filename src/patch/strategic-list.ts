import { isObject, memberOf } from '../base/index.ts';
import type { Members } from '../base/index.ts';
import { goText } from './go-text.ts';
import { failedPatch } from './patch-error.ts';
import { elementType } from './strategic-type.ts';
import type { PatchType } from './strategic-type.ts';
import {
  directiveMarker,
  containsMaps,
  isDirective,
  literal,
  noMergeKey,
  unknownDirective,
} from './strategic-value.ts';

type List = readonly unknown[];

/** Merges a map of the patch into an element of the list; given from outside, for maps and lists contain each other. */
export type MergeElement = (element: Members, patch: Members, type: PatchType) => Members;

/** A list of the object and the patch for it. */
export interface ListPatch {
  readonly live: List;
  readonly patch: List;
}

/** Merges a list by its merge key, or by value when its items are scalars. */
export function mergeList({ live, patch }: ListPatch, type: PatchType, mergeElement: MergeElement): List {
  if (type.strategy !== 'merge') return literal(patch) as List;
  if (live.length === 0 && patch.length === 0) return live;
  if (!containsMaps(live, patch)) {
    return inOrder([...new Set([...live, ...patch])], { first: patch, behind: live, keyOf: itself });
  }
  if (type.mergeKey === '') throw failedPatch(`cannot merge lists without merge key for ${elementType(type).name}`);
  const split = obeyDirectives({ live, patch }, type.mergeKey);
  const merged = mergeElements(split, type, mergeElement);
  return inOrder(merged, { first: split.patch, behind: split.live, keyOf: keyed(type.mergeKey) });
}

/** Carries out `$patch: delete` and `$patch: replace`; what is left of the patch is elements to merge. */
function obeyDirectives({ live, patch }: ListPatch, mergeKey: string): ListPatch {
  let kept = live;
  let replaces = false;
  for (const item of patch) {
    if (!isDirective(item)) continue;
    const directive = item[directiveMarker];
    if (directive === 'replace') replaces = true;
    else if (directive === 'delete') kept = without(kept, item, mergeKey);
    else if (directive === 'merge') throw failedPatch('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(item);
  }
  const elements = patch.filter((item) => !isDirective(item));
  return replaces ? { live: literal(elements) as List, patch: [] } : { live: kept, patch: elements };
}

function without(list: List, deletion: Members, mergeKey: string): List {
  const value = memberOf(deletion, mergeKey);
  if (value === undefined) throw noMergeKey(deletion, mergeKey);
  return list.filter((item) => !isObject(item) || memberOf(item, mergeKey) !== value);
}

function mergeElements({ live, patch }: ListPatch, type: PatchType, mergeElement: MergeElement): List {
  const merged = [...live];
  const element = elementType(type);
  const keyOf = keyed(type.mergeKey);
  const places = new Map<unknown, number>();
  for (const [index, item] of merged.entries()) if (!places.has(keyOf(item))) places.set(keyOf(item), index);
  for (const item of patch) {
    const place = places.get(keyOf(item));
    if (place === undefined) {
      places.set(keyOf(item), merged.length);
      merged.push(literal(item));
    } else {
      merged[place] = mergeElement(merged[place] as Members, item as Members, element);
    }
  }
  return merged;
}

/** The input of `$setElementOrder`: the order asked for, and the list and patch that were merged. */
interface Ordering extends ListPatch {
  readonly order: List;
}

/** Puts a merged list into the order of `$setElementOrder`; elements that only the server has keep their neighbours. */
export function reorder(merged: List, { live, patch, order }: Ordering, type: PatchType): List {
  if (!containsMaps(merged)) return inOrder(merged, { first: order, behind: live, keyOf: itself });
  // A list of maps without a key has nothing to be ordered by.
  if (type.mergeKey === '') return merged;
  const keyOf = keyed(type.mergeKey);
  return inOrder(merged, { first: order, behind: worked(live, patch, type.mergeKey), keyOf });
}

/**
 * The live list as a merge in place leaves it, by which Kubernetes finds the neighbours of elements that only the
 * server has: deletions move what follows to the front, additions fill the space at the end, and the rest stays as it
 * was.
 */
function worked(live: List, patch: List, mergeKey: string): List {
  const list = [...live];
  let length = list.length;
  const placeOf = (item: unknown) => {
    const key = isObject(item) ? memberOf(item, mergeKey) : undefined;
    return list.slice(0, length).findIndex((one) => isObject(one) && memberOf(one, mergeKey) === key);
  };
  for (const item of patch) {
    if (!isDirective(item) || item[directiveMarker] !== 'delete') continue;
    for (let place = placeOf(item); place >= 0; place = placeOf(item)) list.copyWithin(place, place + 1, length--);
  }
  for (const item of patch) {
    if (isDirective(item) || length >= list.length || placeOf(item) >= 0) continue;
    list[length++] = item;
  }
  return list;
}

interface Order {
  readonly first: List;
  readonly behind: List;
  readonly keyOf: (item: unknown) => unknown;
}

/**
 * Elements that the patch names come in the patch's order. The others come in the live order, each placed before the
 * first named element that stood behind it, as far as the two orders allow.
 */
function inOrder(items: List, { first, behind, keyOf }: Order): List {
  const wanted = positions(first, keyOf);
  const live = positions(behind, keyOf);
  const named = items.filter((item) => wanted.has(keyOf(item)));
  const others = items.filter((item) => !wanted.has(keyOf(item)));
  named.sort((a, b) => (wanted.get(keyOf(a)) ?? 0) - (wanted.get(keyOf(b)) ?? 0));
  others.sort((a, b) => (live.get(keyOf(a)) ?? 0) - (live.get(keyOf(b)) ?? 0));
  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    const place = live.get(keyOf(item)) ?? -1;
    while (next < others.length && (live.get(keyOf(others[next])) ?? Infinity) < place) result.push(others[next++]);
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

function positions(list: List, keyOf: (item: unknown) => unknown): Map<unknown, number> {
  const found = new Map<unknown, number>();
  for (const [index, item] of list.entries()) if (!found.has(keyOf(item))) found.set(keyOf(item), index);
  return found;
}

function keyed(mergeKey: string): (item: unknown) => unknown {
  return (item) => {
    const key = isObject(item) ? memberOf(item, mergeKey) : undefined;
    if (key === undefined) throw noMergeKey(item, mergeKey);
    return key;
  };
}

function itself(item: unknown): unknown {
  return item;
}

/** The elements of the patch must come in the order that the patch itself asks for. */
export function checkOrder(patch: List, order: List, type: PatchType): void {
  if (order.length === 0 || patch.length === 0) return;
  const elements = patch.filter((item) => !isDirective(item) || item[directiveMarker] !== 'delete');
  const keyOf = type.mergeKey === '' ? itself : keyed(type.mergeKey);
  let next = 0;
  for (const item of order) {
    while (isDirective(elements[next])) next++;
    if (next < elements.length && keyOf(elements[next]) === keyOf(item)) next++;
  }
  // A directive behind the last element counts as one that the order does not name.
  if (next < elements.length) throw orderMismatch(patch, order);
}

function orderMismatch(patch: List, order: List) {
  return failedPatch(
    `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}

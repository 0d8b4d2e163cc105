import type { KubeObject } from '../../api/index.ts';
import { equal, isObject, difference, isEmptySet, leaf, union } from '../../base/index.ts';
import { compareObjects } from '../fields/compare.ts';
import type { Difference } from '../fields/compare.ts';
import { typeOfKind } from '../fields/field-type.ts';
import { entryOf, isOwnedBy, order, readEntries, reconciledEntries, writeEntries } from './entries.ts';
import type { ManagedFieldsEntry, Owner } from './entries.ts';
import { withoutOwnership } from './lost-fields.ts';
import { withManagedFields } from './managed-object.ts';
import { trackedType } from './tracked-type.ts';
import type { OwnershipScope } from './tracked-type.ts';

/** A create, update or patch that is about to be stored. */
export interface UpdateRequest<T extends KubeObject> extends OwnershipScope {
  /** The stored object; absent for a creation. */
  readonly before: T | undefined;
  readonly after: T;
  readonly manager: string;
  /** The time of the request, RFC 3339 in UTC with whole seconds. */
  readonly now: string;
}

/**
 * The object to store, with managedFields brought up to date: the manager comes to own what it changed, and all others
 * lose that and what is gone. A request that changes nothing leaves managedFields as they were.
 */
export function trackUpdate<T extends KubeObject>(request: UpdateRequest<T>): T {
  const { before, after } = request;
  const stored = before?.metadata.managedFields;
  const entries = reconciledEntries(entriesOf(request), typeOfKind(request.kind, request.definitions));
  // An object whose ownership was given up stays untracked until someone applies to it.
  if (entries.length === 0 && before) return withManagedFields(after, undefined);
  const changes = compareObjects({ before, after }, trackedType(request));
  const owner: Owner = {
    manager: request.manager || 'unknown',
    operation: 'Update',
    apiVersion: after.apiVersion,
    ...(request.subresource && { subresource: request.subresource }),
  };
  const next = updatedEntries(entries, { ...changes, owner, now: request.now });
  if (next === entries && entries === readEntries(stored)) return withManagedFields(after, stored);
  return withManagedFields(after, writeEntries(capUpdaters(next)));
}

/** The entries to start from: a client may write managedFields, but not by leaving them out, nor by a subresource. */
function entriesOf(request: UpdateRequest<KubeObject>): readonly ManagedFieldsEntry[] {
  const stored = request.before?.metadata.managedFields;
  const given = request.after.metadata.managedFields;
  const live = readEntries(stored) ?? [];
  // Clients that send back what they read send equal entries: ours are kept, for their parts are shared.
  if (request.subresource || given === undefined || equal(given, stored)) return live;
  if (isReset(given)) return [];
  const read = readEntries(given) ?? [];
  return read.length > 0 ? read : live;
}

/** An empty list, or one empty entry, is how a client asks to forget all managers. */
function isReset(given: unknown): boolean {
  if (!Array.isArray(given)) return false;
  return given.length === 0 || (given.length === 1 && isObject(given[0]) && Object.keys(given[0]).length === 0);
}

interface OwnedDifference extends Difference {
  readonly owner: Owner;
  readonly now: string;
}

/** The entries after a change; the very list that was given when none of them is affected. */
function updatedEntries(
  entries: readonly ManagedFieldsEntry[],
  change: OwnedDifference,
): readonly ManagedFieldsEntry[] {
  const changed = union(change.modified, change.added);
  if (isEmptySet(changed) && isEmptySet(change.removed)) return entries;
  const own = entries.find((entry) => isOwnedBy(entry, change.owner));
  const others = withoutOwnership(entries, own, { changed, removed: change.removed });
  if (!isEmptySet(changed)) {
    const kept = own ? difference(own.fieldsV1, change.removed) : leaf;
    return [...others, entryOf(change.owner, union(kept, changed), change.now)];
  }
  const same = others.length === entries.length && others.every((entry, i) => entry === entries[i]);
  return same ? entries : others;
}

const maxUpdaters = 10;

/** Keeps the number of updaters bounded: beyond ten, the oldest of each version are put together under one name. */
function capUpdaters(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const updaters = entries.filter(({ operation }) => operation === 'Update');
  if (updaters.length <= maxUpdaters) return entries;
  const oldest = updaters.toSorted((a, b) => order(a.time ?? '', b.time ?? '') || order(a.manager, b.manager));
  const kept = new Set(entries);
  const first = new Map<string, ManagedFieldsEntry>();
  for (const entry of oldest) {
    if (kept.size - (entries.length - updaters.length) <= maxUpdaters) break;
    const start = first.get(entry.apiVersion);
    if (start) joinBucket(kept, start, entry);
    else first.set(entry.apiVersion, entry);
  }
  return [...kept];
}

/** Puts an entry into the bucket of its version, which starts as the oldest entry of that version. */
function joinBucket(kept: Set<ManagedFieldsEntry>, start: ManagedFieldsEntry, entry: ManagedFieldsEntry): void {
  const owner: Owner = { manager: 'ancient-changes', operation: 'Update', apiVersion: entry.apiVersion };
  if (isOwnedBy(entry, owner)) return;
  const bucket = [...kept].find((one) => isOwnedBy(one, owner)) ?? start;
  kept.delete(bucket);
  kept.delete(entry);
  // The time of the newest change in the bucket.
  kept.add(entryOf(owner, union(bucket.fieldsV1, entry.fieldsV1), entry.time));
}

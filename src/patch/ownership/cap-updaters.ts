import { union } from '../fields/field-set.ts';
import { entryOf, isOwnedBy, order } from './entries.ts';
import type { ManagedFieldsEntry, Owner } from './entries.ts';

const maxUpdaters = 10;

/** Keeps the number of updaters bounded: beyond ten, the oldest of each version are put together under one name. */
export function capUpdaters(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
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

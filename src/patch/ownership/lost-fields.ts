import { difference, isEmptySet } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import type { ManagedFieldsEntry } from './entries.ts';

/** Fields that change hands and fields that are gone. */
interface LostFields {
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/**
 * The entries without what another request changed or removed; one that has nothing left is dropped. The entry that
 * makes the change loses only what is gone, and is left out where something changed: it is written again.
 */
export function withoutOwnership(
  entries: readonly ManagedFieldsEntry[],
  own: ManagedFieldsEntry | undefined,
  { changed, removed }: LostFields,
): readonly ManagedFieldsEntry[] {
  const kept: ManagedFieldsEntry[] = [];
  for (const entry of entries) {
    if (entry === own && !isEmptySet(changed)) continue;
    const fieldsV1 = difference(difference(entry.fieldsV1, removed), changed);
    if (isEmptySet(fieldsV1)) continue;
    kept.push(fieldsV1 === entry.fieldsV1 ? entry : { ...entry, fieldsV1 });
  }
  return kept;
}

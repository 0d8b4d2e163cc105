import { fieldSetOf } from '../fields/field-set-of.ts';
import { difference, intersection, union } from '../fields/field-set.ts';
import type { FieldSet } from '../fields/field-set.ts';
import type { FieldType } from '../fields/field-type.ts';
import { withNamedFields } from '../fields/named-fields.ts';
import { withoutFields } from '../fields/remove.ts';

/** The fields that an applier owned before, and those that all managers own now, itself included. */
interface Ownership {
  readonly last: FieldSet;
  readonly owned: FieldSet;
}

/**
 * Takes out of a merged object what its applier no longer applies: fields that it owned, that it leaves out now, and
 * that no other manager owns.
 */
export function withoutGivenUp(merged: unknown, { last, owned }: Ownership, type: FieldType): unknown {
  const named = (set: FieldSet) => withNamedFields(set, type);
  const mentioned = (object: unknown) => named(fieldSetOf(object, type));
  const all = mentioned(merged);
  const stripped = withoutFields(merged, named(last), type);
  // An owned field comes back, together with its parents.
  const owners = withoutFields(merged, difference(all, union(mentioned(stripped), named(owned))), type);
  // A field that went along without ever having been the applier's comes back too.
  const doomed = intersection(difference(all, mentioned(owners)), named(last));
  return withoutFields(merged, doomed, type);
}

import { fieldSetOf } from '../fields/field-set-of.ts';
import { asMember, difference, intersection, isEmptySet, leaf, union } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import type { FieldType } from '../fields/field-type.ts';
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

const nothing: FieldType = { scalar: undefined, list: undefined, map: undefined };

/** The set, with every declared field on the way to its members made a member too. */
function withNamedFields(set: FieldSet, type: FieldType): FieldSet {
  const out: Record<string, FieldSet> = {};
  for (const element of Object.keys(set)) {
    const node = set[element] ?? leaf;
    if (element === '.' || isEmptySet(node)) {
      out[element] = node;
      continue;
    }
    const below = withNamedFields(node, typeBelow(element, type));
    const declared = element.startsWith('f:') && type.map?.fieldOf(element.slice(2)) !== undefined;
    out[element] = declared ? asMember(below) : below;
  }
  return out;
}

function typeBelow(element: string, { map, list }: FieldType): FieldType {
  if (element.startsWith('f:') && map) {
    return map.fieldOf(element.slice(2))?.type ?? map.element() ?? nothing;
  }
  return element.startsWith('k:') && list ? list.element() : nothing;
}

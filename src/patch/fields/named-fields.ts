import { asMember, isEmptySet, leaf } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldType } from './field-type.ts';

const nothing: FieldType = { scalar: undefined, list: undefined, map: undefined };

/** The set, with every declared field on the way to its members made a member too. */
export function withNamedFields(set: FieldSet, type: FieldType): FieldSet {
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

import { hasMember } from '../base/index.ts';
import type { Definitions, Schema } from '../api/index.ts';
import { failedPatch } from './patch-error.ts';
import { resolved, typeNameOf } from './schema-walk.ts';

/** The facts about a field that strategic merge needs: its type, and how lists and objects in it are merged. */
export interface PatchType {
  readonly name: string;
  readonly schema: Schema;
  readonly definitions: Definitions;
  /** `merge`, `replace` or '' (objects merge, lists are replaced). */
  readonly strategy: string;
  readonly mergeKey: string;
}

/** The type of the object to patch. */
export function rootType(schema: Schema, definitions: Definitions): PatchType {
  return typeOfField(schema, definitions);
}

/** The type of a member; a free-form object knows nothing of its members. */
export function memberType(type: PatchType, key: string): PatchType {
  const { schema, definitions } = type;
  const { properties, additionalProperties } = schema;
  const property = properties && hasMember(properties, key) ? properties[key] : undefined;
  if (property) return typeOfField(property, definitions);
  if (typeof additionalProperties === 'object') return typeOfField(additionalProperties, definitions);
  if (!properties || schema['x-kubernetes-preserve-unknown-fields'] || additionalProperties === true) {
    return typeOfField({}, definitions);
  }
  throw failedPatch(`unable to find api field in struct ${type.name} for the json field ${JSON.stringify(key)}`);
}

/** The type of a list's elements. */
export function elementType(type: PatchType): PatchType {
  return typeOfField(type.schema.items ?? {}, type.definitions);
}

function typeOfField(field: Schema, definitions: Definitions): PatchType {
  const schema = resolved(field, definitions);
  return {
    name: typeNameOf(field) || typeNameOf(schema),
    schema,
    definitions,
    strategy: strategyOf(field['x-kubernetes-patch-strategy'] ?? schema['x-kubernetes-patch-strategy'] ?? ''),
    mergeKey: field['x-kubernetes-patch-merge-key'] ?? schema['x-kubernetes-patch-merge-key'] ?? '',
  };
}

/** `retainKeys` only tells clients which directive to send; what remains says how to merge. */
function strategyOf(declared: string): string {
  const strategies = declared.split(',');
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (others.length > 1) throw failedPatch(`unexpected patch strategy: [${strategies.join(' ')}]`);
  return others[0] ?? '';
}

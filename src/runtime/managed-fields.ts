import type { KubeObject } from '../api/index.ts';
import { difference, isEmptySet, isFieldSet, isObject, leaf, union } from '../base/index.ts';
import type { FieldSet } from '../base/index.ts';

/** The object without managedFields. A server that gets an object without them keeps its own record. */
export function withoutManagers<T extends KubeObject>(object: T): T {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : Object.freeze({ ...object, metadata: Object.freeze(metadata) });
}

/**
 * The object with managedFields that name managers and times but no fields. The field sets are as large as the object and no
 * decision reads them. Do not write such an object to a server.
 */
export function withoutFields(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  if (!Array.isArray(managedFields) || managedFields.length === 0) return object;
  const light = (managedFields as readonly { readonly fieldsV1?: unknown }[]).map((entry) => {
    const { fieldsV1: _, ...others } = entry;
    return Object.freeze(others);
  });
  const metadata = Object.freeze({ ...object.metadata, managedFields: Object.freeze(light) });
  return Object.freeze({ ...object, metadata });
}

interface ManagedEntry {
  readonly manager?: unknown;
  readonly subresource?: unknown;
  readonly fieldsV1: FieldSet;
}

/** A member may answer anything. */
const isEntry = (entry: unknown): entry is ManagedEntry => isObject(entry) && isFieldSet(entry['fieldsV1']);

/**
 * The object with the fields that other writers own and this manager does not, as one entry of managedFields; without
 * managedFields when there are none. Metadata and status are left out: labels and annotations have a record of their own.
 */
export function withOthersFields(object: KubeObject, own: string): KubeObject {
  const { managedFields } = object.metadata;
  if (!Array.isArray(managedFields)) return withoutManagers(object);
  const fields = othersFields(managedFields.filter(isEntry), own);
  if (isEmptySet(fields)) return withoutManagers(object);
  const light = Object.freeze([Object.freeze({ fieldsV1: fields })]);
  return Object.freeze({ ...object, metadata: Object.freeze({ ...object.metadata, managedFields: light }) });
}

function othersFields(entries: readonly ManagedEntry[], own: string): FieldSet {
  let others: FieldSet = leaf;
  for (const { manager, subresource, fieldsV1 } of entries)
    if (manager !== own && subresource !== 'status') others = union(others, contentOf(fieldsV1));
  if (isEmptySet(others)) return others;
  for (const { manager, fieldsV1 } of entries) if (manager === own) others = difference(others, fieldsV1);
  return others;
}

function contentOf(fields: FieldSet): FieldSet {
  const { 'f:metadata': _, 'f:status': __, ...content } = fields;
  return content;
}

import type { KubeObject } from '../api/index.ts';

/** The object without the record of its managers: a server takes one that is written so as leaving the record as it is. */
export function withoutManagers<T extends KubeObject>(object: T): T {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : Object.freeze({ ...object, metadata: Object.freeze(metadata) });
}

/**
 * The object with a record of who wrote when, but not what: that is as large as the object, and nobody decides by it. It
 * must not be written so.
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

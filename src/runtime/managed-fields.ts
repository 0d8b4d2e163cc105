import type { KubeObject } from '../api/index.ts';

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

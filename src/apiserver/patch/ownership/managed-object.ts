import type { KubeObject } from '../../../api/index.ts';

/** The object with these managedFields; itself when it has them already. */
export function withManagedFields<T extends KubeObject>(object: T, managedFields: readonly unknown[] | undefined): T {
  if (object.metadata.managedFields === managedFields) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  const kept = managedFields && managedFields.length > 0 ? { ...metadata, managedFields } : metadata;
  return { ...object, metadata: kept };
}

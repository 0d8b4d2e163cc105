import type { KubeObject } from '../../api/index.ts';

/** The object with these managedFields; itself when it has them already. */
export function withManagedFields<T extends KubeObject>(object: T, managedFields: readonly unknown[] | undefined): T {
  if (object.metadata.managedFields === managedFields) return object;
  if (managedFields && managedFields.length > 0) {
    return { ...object, metadata: { ...object.metadata, managedFields } };
  }
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

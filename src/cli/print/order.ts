import type { Ref } from '../../api/index.ts';

const { compare } = new Intl.Collator('en', { numeric: true });

/** The order in which people look for objects: by namespace, kind and name, app2 before app10. */
export function byName(a: Ref, b: Ref): number {
  return compare(a.namespace ?? '', b.namespace ?? '') || compare(a.kind, b.kind) || compare(a.name, b.name);
}

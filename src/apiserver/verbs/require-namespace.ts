import { ApiError, forbidden, notFound } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { namespacesResource } from '../../kinds/index.ts';
import type { Call } from '../call.ts';
import { objectKey } from '../storage/object-keys.ts';

/** Nothing is created in a namespace that does not exist or is going away. */
export function requireNamespace(call: Call, name: string): void {
  const { kind, target, parts } = call;
  if (!kind.namespaced) return;
  const entry = parts.store.get(objectKey(namespacesResource, '', target.namespace));
  if (!entry) throw notFound(namespacesResource, target.namespace);
  const { metadata } = entry.plain as KubeObject;
  if (!metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${target.namespace} because it is being terminated`;
  const { status } = forbidden(kind, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${target.namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw new ApiError({ ...status, details: { ...status.details, causes: [cause] } });
}

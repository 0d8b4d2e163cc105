import { hasReason } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import type { HubParts } from '../call.ts';
import { settled } from '../input.ts';
import { internalCall } from '../internal.ts';
import { createDraft } from '../verbs/create.ts';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes sure of the namespaces that every cluster has. */
export async function establish(parts: HubParts): Promise<void> {
  for (const name of namespaces) await ensure(parts, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** Creates an object unless there is one of its name. */
export async function ensure(parts: HubParts, object: KubeObject): Promise<void> {
  const { namespace = '' } = object.metadata;
  const kind = kindOf(parts, object);
  const call = internalCall(parts, kind, { namespace, name: '' });
  try {
    await createDraft(call, settled(call, { ...object, metadata: { ...object.metadata } }, []));
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

function kindOf(parts: HubParts, { apiVersion, kind }: KubeObject): KindInfo {
  const found = parts.catalog().byKind(apiVersion, kind);
  if (!found) throw new Error(`the catalog lacks ${apiVersion} ${kind}`);
  return found;
}

import { hasReason } from '../../api/index.ts';
import type { CustomResourceDefinition, KindInfo, KubeObject } from '../../api/index.ts';
import { clone } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { HubParts } from '../call.ts';
import { shaped } from '../request/draft.ts';
import { internalCall } from './own-call.ts';
import { createDraft } from '../verbs/create.ts';
import { changeObject } from '../verbs/update.ts';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes sure of the namespaces that every cluster has, and of the definitions of our own kinds. */
export async function establish(parts: HubParts, definitions: readonly CustomResourceDefinition[]): Promise<void> {
  for (const name of namespaces) await ensure(parts, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const definition of definitions) {
    if (!(await ensure(parts, definition))) await refresh(parts, definition);
  }
}

/** A newer release may describe its kinds differently; what others wrote into the metadata stays. */
async function refresh(parts: HubParts, definition: CustomResourceDefinition): Promise<void> {
  const call = internalCall(parts, kindOf(parts, definition), { namespace: '', name: definition.metadata.name });
  const make = (old: KubeObject): Draft => shaped(call, clone({ ...old, spec: definition.spec }), []);
  await changeObject(call, { make });
}

/** Creates an object unless there is one of its name; tells whether it did. */
export async function ensure(parts: HubParts, object: KubeObject): Promise<boolean> {
  const { namespace = '' } = object.metadata;
  const kind = kindOf(parts, object);
  const call = internalCall(parts, kind, { namespace, name: '' });
  try {
    await createDraft(call, shaped(call, clone({ ...object }), []));
    return true;
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    return false;
  }
}

function kindOf(parts: HubParts, { apiVersion, kind }: KubeObject): KindInfo {
  const found = parts.catalog().byKind(apiVersion, kind);
  if (!found) throw new Error(`the catalog lacks ${apiVersion} ${kind}`);
  return found;
}

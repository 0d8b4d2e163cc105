import { hasReason } from '../../api/index.ts';
import type { CustomResourceDefinition, KindInfo, KubeObject } from '../../api/index.ts';
import { clone } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { HubParts } from '../call.ts';
import { shaped } from '../request/draft.ts';
import { objectKey } from '../storage/object-keys.ts';
import { internalCall } from './own-call.ts';
import { createDraft } from '../verbs/create.ts';
import { changeObject } from '../verbs/update.ts';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** The classes that every cluster has for its own pods. */
const priorityClasses = (
  [
    [
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ],
    [
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ],
  ] as const
).map(([name, value, description]) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  description,
}));

/** The name of the API server inside a cluster, at the first address of Services. */
const apiService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    clusterIP: '10.96.0.1',
    clusterIPs: ['10.96.0.1'],
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  },
};

/** Makes sure of the namespaces that every cluster has, and of the definitions of our own kinds. */
export async function establish(parts: HubParts, definitions: readonly CustomResourceDefinition[]): Promise<void> {
  for (const name of namespaces) await ensure(parts, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of [...priorityClasses, apiService]) await ensure(parts, object);
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
  if (parts.store.get(objectKey(kind, namespace, object.metadata.name))) return false;
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

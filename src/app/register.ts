import { ApiError, clusterApi, hasReason } from '../api/index.ts';
import type { Cluster, KubeObject } from '../api/index.ts';
import type { ApiClient } from '../client/index.ts';
import { covers } from '../engine/index.ts';

/** A member that is to be known to the hub. */
export interface Registration {
  readonly name: string;
  readonly url: string;
  readonly caBundle: string;
  readonly token: string;
}

const home = 'karmada-cluster';
const systemLabels = { 'karmada.io/system': 'true' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Makes a member known to the hub, or brings up to date how it is reached. Safe to repeat. */
export async function register(hub: ApiClient, member: Registration): Promise<void> {
  await ensure(hub, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home, labels: systemLabels } });
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: member.name, namespace: home, labels: systemLabels },
    type: 'Opaque',
    data: { token: base64(member.token), caBundle: base64(member.caBundle) },
  };
  await ensure(hub, secret);
  const cluster: Cluster = {
    apiVersion: clusterApi,
    kind: 'Cluster',
    metadata: { name: member.name },
    spec: { syncMode: 'Push', apiEndpoint: member.url, secretRef: { namespace: home, name: member.name } },
  };
  await ensure(hub, cluster);
}

/** Creates an object, or brings the parts that are ours up to date; writes nothing when they are. */
export async function ensure(hub: ApiClient, wanted: KubeObject): Promise<void> {
  const { apiVersion, kind, metadata, ...content } = wanted;
  const ref = { apiVersion, kind, name: metadata.name, ...(metadata.namespace && { namespace: metadata.namespace }) };
  const present = await hub.find(ref);
  if (!present) return create(hub, wanted);
  const same = Object.entries(content).every(([field, value]) =>
    covers((present as unknown as Record<string, unknown>)[field], value),
  );
  if (!same) await hub.patch(ref, content, { type: 'merge' });
}

async function create(hub: ApiClient, object: KubeObject): Promise<void> {
  try {
    await hub.create(object);
  } catch (error) {
    if (!(error instanceof ApiError) || !hasReason(error, 'AlreadyExists')) throw error;
  }
}

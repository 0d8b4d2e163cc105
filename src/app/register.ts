import { ApiError, clusterApi, hasReason, impersonatorSecretRef, memberSecretNamespace } from '../api/index.ts';
import type { Cluster, KubeObject } from '../api/index.ts';
import { ApiClient, HttpsTransport, memberBounds, resourcesOf } from '../client/index.ts';
import { covers } from '../engine/index.ts';
import { SetupError } from './config.ts';

/** A member that is to be known to the hub. */
export interface Registration {
  readonly name: string;
  readonly url: string;
  readonly caBundle: string;
  readonly token: string;
  /** The token of the account that impersonates users; absent: the member is not reached by the cluster proxy. */
  readonly impersonatorToken?: string;
}

const home = memberSecretNamespace;
const systemLabels = { 'karmada.io/system': 'true' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * Makes a member known to the hub, or brings up to date how it is reached. Safe to repeat. One cluster under two names
 * is refused: it would get everything twice, and each name would undo what the other does.
 */
export async function register(hub: ApiClient, member: Registration): Promise<void> {
  const id = await identityOf(member);
  await refuseTwin(hub, member.name, id);
  await ensure(hub, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home, labels: systemLabels } });
  await ensure(hub, secretOf(member.name, { token: member.token, caBundle: member.caBundle }));
  const impersonator = member.impersonatorToken && impersonatorSecretRef(member.name);
  if (impersonator) await ensure(hub, secretOf(impersonator.name, { token: member.impersonatorToken ?? '' }));
  const cluster: Cluster = {
    apiVersion: clusterApi,
    kind: 'Cluster',
    metadata: { name: member.name },
    spec: {
      id,
      syncMode: 'Push',
      apiEndpoint: member.url,
      secretRef: { namespace: home, name: member.name },
      ...(impersonator && { impersonatorSecretRef: impersonator }),
    },
  };
  await ensure(hub, cluster);
}

function secretOf(name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const data = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, base64(text)]));
  const metadata = { name, namespace: home, labels: systemLabels };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data } as KubeObject;
}

/** The identity of a cluster: the uid of a namespace that every cluster has and nobody deletes. */
async function identityOf({ url: server, caBundle, token }: Registration): Promise<string> {
  const transport = new HttpsTransport({ server, caBundle, token }, { bounds: memberBounds });
  const client = new ApiClient({ transport, resources: () => resourcesOf([]) });
  try {
    const { body } = await client.raw({ method: 'GET', path: '/api/v1/namespaces/kube-system' });
    return (body as KubeObject).metadata.uid ?? '';
  } finally {
    await client.close();
  }
}

async function refuseTwin(hub: ApiClient, name: string, id: string): Promise<void> {
  const { items } = await hub.listAll<Cluster>({ apiVersion: clusterApi, kind: 'Cluster' });
  const twin = items.find(({ metadata, spec }) => metadata.name !== name && spec?.id === id);
  if (twin) throw new SetupError(`${name} is the same cluster as ${twin.metadata.name}: remove that one first`);
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

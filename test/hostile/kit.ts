/**
 * Whole systems for attacks: `sluice up` on a given folder, and a hub in this process with tenants of given rights.
 * Start with `startedOn` and `openHouse`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crds, defaultGates, refOf } from '../../src/api/index.ts';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { admission } from '../../src/admission/index.ts';
import { createHub } from '../../src/apiserver/index.ts';
import type { HubRequest } from '../../src/apiserver/index.ts';
import { openAuthority } from '../../src/auth/index.ts';
import { controllerUser, up } from '../../src/app/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';
import { memberCluster, configMap, configMaps, policy } from '../kit/objects.ts';
import { untilObject } from '../kit/until.ts';

/** A system that runs on a folder. */
export interface OnFolder {
  /** Makes a template with a policy and waits until it is on member1. */
  placesTemplate(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts hub, controllers and one member on what the folder holds. */
export async function startedOn(dataDir: string): Promise<OnFolder> {
  const kubeconfigs = await mkdtemp(join(tmpdir(), 'hostile-'));
  const running = await up({
    dataDir,
    listen: { host: '127.0.0.1', port: 0 },
    members: ['member1'],
    kubeconfig: join(kubeconfigs, 'kubeconfig'),
    gates: defaultGates,
    version: 'test',
    logLevel: 'silent',
  });
  const { client } = running.plane;
  return {
    async placesTemplate(name) {
      // Policies over the whole fleet may rightly change or suspend a new template.
      for (const kind of fleetWide)
        for (const object of (await client.listAll(kind)).items) await removeAtOnce(client, refOf(object));
      await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await client.create(policy(name, { namespace: name, to: 'member1', select: [configMaps({ name })] }));
      await client.create(configMap(name, { namespace: name }));
      const binding = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', namespace: name };
      await untilObject(client, { ...binding, name: `${name}-configmap` }, (object) =>
        JSON.stringify(object).includes('"applied":true'),
      );
    },
    async stop() {
      await running.stop();
      await rm(kubeconfigs, { recursive: true, force: true });
    },
  };
}

const fleetWide = [
  ...['ClusterPropagationPolicy', 'ClusterOverridePolicy', 'ClusterRolloutPolicy', 'ClusterTaintPolicy'].map(
    (kind) => ({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind,
    }),
  ),
  { apiVersion: 'config.karmada.io/v1alpha1', kind: 'ResourceInterpreterCustomization' },
];

async function removeAtOnce(client: ApiClient, ref: Ref): Promise<void> {
  await client.patch(ref, { metadata: { finalizers: null } }, { type: 'merge' });
  if (await client.find(ref)) await client.delete(ref);
}

/** The hub's answer to a tenant. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly object: KubeObject & Readonly<Record<string, unknown>>;
}

/** How a call differs from a plain one. */
export interface CallWords {
  readonly object?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A bearer token in place of a certificate. */
  readonly token?: string;
}

/** A hub in this process with RBAC and our admission. */
export interface House {
  readonly store: Store;
  /** Sends `METHOD /path?query` as a user: `ann`, or `ann/group1/group2`; '' for nobody. */
  as(user: string, line: string, words?: CallWords): Promise<Answer>;
  /** Sends as the administrator; throws unless the answer is 2xx. */
  does(line: string, object?: object): Promise<Answer>;
  /** The failures that the hub did not expect. */
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

const root = 'root/system:masters';

/** A member, so that admission looks for the clusters that a policy names. */
const fleet = memberCluster('member1');

/** Opens a hub in memory. */
export async function openHouse(): Promise<House> {
  const store = memoryStore();
  const faults: unknown[] = [];
  const hub = await createHub({
    store,
    authority: await openAuthority(),
    definitions: crds(),
    admit: [admission({ controllers: new Set([controllerUser.name]), now: () => new Date(), clusters: () => [fleet] })],
    onFault: (error) => void faults.push(error),
  });
  const as: House['as'] = async (user, line, words = {}) => {
    const response = await hub.handle(requestOf(user, line, words));
    const body = textOf(response);
    return { status: response.status, body, object: parsed(body) };
  };
  return {
    store,
    as,
    faults,
    async does(line, object) {
      const answer = await as(root, line, object ? { object } : {});
      if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${answer.body}`);
      return answer;
    },
    async close() {
      await hub.close();
      await store.close();
    },
  };
}

function requestOf(user: string, line: string, { object, headers, token }: CallWords): HubRequest {
  const [method = '', url = ''] = line.split(' ');
  const { path, query } = partsOf(url);
  const [commonName = '', ...organizations] = user.split('/');
  const plain = { 'content-type': 'application/json', accept: 'application/json' };
  return {
    method,
    path,
    query,
    headers: { ...plain, ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(commonName && { peer: { commonName, organizations } }),
    ...(object !== undefined && { body: Buffer.from(JSON.stringify(object)) }),
  };
}

function partsOf(url: string): { readonly path: string; readonly query: string } {
  const [path = '', ...query] = url.split('?');
  return { path, query: query.join('?') };
}

type Response = Awaited<ReturnType<Awaited<ReturnType<typeof createHub>>['handle']>>;

/** The body; of a watch, the events that it shows at once. */
function textOf({ body, parts, stream }: Response): string {
  if (!stream) return body?.toString() ?? (parts ? Buffer.concat(parts).toString() : '');
  const chunks: string[] = [];
  const stop = stream.open({
    write: (chunk) => void chunks.push(chunk.toString()),
    pending: () => 0,
    end: () => {},
  });
  stop();
  return chunks.join('');
}

function parsed(text: string): Answer['object'] {
  try {
    return JSON.parse(text) as Answer['object'];
  } catch {
    return {} as Answer['object'];
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { clusterApi, defaultGates, gatesRef } from '../api/index.ts';
import type { Cluster, Gates, KubeObject } from '../api/index.ts';
import { ApiClient, HttpsTransport, memberBounds, resourcesOf } from '../client/index.ts';
import type { Connection } from '../client/index.ts';
import { createLogger, Metrics, pause, wallClock } from '../observe/index.ts';
import type { Logger, LogFormat, LogLevel } from '../observe/index.ts';
import { SetupError } from './config.ts';
import { ControlPlane } from './controlplane.ts';
import { isSpent, obtainCertificate, writeUserKubeconfig } from './enrollment.ts';
import { observeVersion } from './version.ts';

/** The options of `sluice agent`. */
export interface AgentOptions {
  readonly hub: Connection;
  /** The member, as the hub calls it. */
  readonly cluster: string;
  readonly member: Connection;
  readonly version: string;
  readonly logLevel?: LogLevel;
  readonly logFormat?: LogFormat;
  /** How often the lease is renewed and the member is looked at; 10 s unless told otherwise. */
  readonly everyMilliseconds?: number;
  /** The file and the context of the kubeconfig of the hub: the next certificate is written there. */
  readonly kubeconfig?: string;
  /** Called when the agent cannot begin yet, with the reason, once for each. */
  readonly onWait: (why: string) => void;
}

/** An agent that runs. */
export interface RunningAgent {
  readonly plane: ControlPlane;
  stop(): Promise<void>;
}

const longestPause = 10_000;

/**
 * Starts the agent of one Pull member. Waits as long as the hub does not answer, and begins when it does: an agent that starts during
 * an outage of the hub touches nothing in its member. Undefined when the signal was given first.
 */
export async function startAgent(options: AgentOptions, signal: AbortSignal): Promise<RunningAgent | undefined> {
  const log = createLogger({ level: options.logLevel ?? 'warn', format: options.logFormat ?? 'pretty' });
  const transport = new HttpsTransport(options.hub, { bounds: memberBounds });
  let told = '';
  for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, longestPause)) {
    try {
      const plane = await begun(options, transport, log);
      const renewal = new AbortController();
      void renewing(options, { transport, log, signal: renewal.signal });
      return { plane, stop: () => (renewal.abort(), plane.stop()) };
    } catch (error) {
      if (error instanceof SetupError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      if (why !== told) options.onWait(why);
      told = why;
      await pause(wallClock, wait, signal);
    }
  }
  await transport.close();
  return undefined;
}

interface Renewing {
  readonly transport: HttpsTransport;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const hour = 3_600_000;
const certificateSeconds = 365 * 24 * 3600;

/**
 * Replaces the certificate of the agent when most of its life is over: a new key, signed by the hub, is written to the kubeconfig
 * and used from then on. A failure is tried again an hour later; there is time.
 */
async function renewing(options: AgentOptions, { transport, log, signal }: Renewing): Promise<void> {
  let { hub } = options;
  while (!signal.aborted) {
    try {
      const renewed = await renewedHub(options, hub);
      if (renewed) transport.rotate(renewed);
      hub = renewed ?? hub;
    } catch (error) {
      log.warn('cannot renew the certificate', { member: options.cluster, error });
    }
    await pause(wallClock, hour, signal);
  }
}

/** The hub with another certificate; undefined while the one that is there will do. */
async function renewedHub(
  { kubeconfig, cluster: member }: AgentOptions,
  hub: Connection,
): Promise<Connection | undefined> {
  const { certificate } = hub;
  if (kubeconfig === undefined || !certificate || !isSpent(certificate.certificate, wallClock.now())) return undefined;
  const user = await obtainCertificate(hub, { member, seconds: certificateSeconds, waitMilliseconds: 60_000 });
  await writeUserKubeconfig(kubeconfig, hub, user);
  return { ...hub, certificate: user };
}

async function begun(options: AgentOptions, transport: HttpsTransport, log: Logger): Promise<ControlPlane> {
  const { cluster: member, member: connection, everyMilliseconds } = options;
  const gates = await checkedHub(options, transport);
  const metrics = new Metrics();
  observeVersion(metrics, options.version);
  const plane = new ControlPlane({
    // A plane that fails to start closes its client; the next attempt needs the connections.
    transport: {
      send: (request) => transport.send(request),
      stream: (request) => transport.stream(request),
      close: async () => {},
    },
    gates,
    log,
    metrics,
    agent: { member, connection, ...(everyMilliseconds !== undefined && { heartbeatMilliseconds: everyMilliseconds }) },
    ...(everyMilliseconds !== undefined && { probeMilliseconds: everyMilliseconds }),
  });
  try {
    await plane.start();
    return plane;
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

/** Asks the hub for the Cluster and for the gates of its controllers; refuses to act for another cluster than the hub means. */
async function checkedHub({ cluster: name, member }: AgentOptions, transport: HttpsTransport): Promise<Gates> {
  const hub = new ApiClient({ transport, resources: () => resourcesOf(readByAgents) });
  const cluster = await hub.find<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
  if (!cluster) throw new Error(`the hub has no cluster ${name}: run \`sluice join ${name} --sync-mode Pull\` there`);
  if (cluster.spec.syncMode !== 'Pull')
    throw new SetupError(`the cluster ${name} has the sync mode ${cluster.spec.syncMode}: the hub writes to it itself`);
  const { id } = cluster.spec;
  if (id && id !== (await idOf(member)))
    throw new SetupError(`the cluster ${name} of the hub is another one than the cluster beside this agent`);
  const { data = {} } = ((await hub.find(gatesRef)) ?? {}) as KubeObject & { readonly data?: Record<string, string> };
  const published = Object.entries(data).filter(([gate]) => gate in defaultGates);
  return { ...defaultGates, ...Object.fromEntries(published.map(([gate, on]) => [gate, on === 'true'])) };
}

const readByAgents = [
  { group: 'cluster.karmada.io', version: 'v1alpha1', plural: 'clusters', kind: 'Cluster', namespaced: false },
  { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
].map((kind) => ({ ...kind, verbs: ['get'] }));

async function idOf(connection: Connection): Promise<string> {
  const client = new ApiClient({
    transport: new HttpsTransport(connection, { bounds: memberBounds }),
    resources: () => resourcesOf([]),
  });
  try {
    const { body } = await client.raw({ method: 'GET', path: '/api/v1/namespaces/kube-system' });
    return (body as KubeObject).metadata.uid ?? '';
  } finally {
    await client.close();
  }
}

const account = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The way of a pod to the cluster in which it runs; undefined outside of one. */
export function inClusterConnection(
  environment: NodeJS.ProcessEnv = process.env,
  folder = account,
): Connection | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  const [token, authority] = [path.join(folder, 'token'), path.join(folder, 'ca.crt')];
  if (!host || !existsSync(token)) return undefined;
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    caBundle: readFileSync(authority, 'utf8'),
    // The kubelet replaces the token before it ends.
    token: async () => (await readFile(token, 'utf8')).trim(),
  };
}

import { createServer } from 'node:http';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { clusterApi } from '../api/index.ts';
import type { Gates, MemberAccess, Settings } from '../api/index.ts';
import type { Connection } from '../client/index.ts';
import { controllerOf } from '../controllers/index.ts';
import { HttpsTransport } from '../client/index.ts';
import { Metrics, observeProcess } from '../observe/index.ts';
import type { Logger } from '../observe/index.ts';
import { Lease } from '../runtime/index.ts';
import { FlagError } from './config.ts';
import type { Address } from './config.ts';
import { ControlPlane } from './controlplane.ts';
import { permittedKinds } from './kinds.ts';
import { remoteHub, untilServed } from './remote.ts';
import { observeVersion } from './version.ts';

/** The options of `sluice controllers`. */
export interface ControllersOptions {
  readonly connection: Connection;
  /** Where probes and metrics are served. */
  readonly listen: Address;
  /** The namespace of the lease. */
  readonly namespace: string;
  readonly lease?: LeaseTimes;
  /** All when absent. */
  readonly controllers?: ReadonlySet<string>;
  readonly concurrency?: number;
  readonly gates: Gates;
  readonly settings?: Partial<Settings>;
  readonly memberAccess: MemberAccess;
  readonly version: string;
  readonly log: Logger;
}

/** How long leading lasts without a renewal. */
export interface LeaseTimes {
  readonly durationSeconds: number;
}

/** The controllers of a process that runs. */
export interface RunningControllers {
  readonly port: number;
  readonly plane: ControlPlane;
  /** Resolves when another process has taken the lease. */
  readonly lost: Promise<void>;
  stop(): Promise<void>;
}

/** Reads `--controllers`: names, or `-name` to leave one out of all. */
export function controllersOf(text: string): ReadonlySet<string> | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const known = [...new Set(Object.values(controllerOf)), 'orphans'];
  const wrong = names.filter((name) => !known.includes(name.replace(/^-/, '')));
  if (wrong.length > 0)
    throw new FlagError(`--controllers: there is no controller ${wrong.join(', ')}; there are ${known.join(', ')}`);
  if (names.length === 0) return undefined;
  const without = new Set(names.filter((name) => name.startsWith('-')).map((name) => name.slice(1)));
  const chosen = names.filter((name) => !name.startsWith('-'));
  return new Set((chosen.length > 0 ? chosen : known).filter((name) => !without.has(name)));
}

/** The kinds without which nothing can be decided. */
const needed = [
  { apiVersion: clusterApi, kind: 'Cluster' },
  { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' },
  { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' },
  { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' },
];

/** Runs controllers against a hub elsewhere. Resolves when the caches are complete, whether or not this process leads. */
export async function runControllers(options: ControllersOptions, signal: AbortSignal): Promise<RunningControllers> {
  const { connection, log, version, gates, settings, memberAccess, controllers, concurrency } = options;
  const metrics = new Metrics();
  observeVersion(metrics, version);
  const stopObserving = observeProcess(metrics);
  const hub = remoteHub(connection, { userAgent: 'sluice-controllers', metrics });
  const lease = options.lease && leaseOf(options, options.lease, hub.client);
  if (lease) observeLease(metrics, lease);
  let ready = false;
  const health = await serveHealth(options.listen, { isReady: () => ready, metrics });
  await untilServed(hub, needed, { log, signal });
  const lost = Promise.withResolvers<void>();
  const plane = new ControlPlane({
    transport: new HttpsTransport(connection, { userAgent: 'sluice-controllers' }),
    gates,
    ...(settings && { settings }),
    memberAccess,
    log,
    metrics,
    permitted: permittedKinds(hub, log),
    onLost: lost.resolve,
    ...(lease && { lease }),
    ...(controllers && { controllers }),
    ...(concurrency !== undefined && { concurrency }),
  });
  if (!signal.aborted) await plane.start();
  ready = true;
  return {
    port: health.port,
    plane,
    lost: lost.promise,
    async stop() {
      ready = false;
      await plane.stop();
      stopObserving();
      await health.close();
      await hub.client.close();
    },
  };
}

/** Processes that run the same controllers share a lease; others have one of their own. */
function leaseOf(
  { namespace, controllers, log }: ControllersOptions,
  { durationSeconds }: LeaseTimes,
  server: ReturnType<typeof remoteHub>['client'],
): Lease {
  const name = ['sluice-controllers', ...(controllers ? [...controllers].sort() : [])].join('.');
  return new Lease({
    server,
    namespace,
    name,
    identity: `${hostname()}_${randomUUID()}`,
    durationSeconds,
    renewMilliseconds: (durationSeconds * 1000 * 2) / 3,
    retryMilliseconds: (durationSeconds * 1000 * 2) / 15,
    log,
  });
}

function observeLease(metrics: Metrics, lease: Lease): void {
  const leading = metrics.gauge({
    name: 'sluice_leader',
    help: '1 while this process has the lease, else 0.',
    labels: [],
  });
  const epoch = metrics.gauge({
    name: 'sluice_leader_epoch',
    help: 'How often the lease has gone to another process, as this process saw it last.',
    labels: [],
  });
  metrics.beforeReading(() => {
    leading().set(lease.mayWrite ? 1 : 0);
    epoch().set(lease.epoch);
  });
}

interface Health {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/livez`, `/readyz` and `/metrics` in the clear: nothing in them is secret, and probes need no certificate. */
async function serveHealth(
  { host, port }: Address,
  { isReady, metrics }: { readonly isReady: () => boolean; readonly metrics: Metrics },
): Promise<Health> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const answer = (status: number, text: string): void =>
      void response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    if (path === '/metrics') return answer(200, metrics.text());
    if (path === '/livez' || path === '/healthz') return answer(200, 'ok');
    if (path === '/readyz') return isReady() ? answer(200, 'ok') : answer(503, 'the caches are not complete');
    return answer(404, 'not found');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

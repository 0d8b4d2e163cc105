/**
 * A whole system of one's own: durable hub, live controllers, simulated members over HTTPS. Unlike the stage of the
 * scenarios it is made to be hurt: the controllers can be stopped and started, their way to the hub can be tampered
 * with, and members can be told to misbehave.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crds, defaultGates, keyOf, memberOfNamespace, refOf, strictAccess } from '../../src/api/index.ts';
import type { Cluster, Gates, KubeObject, Ref, Work } from '../../src/api/index.ts';
import { admission } from '../../src/admission/index.ts';
import { openApiServer } from '../../src/apiserver/index.ts';
import type { ApiServer } from '../../src/apiserver/index.ts';
import { clusterProxy, controllerUser, ControlPlane, ownTransport, register } from '../../src/app/index.ts';
import type { ClusterProxy } from '../../src/app/index.ts';
import { ApiClient, discover, HttpsTransport, inProcess } from '../../src/client/index.ts';
import type { Discovered, KindRef, Transport } from '../../src/client/index.ts';
import { appliedOver, conditionStatus } from '../../src/engine/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { Metrics, silentLogger } from '../../src/observe/index.ts';
import type { Tracer } from '../../src/observe/index.ts';
import { retryingConflicts } from './retry-conflict.ts';
import { until } from './until.ts';

/** How a system is set up. */
export interface LiveWords {
  readonly members?: readonly string[];
  readonly gates?: Partial<Gates>;
  /** How long a policy waits for more before it tells how its templates stand. */
  readonly policyMilliseconds?: number;
  /** How long a member may be silent before it is called not ready. */
  readonly patienceSeconds?: number;
}

/** How the controllers are started, when not as usual. */
export interface PlaneWords {
  /** Stands between the controllers and the hub. */
  readonly between?: (transport: Transport) => Transport;
  /** Stands between the controllers and each of their members. */
  readonly betweenMembers?: (transport: Transport) => Transport;
  readonly tracer?: Tracer;
}

const person = { name: 'jane', groups: ['system:masters', 'system:authenticated'] };
const quietMilliseconds = 250;
const usualPatienceSeconds = 1;
const probeMilliseconds = 250;

interface LiveMember {
  readonly simulated: SimulatedMember;
  /** With the token of the hub. */
  readonly client: ApiClient;
}

interface Parts {
  readonly folder: string;
  readonly proxy: ClusterProxy;
  readonly site: ApiServer;
  readonly user: ApiClient;
  readonly members: ReadonlyMap<string, LiveMember>;
  readonly gates: Gates;
  readonly policyMilliseconds: number;
  readonly patienceSeconds: number;
}

/** Starts a hub and members, registers them, and starts the controllers. */
export async function startLive(words: LiveWords = {}): Promise<Live> {
  const { members = ['member1', 'member2'], policyMilliseconds = 20, patienceSeconds = usualPatienceSeconds } = words;
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-live-'));
  let running: Live | undefined;
  const proxy = clusterProxy(() => running?.plane.view, strictAccess);
  const site = await openApiServer({
    proxies: proxy.proxies,
    dataDir: path.join(folder, 'hub'),
    host: '127.0.0.1',
    port: 0,
    definitions: crds(),
    admit: [admission({ controllers: new Set([controllerUser.name]), now: () => new Date() })],
  });
  const user = await connected(inProcess((request) => site.hub.handle(request), person));
  const started = new Map<string, LiveMember>();
  for (const name of members) started.set(name, await startMember(name, path.join(folder, name)));
  for (const { simulated } of started.values()) await register(user, simulated);
  const live = new Live({
    folder,
    proxy,
    site,
    user,
    members: started,
    gates: { ...defaultGates, ...words.gates },
    policyMilliseconds,
    patienceSeconds,
  });
  await live.start();
  running = live;
  return live;
}

async function startMember(name: string, dataDir: string): Promise<LiveMember> {
  const simulated = await startSimulated({ name, dataDir, delayMilliseconds: 0, pods: false });
  const { url: server, caBundle, token } = simulated;
  return { simulated, client: await connected(new HttpsTransport({ server, caBundle, token })) };
}

async function connected(transport: Transport): Promise<ApiClient> {
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'kubectl' });
  served = await discover(client);
  return client;
}

/** A system that runs. */
export class Live {
  readonly #parts: Parts;
  #plane: ControlPlane | undefined;
  #metrics = new Metrics();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get site(): ApiServer {
    return this.#parts.site;
  }

  /** The user's client of the hub. */
  get user(): ApiClient {
    return this.#parts.user;
  }

  get plane(): ControlPlane {
    if (!this.#plane) throw new Error('the controllers are stopped');
    return this.#plane;
  }

  get members(): readonly string[] {
    return [...this.#parts.members.keys()];
  }

  /** A client of a member. */
  member(name: string): ApiClient {
    return this.#memberOf(name).client;
  }

  /** The member itself, to be told to misbehave. */
  simulated(name: string): SimulatedMember {
    return this.#memberOf(name).simulated;
  }

  #memberOf(name: string): LiveMember {
    const member = this.#parts.members.get(name);
    if (!member) throw new Error(`there is no ${name}`);
    return member;
  }

  /** Starts the controllers; resolves when they know every member. */
  async start({ between = (transport) => transport, betweenMembers, tracer }: PlaneWords = {}): Promise<void> {
    const { site, gates, policyMilliseconds, patienceSeconds } = this.#parts;
    this.#metrics = new Metrics();
    this.#plane = new ControlPlane({
      transport: between(ownTransport(site.hub)),
      gates,
      log: silentLogger,
      metrics: this.#metrics,
      patience: { successSeconds: 0, failureSeconds: patienceSeconds },
      settings: { evictionsPerSecond: 1_000, awakeSeconds: 1 },
      probeMilliseconds,
      ...(betweenMembers && { betweenMembers }),
      ...(tracer && { tracer }),
      policyMilliseconds,
      orphanMilliseconds: 300,
    });
    await this.#plane.start();
  }

  /** Every member of the fleet is called ready. */
  async untilReady(): Promise<void> {
    await until('every member is ready', async () => {
      const { items } = await this.user.listAll<Cluster>({
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
      });
      return items.every(({ status }) => conditionStatus(status?.conditions, 'Ready') === 'True');
    });
  }

  async stop(): Promise<void> {
    const plane = this.#plane;
    this.#plane = undefined;
    await plane?.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Writes that the controllers have sent since their start to a server: a member, or `hub`. */
  writesTo(server: string): number {
    const lines = this.#metrics.text().matchAll(/^sluice_client_requests_total\{(.*)\} (\d+)$/gm);
    let count = 0;
    for (const [, labels = '', value] of lines) {
      if (labels.includes(`server="${server}"`) && /verb="(create|update|patch|delete|apply)/.test(labels))
        count += Number(value);
    }
    return count;
  }

  /**
   * Everything that flows has been compared with its member, and nothing was left to do for a while; or something else
   * has put an end to waiting.
   */
  async settle(isOver: () => boolean = () => false): Promise<void> {
    let quietSince = Date.now();
    let revision = -1;
    await until('the system comes to rest', async () => {
      if (isOver()) return true;
      const now = this.site.store.revision;
      if (now !== revision || !this.plane.pipeline.idle || !this.#isCompared()) quietSince = Date.now();
      revision = now;
      return Date.now() - quietSince > quietMilliseconds;
    });
  }

  #isCompared(): boolean {
    const { view, members } = this.plane;
    for (const [, object] of view.entries()) {
      if (object.kind !== 'Work') continue;
      const { metadata, spec } = object as Work;
      const manifest = spec.workload.manifests[0];
      const member = memberOfNamespace(metadata.namespace);
      if (spec.suspendDispatching || !manifest || member === undefined) continue;
      if (!members.of(member).isSynced(manifest)) return false;
    }
    return true;
  }

  /** Creates, or updates as `kubectl apply` would. */
  async apply(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      await retryingConflicts(async () => {
        const live = await this.user.find(refOf(object));
        await (live ? this.user.update(appliedOver(object, live)) : this.user.create(object));
      });
    }
  }

  /** Applies many objects, several at a time. */
  async applyAll(objects: readonly KubeObject[]): Promise<void> {
    const rest = [...objects];
    const lane = async (): Promise<void> => {
      for (let object = rest.shift(); object; object = rest.shift()) await this.apply(object);
    };
    await Promise.all(Array.from({ length: 16 }, lane));
  }

  /** The objects that we manage in a member, by key, with what their users see of them. */
  async contents(member: string, kinds: readonly KindRef[]): Promise<ReadonlyMap<string, KubeObject>> {
    const found = new Map<string, KubeObject>();
    for (const kind of kinds) {
      const { items } = await this.member(member).listAll(kind, { labelSelector: 'karmada.io/managed=true' });
      for (const item of items) found.set(keyOf(refOf(item)), item);
    }
    return found;
  }

  /** The members that have an object. */
  async placesOf(ref: Ref): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of this.members) if (await this.member(name).find(ref)) found.push(name);
    return found;
  }

  async close(): Promise<void> {
    await this.stop();
    const { members, user, site, folder, proxy } = this.#parts;
    await proxy.close();
    await Promise.all([...members.values()].map(({ client }) => client.close()));
    await Promise.all([...members.values()].map(({ simulated }) => simulated.close()));
    await user.close();
    await site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

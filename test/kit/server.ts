import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clusterApi, defaultGates, keyOf, refOf } from '../../src/api/index.ts';
import { ApiError } from '../../src/api/index.ts';
import type { Cluster, FieldError, Gates, KubeObject, Ref, Settings } from '../../src/api/index.ts';
import { ControlPlane, register } from '../../src/app/index.ts';
import {
  ApiClient,
  compareRevisions,
  discover,
  HttpsTransport,
  isNotFound,
  UnknownKind,
} from '../../src/client/index.ts';
import type { Discovered } from '../../src/client/index.ts';
import { appliedOver } from '../../src/engine/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { Metrics, silentLogger, wallClock } from '../../src/observe/index.ts';
import type { Clock } from '../../src/observe/index.ts';
import { retryingConflicts } from './retry-conflict.ts';
import { withReady, withStatus } from './readiness.ts';
import { stageHub, unlessThere } from './stage-hub.ts';
import type { StageHub } from './stage-hub.ts';
import { Refused } from './stage.ts';
import type { Stage, StageWords } from './stage.ts';
import { until, untilQuiet } from './until.ts';

const usualMembers = ['member1', 'member2', 'member3', 'member4'];
/** Decisions believe that it is this time when a scenario begins. */
const epoch = Date.parse('2026-01-01T00:00:00Z');

/** A hub and members that outlive a scenario: starting them anew each time would cost seconds. */
interface Ground {
  readonly hub: StageHub;
  readonly folder: string;
  readonly simulated: readonly SimulatedMember[];
  /** The user's client. */
  readonly user: ApiClient;
  readonly members: ReadonlyMap<string, ApiClient>;
}

let ground: Promise<Ground> | undefined;

async function openGround(): Promise<Ground> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-stage-'));
  const hub = await stageHub(folder);
  const simulated = await Promise.all(
    usualMembers.map((name) =>
      startSimulated({ name, dataDir: path.join(folder, name), delayMilliseconds: 0, pods: false }),
    ),
  );
  const user = await connected(hub.person);
  const members = new Map<string, ApiClient>();
  for (const member of simulated) {
    const transport = new HttpsTransport({ server: member.url, caBundle: member.caBundle, token: member.token });
    members.set(member.name, await connected(transport));
    await register(user, member);
  }
  for (const name of ['ns1', 'ns2', 'ns3', ...patternNamespaces]) await ensureNamespace(user, name);
  return { hub, folder, simulated, user, members };
}

/** The namespaces in which scenarios put templates. */
const patternNamespaces = [
  'user1',
  'user1-a',
  'user1-b',
  'user1-new',
  'user2',
  'user2-a',
  'user2-b',
  'user3-a',
  'user10',
  'auser1',
  'xuser1-a',
  'namespace1',
  'namespace2',
  'namespace3',
  'namespace4',
  'namespace12',
  'shop',
  'shop2',
  'other',
  'group1-a',
  'group1-1-a',
  'group2-a',
];

async function ensureNamespace(user: ApiClient, name: string): Promise<void> {
  await unlessThere(() => user.create<KubeObject>({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}

/** Reads again which kinds the servers of these clients have. */
const rediscovering = new WeakMap<ApiClient, () => Promise<void>>();

async function connected(transport: ConstructorParameters<typeof ApiClient>[0]['transport']): Promise<ApiClient> {
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'kubectl' });
  const look = async (): Promise<void> => void (served = await discover(client));
  rediscovering.set(client, look);
  await look();
  return client;
}

/** Finds an object, also of a kind that was defined a moment ago. */
async function findIn(client: ApiClient, ref: Ref): Promise<KubeObject | undefined> {
  try {
    return await client.find(ref);
  } catch (error) {
    if (!(error instanceof UnknownKind)) throw error;
  }
  await rediscovering.get(client)?.();
  return client.find(ref).catch((error: unknown) => {
    if (error instanceof UnknownKind) return undefined;
    throw error;
  });
}

/** Ends what all scenarios shared. */
export async function closeGround(): Promise<void> {
  const open = await ground;
  ground = undefined;
  if (!open) return;
  await Promise.all(open.simulated.map((member) => member.close()));
  await Promise.all([...open.members.values()].map((member) => member.close()));
  await open.hub.close();
  await rm(open.folder, { recursive: true, force: true });
}

/** A stage on a whole server: a durable hub, live controllers, and members over HTTPS. */
export async function serverStage({ gates = {}, settings = {} }: StageWords): Promise<Stage> {
  ground ??= openGround();
  const stage = new ServerStage(await ground, { ...defaultGates, ...gates }, settings);
  await stage.start();
  return stage;
}

class ServerStage implements Stage {
  readonly members = usualMembers;
  readonly patient = true;
  readonly #ground: Ground;
  readonly #gates: Gates;
  readonly #settings: Partial<Settings>;
  readonly #touched = new Map<string, Ref>();
  /** Writes of the user that the controllers may not have seen yet, by key, with the revision. */
  readonly #written = new Map<string, { readonly ref: Ref; readonly revision: string | undefined }>();
  readonly #planted: (() => Promise<void>)[] = [];
  #plane: ControlPlane | undefined;
  readonly #clock = new ClockAhead(epoch);

  constructor(open: Ground, gates: Gates, settings: Partial<Settings>) {
    this.#ground = open;
    this.#gates = gates;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { hub } = this.#ground;
    this.#plane = new ControlPlane({
      transport: hub.controllers(),
      ...(hub.permitted && { permitted: hub.permitted }),
      gates: this.#gates,
      settings: { evictionsPerSecond: 1_000, awakeSeconds: 1, ...this.#settings },
      log: silentLogger,
      metrics: new Metrics(),
      policyMilliseconds: 5,
      clock: this.#clock,
    });
    await this.#plane.start();
    await until(
      'the members are ready',
      async () => this.#plane?.view.clusters.filter(isReady).length === this.members.length,
    );
  }

  async apply(object: KubeObject): Promise<void> {
    const ref = refOf(object);
    this.#touched.set(keyOf(ref), ref);
    await this.#refusing(() =>
      retryingConflicts(async () => {
        const live = await findIn(this.#ground.user, ref);
        if (live) this.#wrote(await this.#ground.user.update(appliedOver(object, live)));
        else this.#wrote(await this.#ground.user.create(object));
      }),
    );
  }

  async edit(ref: Ref, change: (object: KubeObject) => KubeObject): Promise<void> {
    this.#restoreLater(await this.#ground.user.get(ref));
    await this.#refusing(() =>
      retryingConflicts(async () => {
        const live = await this.#ground.user.get(ref);
        const { resourceVersion } = live.metadata;
        const changed = change(live);
        const metadata = { ...changed.metadata, ...(resourceVersion && { resourceVersion }) };
        this.#wrote(await this.#ground.user.update({ ...changed, metadata }));
      }),
    );
  }

  /** Clusters are shared by all scenarios: what one does to them is undone. */
  #restoreLater(live: KubeObject): void {
    if (live.kind !== 'Cluster') return;
    this.#planted.push(() => retryingConflicts(() => this.#restore(live as Cluster)));
  }

  async #restore({ metadata: { name, labels }, spec: { provider, region } }: Cluster): Promise<void> {
    const now = await this.#ground.user.get<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
    const { labels: _, ...metadata } = now.metadata;
    const { taints: __, provider: ___, region: ____, ...spec } = now.spec;
    const placed = { ...spec, ...(provider && { provider }), ...(region && { region }) };
    await this.#ground.user.update({ ...now, metadata: { ...metadata, ...(labels && { labels }) }, spec: placed });
  }

  async #refusing(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status.code !== 422 && error.status.code !== 403)) throw error;
      const errors = (error.status.details?.causes ?? []).map(({ field = '' }): FieldError => ({
        type: 'invalid',
        field,
      }));
      throw new Refused(errors, error.message);
    }
  }

  async writeStatus(ref: Ref, status: unknown): Promise<void> {
    await retryingConflicts(async () => {
      const live = await this.#ground.user.get(ref);
      this.#wrote(await this.#ground.user.updateStatus({ ...live, status } as KubeObject));
    });
  }

  async delete(ref: Ref): Promise<void> {
    await this.#refusing(async () => {
      const { object } = await this.#ground.user.delete(ref);
      this.#written.set(keyOf(ref), { ref, revision: object?.metadata.resourceVersion });
    });
  }

  async get(ref: Ref): Promise<KubeObject | undefined> {
    return findIn(this.#ground.user, ref);
  }

  #member(name: string): ApiClient {
    const member = this.#ground.members.get(name);
    if (!member) throw new Error(`there is no ${name}`);
    return member;
  }

  async inMember(member: string, ref: Ref): Promise<KubeObject | undefined> {
    return findIn(this.#member(member), ref);
  }

  async tamper(member: string, ref: Ref, change: (object: KubeObject) => KubeObject | undefined): Promise<void> {
    const client = this.#member(member);
    const changed = change(await client.get(ref));
    if (changed) await client.update(changed);
    else await client.delete(ref);
  }

  async readies(member: string, ref: Ref, ready: number): Promise<void> {
    await retryingConflicts(async () => {
      const client = this.#member(member);
      const live = await client.get(ref);
      await client.updateStatus(withReady(live, ready));
    });
  }

  async memberReports(member: string, ref: Ref, status: object): Promise<void> {
    await retryingConflicts(async () => {
      const client = this.#member(member);
      await client.updateStatus(withStatus(await client.get(ref), status));
    });
  }

  /** Members have no Pods here, so the first node has the whole capacity; a new control plane looks at it at once. */
  async hasCapacity(member: string, pods: number): Promise<void> {
    const client = this.#member(member);
    const { items } = await client.listAll({ apiVersion: 'v1', kind: 'Node' });
    for (const [i, node] of items.entries()) {
      this.#planted.push(() => retryingConflicts(() => this.#reportNode(client, node)));
      await retryingConflicts(() => this.#reportNode(client, node, i === 0 ? pods : 0));
    }
    await this.restart();
    await until('the capacity is known', async () => {
      const cluster = this.#plane?.view.clusters.find(({ metadata }) => metadata.name === member);
      return cluster?.status?.resourceSummary?.allocatable?.['pods'] === String(pods);
    });
  }

  async #reportNode(client: ApiClient, node: KubeObject, pods?: number): Promise<void> {
    const { status } = node as KubeObject & { readonly status?: { readonly allocatable?: object } };
    const allocatable = { ...status?.allocatable, ...(pods !== undefined && { pods: String(pods) }) };
    const { metadata } = await client.get(refOf(node));
    await client.updateStatus({ ...node, metadata, status: { ...status, allocatable } } as KubeObject);
  }

  async plant(member: string, object: KubeObject): Promise<void> {
    const client = this.#member(member);
    await client.create(object);
    this.#planted.push(async () => {
      if (await client.find(refOf(object))) await client.delete(refOf(object));
    });
  }

  async fleet(): Promise<unknown> {
    const found: Record<string, unknown> = {};
    for (const [name, client] of this.#ground.members) Object.assign(found, await this.#contents(name, client));
    return found;
  }

  async #contents(name: string, client: ApiClient): Promise<Record<string, unknown>> {
    const lists = await Promise.all(
      fleetKinds.map((kind) => client.listAll(kind, { labelSelector: 'karmada.io/managed=true' })),
    );
    return Object.fromEntries(
      lists.flatMap(({ items }) => items.map((item) => [`@${name}|${keyOf(refOf(item))}`, contentOf(item)])),
    );
  }

  #wrote(object: KubeObject): void {
    const ref = refOf(object);
    this.#written.set(keyOf(ref), { ref, revision: object.metadata.resourceVersion });
  }

  /** Have the controllers seen what was written? They watch a hub elsewhere, and its events take their time. */
  async #hasSeenAll(): Promise<boolean> {
    for (const [key, { ref, revision }] of this.#written) {
      const seen = this.#plane?.view.find(key)?.metadata.resourceVersion;
      const isSeen =
        seen === undefined
          ? revision === undefined || !(await this.#ground.user.find(ref))
          : revision !== undefined && (compareRevisions(seen, revision) ?? 0) >= 0;
      if (!isSeen) return false;
      this.#written.delete(key);
    }
    return true;
  }

  /** Quiet for a while: nobody works, nothing waits, and neither the hub nor the controllers wrote anything. */
  async settle(): Promise<void> {
    await until('the controllers have seen everything', () => this.#hasSeenAll());
    await untilQuiet('the server comes to rest', quietMilliseconds, () =>
      this.#plane?.atRest === true ? this.#ground.hub.revision() : undefined,
    );
  }

  /** Removes what a scenario left, whatever finalizers it put there. */
  async #remove(ref: Ref): Promise<void> {
    const live = await findIn(this.#ground.user, ref);
    if (!live) return;
    if (!isOurs(ref)) await this.#ground.user.patch(ref, { metadata: { finalizers: null } }, { type: 'merge' });
    if (!(await findIn(this.#ground.user, ref))) return;
    // The object may go with its definition or its owner meanwhile.
    await this.#ground.user.delete(ref).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  async restart(): Promise<void> {
    await this.#plane?.stop();
    await this.start();
  }

  async advance(seconds: number): Promise<void> {
    this.#clock.advance(seconds * 1000);
    await Promise.resolve();
  }

  async away(seconds: number): Promise<void> {
    await this.#plane?.stop();
    this.#clock.advance(seconds * 1000);
    await this.start();
  }

  async close(): Promise<void> {
    for (const undo of this.#planted.toReversed()) await undo();
    const order = [...this.#touched.values()].sort((a, b) => Number(isOurs(a)) - Number(isOurs(b)));
    for (const ref of order) await this.#remove(ref);
    await this.settle();
    await this.#plane?.stop();
  }
}

const quietMilliseconds = 60;

const fleetKinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
];

const isOurs = ({ apiVersion }: Ref): boolean => apiVersion.includes('.karmada.io/');

/** Everything but what the member itself writes. */
function contentOf(object: KubeObject): unknown {
  const { status: _, metadata, ...content } = object as KubeObject & { readonly status?: unknown };
  const { name, namespace, uid, labels, annotations } = metadata;
  return { ...content, metadata: { name, namespace, uid, labels, annotations } };
}

function isReady(cluster: KubeObject): boolean {
  const { conditions } = (cluster as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {};
  return conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/** A clock that goes as fast as that of the machine, and can be put forward: what is due by then rings at once. */
class ClockAhead implements Clock {
  #ahead: number;
  readonly #alarms = new Set<Alarm>();

  constructor(now: number) {
    this.#ahead = now - Date.now();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const ring = (): void => {
      cancel();
      callback();
    };
    const alarm = { at: this.now() + milliseconds, ring };
    const stop = wallClock.after(milliseconds, ring);
    const cancel = (): void => {
      stop();
      this.#alarms.delete(alarm);
    };
    this.#alarms.add(alarm);
    return cancel;
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    const due = [...this.#alarms].filter(({ at }) => at <= this.now()).sort((a, b) => a.at - b.at);
    for (const alarm of due) if (this.#alarms.has(alarm)) alarm.ring();
  }
}

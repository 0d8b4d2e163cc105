import { hash } from 'node:crypto';
import { useSha256 } from '../base/index.ts';
import { wallClock } from '../observe/index.ts';
import { strictAccess } from '../api/index.ts';
import type { Gates, MemberAccess, Probe, Settings } from '../api/index.ts';
import { ApiClient, discover } from '../client/index.ts';
import type { Discovered, KindRef, Transport } from '../client/index.ts';
import { ClusterWatch, OrphanWatch, Pipeline } from '../controllers/index.ts';
import type { ObjectEvent } from '../controllers/index.ts';
import { indexKeysOf, whyUnreadable } from '../engine/index.ts';
import type { Patience } from '../engine/index.ts';
import { ensureImpersonatorRole, Fleet, MemberWatches } from '../members/index.ts';
import type { Member, Sight } from '../members/index.ts';
import type { Clock, Logger, Metrics, Tracer } from '../observe/index.ts';
import { Supervisor, EventRecorder, Informer, HubCache, MemberCaches, withoutFields } from '../runtime/index.ts';
import type { WriteTarget } from '../runtime/index.ts';
import { publishGates } from './gates.ts';
import { asSent } from './shared-objects.ts';
import { followedKinds } from './kinds.ts';

/** The parts that the controllers need: a hub, embedded or remote. */
export interface ControlPlaneOptions {
  readonly transport: Transport;
  readonly gates: Gates;
  /** The defaults unless told. */
  readonly settings?: Partial<Settings>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Nothing is traced without. */
  readonly tracer?: Tracer;
  readonly patience?: Patience;
  /** How members may be reached; strictly unless told. */
  readonly memberAccess?: MemberAccess;
  /** How often members are looked at. */
  readonly probeMilliseconds?: number;
  /** The time for decisions; the clock of the machine by default. */
  readonly clock?: Clock;
  /** How long a policy waits for more before it says how what it holds stands. */
  readonly policyMilliseconds?: number;
  /** How long what has lost its reason to be is left to those whose business it is. */
  readonly orphanMilliseconds?: number;
  /** Stands between the controllers and their members, for those who want to see or to break what is sent. */
  readonly betweenMembers?: (transport: Transport) => Transport;
}

const nothing: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };

/** All controllers of a process and what they stand on: the same whether the hub is embedded or far away. */
export class ControlPlane {
  readonly view: HubCache;
  readonly client: ApiClient;
  readonly fleet: Fleet;
  readonly members = new MemberCaches({ keep: (object) => asSent(this.view, object) });
  readonly pipeline: Pipeline;
  readonly #options: ControlPlaneOptions;
  readonly #watches = new Map<string, MemberWatches>();
  readonly #followed = new Set<string>();
  readonly #events: EventRecorder;
  #served: Discovered = nothing;
  #crew: Supervisor | undefined;
  #stopped = false;

  constructor(options: ControlPlaneOptions) {
    const {
      transport,
      log,
      metrics,
      clock = wallClock,
      policyMilliseconds,
      betweenMembers,
      tracer,
      memberAccess,
    } = options;
    this.#options = options;
    useSha256((text) => hash('sha256', text, 'hex'));
    this.client = new ApiClient({ transport, resources: () => this.#served, fieldManager: 'sluice', metrics });
    this.view = this.#newView(options);
    const between = betweenMembers && { between: betweenMembers };
    this.fleet = new Fleet({ metrics, ...between, access: memberAccess ?? strictAccess });
    this.fleet.listen({ opened: (member) => this.#opened(member), closed: (name) => void this.#closed(name) });
    const hub: WriteTarget = { server: this.client, cache: this.view };
    this.pipeline = new Pipeline({
      view: this.view,
      members: this.members,
      hub,
      memberTarget: (name) => this.#memberTarget(name),
      follow: (member, kind) => this.#watches.get(member)?.ensure(kind),
      notify: (event) => this.#notify(event),
      clock,
      ...(policyMilliseconds !== undefined && { policyMilliseconds }),
      ...(tracer && { tracer }),
      log,
      metrics,
    });
    const { giveWay } = this.pipeline.controllers;
    this.#events = new EventRecorder({
      server: this.client,
      component: 'sluice',
      log,
      metrics,
      ...(giveWay && { giveWay }),
    });
  }

  #newView({ gates, settings = {}, clock = wallClock, log }: ControlPlaneOptions): HubCache {
    const reading = { indexKeysOf, whyUnreadable, member: this.members.get, keep: withoutFields };
    return new HubCache({ ...reading, gates, settings, clock, log });
  }

  /** Resolves when every cache is complete and the controllers work. */
  async start(): Promise<void> {
    const { log, metrics, patience, probeMilliseconds, orphanMilliseconds } = this.#options;
    this.#served = await discover(this.client);
    const hub: WriteTarget = { server: this.client, cache: this.view };
    const watch = new ClusterWatch({
      view: this.view,
      hub,
      fleet: this.fleet,
      log,
      metrics,
      onProbe: (member, probe) => this.#probed(member, probe),
      ...(patience && { patience }),
      ...(probeMilliseconds !== undefined && { everyMilliseconds: probeMilliseconds }),
    });
    const orphans = new OrphanWatch({
      view: this.view,
      hub,
      log,
      metrics,
      ...(orphanMilliseconds !== undefined && { graceMilliseconds: orphanMilliseconds }),
    });
    this.#crew = new Supervisor({ informers: this.#newFeeds(), runnables: [this.pipeline, watch, orphans], log });
    this.view.listen(({ before, after }) => {
      if ((after ?? before)?.kind === 'CustomResourceDefinition') void this.#followNewKinds();
    });
    await this.#crew.start();
    await publishGates(this.client, this.view.gates, this.view.settings);
  }

  /** Nothing waits, nobody works, and nothing is being read for the first time. */
  get atRest(): boolean {
    return this.pipeline.idle && [...this.#watches.values()].every((watches) => !watches.catchingUp);
  }

  /** At rest, with nothing that failed and is to be tried again, nor anything that waits for its time. */
  get settled(): boolean {
    return !this.#stopped && this.atRest && this.pipeline.controllers.later === 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#crew?.stop();
    await Promise.all([...this.#watches.values()].map((watches) => watches.close()));
    await this.#events.stop();
    await this.fleet.close();
    await this.client.close();
  }

  #newFeeds(): readonly Informer[] {
    return followedKinds(this.#served.kinds)
      .filter((kind) => !this.#followed.has(nameOf(kind)))
      .map((of) => {
        this.#followed.add(nameOf(of));
        return new Informer({ server: this.client, of, into: this.view, log: this.#options.log });
      });
  }

  /** Kinds that definitions bring while we run are templates like any other. */
  async #followNewKinds(): Promise<void> {
    try {
      this.#served = await discover(this.client);
      await Promise.all(this.#newFeeds().map(async (feed) => this.#crew?.follow(feed)));
    } catch (error) {
      this.#options.log.warn('cannot follow the kinds of a new definition', { error });
    }
  }

  #opened(member: Member): void {
    const cache = this.members.of(member.name);
    const sight: Sight = {
      apply: (changes) => cache.apply(changes),
      markUnsynced: (kind) => cache.markUnsynced(kind),
      markSynced: (kind) => {
        cache.markSynced(kind);
        this.pipeline.revisit(member.name, kind);
      },
    };
    const log = this.#options.log.with({ member: member.name });
    this.#watches.set(member.name, new MemberWatches(member, sight, log));
  }

  async #closed(name: string): Promise<void> {
    const watches = this.#watches.get(name);
    this.#watches.delete(name);
    this.members.forget(name);
    this.#known.delete(name);
    this.#impersonators.delete(name);
    await watches?.close();
  }

  #memberTarget(name: string): WriteTarget | undefined {
    const member = this.fleet.get(name);
    return member && { server: member.client, cache: this.members.of(name) };
  }

  /** While a member does not answer, nothing that is remembered of it counts; when it does, all of it is looked at again. */
  #probed(name: string, probe: Probe | { readonly fault: string }): void {
    const cache = this.members.of(name);
    const reachable = 'health' in probe && probe.health !== 'unreachable';
    const before = cache.reachable;
    cache.reachable = reachable;
    if (reachable && (!before || !this.#known.has(name))) this.pipeline.revisit(name);
    if (!reachable) return;
    this.#known.add(name);
    if (!before) this.#renew(name);
    void this.#ensureImpersonator(name);
    this.#watches.get(name)?.hurry();
    void this.pipeline.rereadForeign(name);
  }

  /** Members whose impersonator was looked at since they were met. */
  readonly #impersonators = new Set<string>();

  /** Once for each member; after a failure the next probe tries again. */
  async #ensureImpersonator(name: string): Promise<void> {
    const member = this.fleet.get(name);
    const cluster = this.view.clusters.find(({ metadata }) => metadata.name === name);
    if (!member || !cluster?.spec.impersonatorSecretRef || this.#impersonators.has(name)) return;
    this.#impersonators.add(name);
    try {
      await ensureImpersonatorRole(member.client);
    } catch (error) {
      this.#impersonators.delete(name);
      this.#options.log.warn('cannot give the impersonator its role', { member: name, error });
    }
  }

  /** Watches from before may be dead and not know it. */
  #renew(name: string): void {
    this.#watches.get(name)?.renew();
    this.fleet.get(name)?.capacity.renew();
  }

  readonly #known = new Set<string>();

  #notify({ object, type, reason, message, component }: ObjectEvent): void {
    this.#events.record(object, { type, reason, message, component });
  }
}

const nameOf = ({ apiVersion, kind }: KindRef): string => `${apiVersion}|${kind}`;

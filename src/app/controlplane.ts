import { hash } from 'node:crypto';
import { useSha256 } from '../base/index.ts';
import { wallClock } from '../observe/index.ts';
import { strictAccess } from '../api/index.ts';
import type {
  Gates,
  KubeObject,
  MemberAccess,
  Probe,
  ResourceInterpreterCustomization,
  Settings,
} from '../api/index.ts';
import { ApiClient, discover } from '../client/index.ts';
import type { Connection, Discovered, KindRef, Transport } from '../client/index.ts';
import {
  AgentWatch,
  Approver,
  ClusterWatch,
  controllerOf,
  impersonationEvent,
  Heartbeat,
  OrphanWatch,
  Pipeline,
} from '../controllers/index.ts';
import type { ObjectEvent } from '../controllers/index.ts';
import { indexKeysOf, whyUnreadable } from '../engine/index.ts';
import type { Patience, Question, SilenceLimits } from '../engine/index.ts';
import { ensureImpersonatorRole, Fleet, MemberWatches } from '../members/index.ts';
import type { Member, Sight } from '../members/index.ts';
import type { Clock, Logger, Metrics, Tracer } from '../observe/index.ts';
import {
  EventRecorder,
  fenced,
  HubCache,
  Informer,
  MemberCaches,
  Supervisor,
  WebhookAnswers,
  withoutFields,
} from '../runtime/index.ts';
import type { Lease, Runnable, WriteTarget } from '../runtime/index.ts';
import { publishGates } from './gates.ts';
import { InterpreterWebhooks } from './interpreter-webhooks.ts';
import { asSent } from './shared-objects.ts';
import { followedKinds, kindsOfAgent } from './kinds.ts';
import type { Followed } from './kinds.ts';

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
  /** Milliseconds for which a policy waits for more changes before it writes the status of its templates. */
  readonly policyMilliseconds?: number;
  /** How long what has lost its reason to be is left to those whose business it is. */
  readonly orphanMilliseconds?: number;
  /** With a lease, controllers work and write only while this process has it. */
  readonly lease?: Lease;
  /** Called after another process took the lease and the controllers have stopped. */
  readonly onLost?: () => void;
  /** The controllers of this process, by their names in `controllerOf`, and `orphans`; all when absent. */
  readonly controllers?: ReadonlySet<string>;
  /** Workers of each controller, where not as usual. */
  readonly concurrency?: number;
  /** Selects the kinds that the hub lets this process follow; all when absent. */
  readonly permitted?: (kinds: readonly KindRef[]) => Promise<readonly KindRef[]>;
  /** Stands between the controllers and their members, for those who want to see or to break what is sent. */
  readonly betweenMembers?: (transport: Transport) => Transport;
  /** How long agents of Pull members may be silent, and how often that is looked at. */
  readonly silence?: SilenceLimits & { readonly everyMilliseconds: number };
  /** This process is the agent of one Pull member: it dispatches and reports there, and does nothing else. */
  readonly agent?: AgentRole;
}

/** The member of an agent, and how it is reached from beside it. */
export interface AgentRole {
  readonly member: string;
  readonly connection: Connection;
  readonly heartbeatMilliseconds?: number;
}

/** The questions that an agent answers. */
const questionsOfAgent: ReadonlySet<Question> = new Set(['dispatch', 'reflect']);

/** The questions of this process; undefined: all. */
function questionsOf({ agent, controllers }: ControlPlaneOptions): ReadonlySet<Question> | undefined {
  if (agent) return questionsOfAgent;
  const all = Object.keys(controllerOf) as Question[];
  return controllers && new Set(all.filter((question) => controllers.has(controllerOf[question])));
}

/** A way to a server that writes only while this process has the lease. */
function guarded(transport: Transport, { lease }: ControlPlaneOptions): Transport {
  return lease ? fenced(transport, lease) : transport;
}

/** The members of this process. */
function fleetOf(options: ControlPlaneOptions): Fleet {
  const { metrics, betweenMembers, agent, memberAccess } = options;
  const between = { between: (way: Transport): Transport => guarded(betweenMembers?.(way) ?? way, options) };
  const own = agent && { own: { name: agent.member, connection: agent.connection } };
  return new Fleet({ metrics, ...between, ...own, access: memberAccess ?? strictAccess });
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
  readonly #interpreters = new InterpreterWebhooks();
  readonly #answers: WebhookAnswers;
  #served: Discovered = nothing;
  #crew: Supervisor | undefined;
  #stopped = false;

  constructor(options: ControlPlaneOptions) {
    const { transport, log, metrics } = options;
    this.#options = options;
    useSha256((text) => hash('sha256', text, 'hex'));
    this.client = new ApiClient({
      transport: guarded(transport, options),
      resources: () => this.#served,
      fieldManager: 'sluice',
      metrics,
    });
    this.view = this.#newView(options);
    this.fleet = fleetOf(options);
    this.fleet.listen({ opened: (member) => this.#opened(member), closed: (name) => void this.#closed(name) });
    const { clock = wallClock } = options;
    this.#answers = new WebhookAnswers({ call: (question) => this.#interpreters.call(question), clock });
    this.view.askWebhook = this.#answers.ask;
    this.pipeline = this.#newPipeline(options);
    const { giveWay } = this.pipeline.controllers;
    this.#events = new EventRecorder({
      server: this.client,
      component: 'sluice',
      log,
      metrics,
      ...(giveWay && { giveWay }),
    });
  }

  #newPipeline(options: ControlPlaneOptions): Pipeline {
    const { log, metrics, clock = wallClock, policyMilliseconds, tracer, concurrency } = options;
    const only = questionsOf(options);
    return new Pipeline({
      webhooks: this.#answers,
      view: this.view,
      members: this.members,
      hub: { server: this.client, cache: this.view },
      memberTarget: (name) => this.#memberTarget(name),
      follow: (member, kind) => this.#watches.get(member)?.ensure(kind),
      notify: (event) => this.#notify(event),
      clock,
      ...(policyMilliseconds !== undefined && { policyMilliseconds }),
      ...(tracer && { tracer }),
      ...(only && { only }),
      ...(concurrency !== undefined && { concurrency }),
      log,
      metrics,
    });
  }

  #newView({ gates, settings = {}, agent, clock = wallClock, log }: ControlPlaneOptions): HubCache {
    const reading = { indexKeysOf, whyUnreadable, member: this.members.get, keep: withoutFields };
    return new HubCache({ ...reading, gates, settings, agents: agent ? 'here' : 'apart', clock, log });
  }

  /** Resolves when every cache is complete and the controllers work. */
  async start(): Promise<void> {
    const { log, lease, onLost } = this.#options;
    this.#served = await discover(this.client);
    this.#crew = new Supervisor({
      informers: await this.#newFeeds(),
      runnables: this.#runnables(),
      log,
      ...(lease && { lease }),
      ...(onLost && { onLost }),
    });
    this.view.listen(({ before, after }) => this.#kindChanged(after ?? before));
    await this.#crew.start();
  }

  #runs(controller: string): boolean {
    const { controllers } = this.#options;
    return controllers === undefined || controllers.has(controller);
  }

  /**
   * The parts that work; with a lease, only while this process has it. The watch over the members comes first: decisions
   * about evictions depend on the time since which it watches.
   */
  #runnables(): readonly Runnable[] {
    const { log, metrics, patience, probeMilliseconds, agent } = this.#options;
    const hub: WriteTarget = { server: this.client, cache: this.view };
    const watch = new ClusterWatch({
      view: this.view,
      hub,
      fleet: this.fleet,
      log,
      metrics,
      writesStatus: this.#runs('clusters'),
      onProbe: (member, probe) => this.#probed(member, probe),
      ...(patience && { patience }),
      ...(probeMilliseconds !== undefined && { everyMilliseconds: probeMilliseconds }),
    });
    const rest = agent ? this.#partsOfAgent(agent) : this.#partsOfHub(hub);
    return [watch, this.pipeline, ...rest];
  }

  #partsOfAgent({ member, heartbeatMilliseconds: everyMilliseconds }: AgentRole): readonly Runnable[] {
    const { log, clock = wallClock } = this.#options;
    const often = everyMilliseconds !== undefined && { everyMilliseconds };
    return [new Heartbeat({ server: this.client, member, clock, log, ...often })];
  }

  #partsOfHub(hub: WriteTarget): readonly Runnable[] {
    const { log, metrics, orphanMilliseconds, clock = wallClock, silence } = this.#options;
    const orphans = new OrphanWatch({
      view: this.view,
      hub,
      log,
      metrics,
      ...(orphanMilliseconds !== undefined && { graceMilliseconds: orphanMilliseconds }),
    });
    const { everyMilliseconds, ...limits } = silence ?? {};
    const agents = new AgentWatch({
      view: this.view,
      hub,
      clock,
      log,
      ...(silence && { limits: limits as SilenceLimits }),
      ...(everyMilliseconds !== undefined && { everyMilliseconds }),
    });
    const gates: Runnable = {
      name: 'feature gates',
      start: () =>
        publishGates(this.client, this.view.gates, this.view.settings).catch((error: unknown) =>
          log.warn('cannot publish the feature gates: plans assume the usual ones', { error }),
        ),
      stop: () => Promise.resolve(),
    };
    const approver = new Approver({ server: this.client, clock, log });
    return [...(this.#runs('orphans') ? [orphans] : []), ...(this.#runs('clusters') ? [agents, approver] : []), gates];
  }

  /** A definition brings kinds to follow; a script about a kind concerns an agent's Works, whose templates it does not see. */
  #kindChanged(object: KubeObject | undefined): void {
    const { agent } = this.#options;
    if (object?.kind === 'CustomResourceDefinition' && !agent) void this.#followNewKinds();
    if (object?.kind === 'ResourceInterpreterCustomization' && agent)
      this.pipeline.revisit(agent.member, (object as ResourceInterpreterCustomization).spec.target);
  }

  /** Nothing waits, nobody works, and nothing is being read for the first time. */
  get atRest(): boolean {
    return this.pipeline.idle && [...this.#watches.values()].every((watches) => !watches.catchingUp);
  }

  /** Settled, with no failure that is to be tried again and nothing that waits for its time. */
  get settled(): boolean {
    return !this.#stopped && this.atRest && this.pipeline.controllers.later === 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#crew?.stop();
    await Promise.all([...this.#watches.values()].map((watches) => watches.close()));
    await this.#events.stop();
    this.#answers.close();
    await this.#interpreters.close();
    await this.fleet.close();
    await this.client.close();
  }

  async #newFeeds(): Promise<readonly Informer[]> {
    const { agent, log } = this.#options;
    const all = agent ? kindsOfAgent(agent.member) : await this.#kindsOfHub();
    return all
      .filter(({ of }) => !this.#followed.has(nameOf(of)))
      .map((followed) => {
        this.#followed.add(nameOf(followed.of));
        return new Informer({ server: this.client, ...followed, into: this.view, log });
      });
  }

  async #kindsOfHub(): Promise<readonly Followed[]> {
    const found = followedKinds(this.#served.kinds).filter((kind) => !this.#followed.has(nameOf(kind)));
    const permitted = (await this.#options.permitted?.(found)) ?? found;
    return permitted.map((of) => ({ of }));
  }

  /** Kinds that definitions bring while we run are templates like any other. */
  async #followNewKinds(): Promise<void> {
    try {
      this.#served = await discover(this.client);
      const feeds = await this.#newFeeds();
      await Promise.all(feeds.map(async (feed) => this.#crew?.follow(feed)));
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
      if (await ensureImpersonatorRole(member.client)) this.#notify(impersonationEvent(cluster));
    } catch (error) {
      this.#notify(impersonationEvent(cluster, whyNot(error)));
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

  #notify({ object, ...event }: ObjectEvent): void {
    this.#events.record(object, event);
  }
}

const nameOf = ({ apiVersion, kind }: KindRef): string => `${apiVersion}|${kind}`;

const whyNot = (error: unknown): string => (error instanceof Error ? error.message : 'the member did not answer');

import { keyOf } from '../../api/index.ts';
import type { Cluster, Probe } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { clusterStatusAfter, usualPatience } from '../../engine/index.ts';
import type { Doubt, Patience } from '../../engine/index.ts';
import type { Fleet, MemberSecret } from '../../members/index.ts';
import type { Histogram, Logger, Metrics } from '../../observe/index.ts';
import { performWrite, Stale } from '../../runtime/index.ts';
import type { HubCache, WriteTarget } from '../../runtime/index.ts';
import { observeFleet } from './meter.ts';

/** The options of a watch over the fleet. */
export interface ClusterWatchOptions {
  readonly view: HubCache;
  readonly hub: WriteTarget;
  readonly fleet: Fleet;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly patience?: Patience;
  readonly everyMilliseconds?: number;
  /** Writes what a probe found to the status of the member; false where another process does that. */
  readonly writesStatus?: boolean;
  /** Called with the result of every probe. */
  readonly onProbe: (member: string, probe: Probe | { readonly fault: string }) => void;
}

const pulseMilliseconds = 1_000;
/** A process that does not come to its pulse for so long was away. */
const awayMilliseconds = 10_000;

/** Opens and closes connections as Clusters and Secrets say, probes every member at intervals, and writes its status. */
export class ClusterWatch {
  readonly name = 'cluster status';
  readonly #options: ClusterWatchOptions;
  readonly #doubts = new Map<string, Doubt>();
  readonly #looking = new Set<string>();
  #pulse: NodeJS.Timeout | undefined;
  #heard = { steady: 0, wall: 0 };
  #awakenings = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopListening: (() => void)[] = [];
  readonly #seconds: ((member: string) => Histogram) | undefined;

  constructor(options: ClusterWatchOptions) {
    this.#options = options;
    this.#seconds = options.metrics?.histogram({
      name: 'cluster_sync_status_duration_seconds',
      help: 'Time to probe a member and to write the result.',
      labels: ['member_cluster'],
    });
  }

  start(): void {
    const { view, metrics, everyMilliseconds = 10_000 } = this.#options;
    this.#stopListening.push(
      view.listen(({ before, after }) => this.#changed((after ?? before)?.kind ?? '', after)),
      ...(metrics ? [observeFleet(metrics, view)] : []),
    );
    this.#wakeUp();
    this.#pulse = setInterval(() => this.#beat(), pulseMilliseconds).unref();
    // After a stop, the timer of an eviction may ring before the pulse does.
    view.onAwakeAsked = () => this.#beat();
    this.#takeAll();
    this.#timer = setInterval(() => this.#takeAll(), everyMilliseconds).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#pulse);
    this.#options.view.onAwakeAsked = () => {};
    for (const stop of this.#stopListening.splice(0)) stop();
    await Promise.resolve();
  }

  /** A process that was stopped, or a machine that slept, knows nothing of its members since: old doubts do not count. */
  #beat(): void {
    const now = { steady: performance.now(), wall: Date.now() };
    const away = Math.max(now.steady - this.#heard.steady, now.wall - this.#heard.wall);
    this.#heard = now;
    if (away > awayMilliseconds) this.#wakeUp();
  }

  #wakeUp(): void {
    const { view } = this.#options;
    view.awakeSince = view.now;
    this.#awakenings++;
    this.#heard = { steady: performance.now(), wall: Date.now() };
    this.#doubts.clear();
    view.answering.clear();
  }

  /** Only changes of what a connection is made of matter: heartbeats come all the time. */
  #changed(kind: string, after: unknown): void {
    if (kind === 'Secret') this.#takeAll('changed');
    else if (kind === 'Cluster') this.#dropGone(after as Cluster | undefined);
  }

  #dropGone(cluster: Cluster | undefined): void {
    if (cluster) return this.#connect(cluster, 'new');
    const present = new Set(this.#options.view.clusters.map(({ metadata }) => metadata.name));
    for (const { name } of this.#options.fleet.all) if (!present.has(name)) void this.#options.fleet.drop(name);
  }

  #takeAll(which?: 'changed'): void {
    for (const cluster of this.#options.view.clusters) this.#connect(cluster, which);
  }

  #connect(cluster: Cluster, which?: 'new' | 'changed'): void {
    const { fleet } = this.#options;
    const { name } = cluster.metadata;
    const before = fleet.get(name);
    fleet.take(cluster, this.#secretOf(cluster));
    const met = fleet.get(name) !== before;
    if (which === undefined || met || fleet.faultOf(name) !== undefined) void this.#look(name);
  }

  #secretOf({ spec }: Cluster): MemberSecret | undefined {
    if (!spec.secretRef) return undefined;
    return this.#options.view.get(keyOf({ apiVersion: 'v1', kind: 'Secret', ...spec.secretRef }));
  }

  /** Probes again when the member was replaced meanwhile: the result is not true of the new one. */
  async #look(name: string): Promise<void> {
    if (this.#looking.has(name)) return;
    this.#looking.add(name);
    const start = performance.now();
    const member = this.#options.fleet.get(name);
    try {
      await this.#lookAt(name);
      this.#seconds?.(name).observe((performance.now() - start) / 1000);
    } catch (error) {
      if (!(error instanceof Stale))
        this.#options.log.warn('cannot write the status of a cluster', { cluster: name, error });
    } finally {
      this.#looking.delete(name);
    }
    const now = this.#options.fleet.get(name);
    if (now && now !== member) await this.#look(name);
  }

  /**
   * The result of a probe; undefined when it says nothing of the member. An answer that was awaited while the hub was away
   * may be the hub's own silence.
   */
  async #probe(name: string): Promise<Probe | { readonly fault: string } | undefined> {
    const { fleet } = this.#options;
    const [fault, member, awakenings] = [fleet.faultOf(name), fleet.get(name), this.#awakenings];
    const probe = fault === undefined ? await member?.probe() : { fault };
    this.#beat();
    return fleet.get(name) === member && awakenings === this.#awakenings ? probe : undefined;
  }

  async #lookAt(name: string): Promise<void> {
    const { view, onProbe, writesStatus = true } = this.#options;
    const probe = await this.#probe(name);
    if (!probe) return;
    onProbe(name, probe);
    const cluster = view.clusters.find(({ metadata }) => metadata.name === name);
    if (cluster && writesStatus) await this.#report(cluster, probe);
  }

  async #report(cluster: Cluster, probe: Probe | { readonly fault: string }): Promise<void> {
    const { hub, view, patience = usualPatience } = this.#options;
    const { name } = cluster.metadata;
    const verdict = clusterStatusAfter(cluster, probe, { doubt: this.#doubts.get(name), patience, now: view.now });
    if (verdict.doubt) this.#doubts.set(name, verdict.doubt);
    else this.#doubts.delete(name);
    if (verdict.doubt?.status === 'True') view.answering.add(name);
    else view.answering.delete(name);
    if (equal(verdict.status, cluster.status ?? {})) return;
    const object: Cluster = { ...cluster, status: verdict.status };
    await performWrite({ verb: 'updateStatus', object }, () => hub);
  }
}

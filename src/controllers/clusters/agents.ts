import { memberSecretNamespace } from '../../api/index.ts';
import type { Cluster, KubeObject } from '../../api/index.ts';
import { microTimestamp } from '../../base/index.ts';
import { statusAfterSilence, usualSilence } from '../../engine/index.ts';
import type { SilenceLimits } from '../../engine/index.ts';
import type { Clock, Logger } from '../../observe/index.ts';
import { Informer, performWrite, Stale } from '../../runtime/index.ts';
import type { HubCache, InformerOptions, WriteTarget } from '../../runtime/index.ts';

const leaseKind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;

/** The options of a watch over agents. */
export interface AgentWatchOptions {
  readonly view: HubCache;
  readonly hub: WriteTarget;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: SilenceLimits;
  readonly everyMilliseconds?: number;
}

/**
 * Says of Pull members that nothing is known of them when their agents stop renewing their leases.
 * Guarantees: the age of a lease is measured by our own clock from when we saw it change, never read from it; while leases cannot
 * be watched nobody is called silent, and the time counts anew afterwards.
 */
export class AgentWatch {
  readonly name = 'agents';
  readonly #options: AgentWatchOptions;
  /** When a lease was seen to change last, by member. */
  readonly #heard = new Map<string, number>();
  /** Since when leases are watched without a break; undefined while they are not. */
  #listening: number | undefined;
  #leases: Informer | undefined;
  #cancel: () => void = () => {};

  constructor(options: AgentWatchOptions) {
    this.#options = options;
  }

  start(): void {
    const { hub, clock, log } = this.#options;
    this.#leases = new Informer({
      server: hub.server,
      of: leaseKind,
      select: { namespace: memberSecretNamespace },
      into: { apply: (changes) => this.#hear(changes) },
      onState: ({ phase }) => this.#listen(phase === 'watching'),
      clock,
      log,
    });
    this.#leases.start();
    this.#tick();
  }

  async stop(): Promise<void> {
    this.#cancel();
    await this.#leases?.stop();
  }

  #hear(changes: Parameters<InformerOptions['into']['apply']>[0]): void {
    for (const { after } of changes) if (after) this.#heard.set(after.metadata.name, this.#options.clock.now());
  }

  #listen(isWatching: boolean): void {
    if (!isWatching) this.#listening = undefined;
    else this.#listening ??= this.#options.clock.now();
  }

  readonly #tick = (): void => {
    const { clock, everyMilliseconds = 5_000 } = this.#options;
    this.#cancel = clock.after(everyMilliseconds, this.#tick);
    for (const cluster of this.#options.view.clusters) void this.#judge(cluster);
  };

  async #judge(cluster: Cluster): Promise<void> {
    const { clock, limits = usualSilence, view, hub, log } = this.#options;
    if (this.#listening === undefined) return;
    const { name, creationTimestamp } = cluster.metadata;
    const heard = this.#heard.get(name) ?? (Date.parse(creationTimestamp ?? '') || 0);
    const silent = clock.now() - Math.max(heard, this.#listening);
    const status = statusAfterSilence(cluster, { silent, limits, now: view.now });
    if (!status) return;
    try {
      await performWrite({ verb: 'updateStatus', object: { ...cluster, status } as Cluster }, () => hub);
      log.warn('the agent of a member is silent', { member: name, milliseconds: silent });
    } catch (error) {
      if (!(error instanceof Stale)) log.warn('cannot write the status of a cluster', { cluster: name, error });
    }
  }
}

/** The options of an agent's heartbeat. */
export interface HeartbeatOptions {
  readonly server: WriteTarget['server'];
  readonly member: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMilliseconds?: number;
}

/** The lease of an agent: renewed as long as its process runs and reaches the hub. */
export class Heartbeat {
  readonly name = 'heartbeat';
  readonly #options: HeartbeatOptions;
  readonly #stop = new AbortController();
  #cancel: () => void = () => {};
  #failed = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, everyMilliseconds = 10_000 } = this.#options;
    this.#cancel = clock.after(everyMilliseconds, () => this.start());
    void this.#renew();
  }

  async stop(): Promise<void> {
    this.#cancel();
    this.#stop.abort();
    await Promise.resolve();
  }

  async #renew(): Promise<void> {
    const { server, member, log } = this.#options;
    try {
      const { signal } = this.#stop;
      const options = { type: 'apply', force: true, fieldManager: 'sluice-agent', signal } as const;
      await server.patch({ ...leaseKind, namespace: memberSecretNamespace, name: member }, this.#lease(), options);
      if (this.#failed) log.info('the lease is renewed again', { member });
      this.#failed = false;
    } catch (error) {
      if (!this.#failed && !this.#stop.signal.aborted) log.warn('cannot renew the lease', { member, error });
      this.#failed = true;
    }
  }

  #lease(): KubeObject {
    const { clock, member } = this.#options;
    const spec = { holderIdentity: member, leaseDurationSeconds: 40, renewTime: microTimestamp(clock.now()) };
    return { ...leaseKind, metadata: { name: member, namespace: memberSecretNamespace }, spec } as KubeObject;
  }
}

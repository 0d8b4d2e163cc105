import { microTimestamp } from '../base/index.ts';
import type { KubeObject } from '../api/index.ts';
import { isConflict, isNotFound } from '../client/index.ts';
import type { ApiClient } from '../client/index.ts';
import { pause, silentLogger, wallClock } from '../observe/index.ts';
import type { Clock, Logger } from '../observe/index.ts';

/** coordination.k8s.io/v1 Lease, as far as an election needs it. */
interface LeaseObject extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/** The options of a lease. */
export interface LeaseOptions {
  readonly server: ApiClient;
  readonly namespace: string;
  readonly name: string;
  /** The identity of this process; unique. */
  readonly identity: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Logger;
  /** After so long without a renewal others may take the lease. */
  readonly durationSeconds?: number;
  /** After so long without a successful renewal of ours we give up, well before others may take over. */
  readonly renewMilliseconds?: number;
  /** Between two attempts. */
  readonly retryMilliseconds?: number;
}

/** Called when leading begins and ends. `onLost` is waited for before the lease is released. */
export interface LeaseCallbacks {
  readonly onLead: () => void | Promise<void>;
  readonly onLost: () => void | Promise<void>;
}

const defaults = {
  clock: wallClock,
  random: Math.random,
  log: silentLogger,
  durationSeconds: 15,
  renewMilliseconds: 10_000,
  retryMilliseconds: 2_000,
};

/**
 * Elects one of several processes.
 * Guarantees: as long as clocks run equally fast, no two lead at once; clocks need not show the same time, because the
 * age of a lease is measured from when we saw it change and never read from it.
 */
export class Lease {
  readonly #options: LeaseOptions & typeof defaults;
  /** The newest state of the lease, and when we first saw it. */
  #seen: { readonly lease: LeaseObject; readonly at: number } | undefined;
  /** When the last write of the lease that succeeded was begun: others may count from then on. */
  #confirmed: Moment = { wall: Number.NEGATIVE_INFINITY, steady: Number.NEGATIVE_INFINITY };
  #leading = false;

  constructor(options: LeaseOptions) {
    this.#options = { ...defaults, ...options };
  }

  get leading(): boolean {
    return this.#leading;
  }

  /** The identity of the process that has the lease, as far as we have seen. */
  get leader(): string {
    return this.#seen?.lease.spec?.holderIdentity ?? '';
  }

  /** The number of this term: it grows whenever another process takes the lease. */
  get epoch(): number {
    return this.#seen?.lease.spec?.leaseTransitions ?? 0;
  }

  /**
   * Tells whether writes may leave: no other process can have the lease yet. The answer does not wait for this process to
   * find out that it lost the lease, so it is right at once after a pause of the process.
   */
  get mayWrite(): boolean {
    return this.#leading && this.#age() < this.#options.renewMilliseconds;
  }

  /** The larger of two clocks: one may be set back, the other may stand still while the machine sleeps. */
  #age(): number {
    const { wall, steady } = this.#confirmed;
    return Math.max(this.#options.clock.now() - wall, performance.now() - steady);
  }

  /** Takes part in the election until the signal is given; then releases the lease, if we have it. */
  async run(callbacks: LeaseCallbacks, signal: AbortSignal): Promise<void> {
    const { log, identity } = this.#options;
    while (!signal.aborted) {
      if (!(await this.#attempt(signal))) {
        await this.#rest(signal);
        continue;
      }
      this.#leading = true;
      log.info('leads', { identity, epoch: this.epoch });
      await callbacks.onLead();
      const lost = await this.#keep(signal);
      this.#leading = false;
      log.info('leads no more', { identity, lost });
      await callbacks.onLost();
      if (!lost) await this.#release();
    }
  }

  /** Renews until the lease is lost (true) or the signal is given (false). */
  async #keep(signal: AbortSignal): Promise<boolean> {
    const { renewMilliseconds, identity } = this.#options;
    for (;;) {
      await this.#rest(signal);
      if (signal.aborted) return false;
      if (this.#age() >= renewMilliseconds) return true;
      if (await this.#attempt(signal, renewMilliseconds - this.#age())) continue;
      if (this.leader !== identity || this.#age() >= renewMilliseconds) return true;
    }
  }

  #rest(signal: AbortSignal): Promise<void> {
    const { clock, random, retryMilliseconds } = this.#options;
    return pause(clock, retryMilliseconds * (1 + random() / 5), signal);
  }

  /** Takes or renews the lease; false when somebody else has it, or when nobody answers. */
  async #attempt(outer: AbortSignal, within?: number): Promise<boolean> {
    const { clock, log, renewMilliseconds } = this.#options;
    const abort = new AbortController();
    const stop = (): void => abort.abort(new Error('the lease could not be written in time'));
    const cancel = clock.after(Math.max(0, within ?? renewMilliseconds), stop);
    outer.addEventListener('abort', stop, { once: true });
    const begun = { wall: clock.now(), steady: performance.now() };
    try {
      const taken = await this.#take(abort.signal);
      if (taken) this.#confirmed = begun;
      return taken;
    } catch (error) {
      if (!isConflict(error)) log.warn('cannot write the lease', { error });
      return false;
    } finally {
      cancel();
      outer.removeEventListener('abort', stop);
    }
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    const { server, identity, clock } = this.#options;
    const lease = await server.find<LeaseObject>(this.#ref(), { signal });
    if (lease) this.#see(lease);
    if (lease && !this.#mayTake(lease)) return false;
    const renews = lease?.spec?.holderIdentity === identity;
    const now = microTimestamp(clock.now());
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: this.#options.durationSeconds,
      acquireTime: (renews ? lease.spec?.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: transitionsOf(lease, renews),
    };
    const written = lease
      ? await server.update<LeaseObject>({ ...lease, spec }, { signal })
      : await server.create<LeaseObject>({ ...this.#empty(), spec }, { signal });
    this.#see(written);
    return true;
  }

  #see(lease: LeaseObject): void {
    if (this.#seen?.lease.metadata.resourceVersion === lease.metadata.resourceVersion) return;
    this.#seen = { lease, at: this.#options.clock.now() };
  }

  #mayTake({ spec }: LeaseObject): boolean {
    const { identity, clock, durationSeconds } = this.#options;
    if (!spec?.holderIdentity || spec.holderIdentity === identity) return true;
    const age = clock.now() - (this.#seen?.at ?? clock.now());
    return age >= (spec.leaseDurationSeconds ?? durationSeconds) * 1000;
  }

  /** Lets the next one take over at once. */
  async #release(): Promise<void> {
    const { server, identity, clock, log } = this.#options;
    try {
      const lease = await server.find<LeaseObject>(this.#ref());
      if (lease?.spec?.holderIdentity !== identity) return;
      const renewTime = microTimestamp(clock.now());
      this.#see(
        await server.update({
          ...lease,
          spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime },
        }),
      );
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) log.warn('cannot release the lease', { error });
    }
  }

  #ref(): { apiVersion: string; kind: string; namespace: string; name: string } {
    const { namespace, name } = this.#options;
    return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace, name };
  }

  #empty(): LeaseObject {
    const { namespace, name, apiVersion, kind } = this.#ref();
    return { apiVersion, kind, metadata: { namespace, name } };
  }
}

/** A moment on the clock of the options, and on one that is never set. */
interface Moment {
  readonly wall: number;
  readonly steady: number;
}

function transitionsOf(lease: LeaseObject | undefined, renews: boolean): number {
  const before = lease?.spec?.leaseTransitions ?? 0;
  return !lease || renews ? before : before + 1;
}

import { managedLabel } from '../api/index.ts';
import { Reflector } from '../client/index.ts';
import type { KindRef, ReflectedChange } from '../client/index.ts';
import type { Logger } from '../observe/index.ts';
import { collectionBounds } from './answers.ts';
import type { Member } from './member.ts';

/** Where what is seen in a member goes. */
export interface Sight {
  apply(changes: readonly ReflectedChange[]): void;
  markSynced(kind: KindRef): void;
  markUnsynced(kind: KindRef): void;
}

/**
 * Follows, in one member, the kinds that are dispatched to it: only what we manage, from the moment that a kind is first
 * needed. Drift is seen here, by watch and not by polling.
 */
export class MemberWatches {
  readonly #member: Member;
  readonly #sight: Sight;
  readonly #log: Logger;
  readonly #running = new Map<string, { readonly reflector: Reflector; readonly ended: Promise<void> }>();
  readonly #catchingUp = new Set<string>();
  /**
   * Kinds that are needed, and that the member has not said that it serves: nothing is known of a member that is down
   * at first.
   */
  readonly #wanted = new Map<string, KindRef>();
  readonly #stop = new AbortController();

  constructor(member: Member, sight: Sight, log: Logger) {
    this.#member = member;
    this.#sight = sight;
    this.#log = log;
  }

  /** Sees to it that a kind is followed; a kind that the member does not serve is tried again when it answers. */
  ensure({ apiVersion, kind: word }: KindRef): void {
    const kind = { apiVersion, kind: word };
    const name = `${apiVersion}|${word}`;
    if (this.#running.has(name) || this.#stop.signal.aborted) return;
    if (!this.#member.served.byKind(apiVersion, word)) return void this.#wanted.set(name, kind);
    this.#wanted.delete(name);
    const reflector = new Reflector({
      server: this.#member.client,
      of: kind,
      select: { labelSelector: `${managedLabel}=true` },
      most: collectionBounds,
      onState: (state) => this.#member.faults.heard(word, state),
      onChanges: (changes) => this.#sight.apply(changes),
      onSynced: () => {
        this.#catchingUp.delete(name);
        this.#sight.markSynced(kind);
      },
      log: this.#log,
    });
    this.#catchingUp.add(name);
    this.#running.set(name, { reflector, ended: reflector.run(this.#stop.signal) });
  }

  /** Tells whether a kind is being read for the first time. Until then what stands in the member is unknown. */
  get catchingUp(): boolean {
    return this.#catchingUp.size > 0;
  }

  /** The member answers: what was broken off is taken up at once, and so is what it serves by now. */
  hurry(): void {
    for (const kind of this.#wanted.values()) this.ensure(kind);
    for (const { reflector } of this.#running.values()) reflector.hurry();
  }

  /** The member answers again after it did not. */
  renew(): void {
    for (const { reflector } of this.#running.values()) reflector.renew();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }
}

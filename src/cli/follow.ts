import { apiVersionOf } from '../api/index.ts';
import { Reflector } from '../client/index.ts';
import type { ReflectedChange } from '../client/index.ts';
import { clock } from './connect.ts';
import type { Server } from './connect.ts';
import type { Display, Inquiry, MemberChange } from './display.ts';

/**
 * Shows what happens in members, until the user has seen enough. Members are followed before anything is shown, so
 * that nothing happens unseen in between; what `first` has shown already is not shown again.
 */
export async function follow(inquiry: Inquiry, display: Display, first: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const queue = new Queue(display, () => stop.abort());
  const signal = AbortSignal.any([inquiry.io.interrupted, stop.signal]);
  const followed = [...inquiry.servers].map(([cluster, server]) =>
    followMember(inquiry, { cluster, server, signal, queue }),
  );
  await Promise.all(followed.map(({ begun }) => begun));
  if (!signal.aborted) await first().finally(() => queue.open());
  await Promise.all(followed.map(({ ended }) => ended));
  await queue.done();
}

interface Followed {
  readonly cluster: string;
  readonly server: Server;
  readonly signal: AbortSignal;
  readonly queue: Queue;
}

function followMember({ kind, selects }: Inquiry, { cluster, server, signal, queue }: Followed): Following {
  const { signal: _, ...selected } = selects[0] ?? {};
  const begun = Promise.withResolvers<void>();
  let synced = false;
  const reflector = new Reflector({
    server: server.client,
    of: { apiVersion: apiVersionOf(kind), kind: kind.kind },
    select: selected,
    clock,
    remember: true,
    onChanges: (changes) => {
      for (const change of changes) if (synced) queue.add(changeOf(cluster, change));
    },
    onSynced: () => {
      synced = true;
      begun.resolve();
    },
    // A member that does not answer delays nobody.
    onState: ({ phase }) => phase === 'waiting' && begun.resolve(),
  });
  const ended = reflector.run(signal).then(begun.resolve);
  return { begun: begun.promise, ended };
}

interface Following {
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
}

function changeOf(cluster: string, { before, after }: ReflectedChange): MemberChange {
  if (!after) return { cluster, event: 'DELETED', object: before as NonNullable<typeof before> };
  return { cluster, event: before ? 'MODIFIED' : 'ADDED', object: after };
}

/** Changes are shown one after the other, once the beginning has been. */
class Queue {
  readonly #display: Display;
  readonly #giveUp: () => void;
  readonly #gate = Promise.withResolvers<void>();
  #shown: Promise<void> = this.#gate.promise;
  #failure: unknown;

  constructor(display: Display, giveUp: () => void) {
    this.#display = display;
    this.#giveUp = giveUp;
  }

  open(): void {
    this.#gate.resolve();
  }

  add(change: MemberChange): void {
    this.#shown = this.#shown
      .then(() => this.#display.showChange(change))
      .catch((error: unknown) => {
        this.#failure ??= error;
        this.#giveUp();
      });
  }

  /** Everything has been shown; throws what made that impossible. */
  async done(): Promise<void> {
    this.open();
    await this.#shown;
    if (this.#failure) throw this.#failure;
  }
}

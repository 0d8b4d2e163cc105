import type { KubeObject } from '../../src/api/index.ts';
import type { ApiClient, KindRef } from '../../src/client/index.ts';
import type { System } from './system.ts';
import { kinds } from './templates.ts';

/** The mark by which an edit is known again in the members. */
export const stampLabel = 'bench-stamp';

/** Watches the members, and knows when the last of them has seen a stamp. */
export interface Arrivals {
  /** Resolves to the moment at which the last member had it, as `performance.now` tells it. */
  of(stamp: string): Promise<number>;
  close(): void;
}

/** Follows what happens in a namespace of every member from now on. */
export async function arrivals({ members }: System, namespace: string): Promise<Arrivals> {
  const stop = new AbortController();
  const waiting = new Map<string, { missing: number; readonly done: PromiseWithResolvers<number> }>();
  const seen = (stamp: string): void => {
    const wait = waiting.get(stamp);
    if (!wait || --wait.missing > 0) return;
    waiting.delete(stamp);
    wait.done.resolve(performance.now());
  };
  const follow = async (member: ApiClient, kind: KindRef): Promise<void> => {
    const { resourceVersion } = await member.list(kind, { namespace, limit: 1 });
    const batches = await member.watch(kind, { namespace, resourceVersion, signal: stop.signal });
    void readStamps(batches, seen).catch((error: unknown) => {
      if (!stop.signal.aborted) for (const { done } of waiting.values()) done.reject(error);
    });
  };
  await Promise.all([...members.values()].flatMap((member) => kinds.map((kind) => follow(member, kind))));
  return {
    of(stamp) {
      const done = Promise.withResolvers<number>();
      waiting.set(stamp, { missing: members.size, done });
      return done.promise;
    },
    close: () => stop.abort(),
  };
}

type Batches = AsyncIterable<readonly { readonly type: string; readonly object?: KubeObject }[]>;

/** A stamp counts once: the object may be written again with the same. */
async function readStamps(batches: Batches, seen: (stamp: string) => void): Promise<void> {
  const last = new Map<string, string>();
  for await (const batch of batches) {
    for (const { object } of batch) {
      const stamp = object?.metadata.labels?.[stampLabel];
      if (!object || stamp === undefined || last.get(object.metadata.name) === stamp) continue;
      last.set(object.metadata.name, stamp);
      seen(stamp);
    }
  }
}

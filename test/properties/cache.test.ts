import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { freeze } from '../../src/base/index.ts';
import type { ReflectedChange } from '../../src/client/index.ts';
import { HubCache, ManualClock } from '../../src/runtime/index.ts';

/** A change to one of three objects. */
interface Edit {
  readonly name: 'a' | 'b' | 'c';
  readonly does: 'write' | 'delete';
  /** We do it ourselves: the cache sees the answer as well as the event. */
  readonly ours: boolean;
  /** The number of further changes after which our answer, and the event, arrive. */
  readonly answerAfter: number;
  readonly eventAfter: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  does: fc.constantFrom('write', 'write', 'delete'),
  ours: fc.boolean(),
  answerAfter: fc.nat(6),
  eventAfter: fc.nat(6),
});

const keyOf = (name: string): string => `v1|ConfigMap|ns|${name}`;

/** A change, and the object that it was about. */
interface Done extends ReflectedChange {
  readonly uid: string | undefined;
}

/** A server that keeps the newest state and tells of changes in their order, late. */
class Server {
  revision = 0;
  readonly objects = new Map<string, KubeObject>();
  readonly dead = new Set<string | undefined>();
  #births = 0;

  do({ name, does }: Edit): Done | undefined {
    const before = this.objects.get(name);
    if (does === 'delete' && !before) return undefined;
    this.revision++;
    const revision = String(this.revision);
    if (does === 'delete') {
      this.dead.add(before?.metadata.uid);
      this.objects.delete(name);
      return { uid: before?.metadata.uid, key: keyOf(name), after: undefined, revision, origin: 'watch' };
    }
    const uid = before?.metadata.uid ?? `uid-${++this.#births}`;
    const after = freeze({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'ns', uid, resourceVersion: revision },
    });
    this.objects.set(name, after);
    return { uid, key: keyOf(name), after, revision, origin: 'watch' };
  }
}

it('ends at the newest state and never goes back, however late events and answers come', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
      const server = new Server();
      const cache = new HubCache({
        indexKeysOf: (object) => [`name|${object.metadata.name}`],
        clock: new ManualClock(),
      });
      const newest = new Map<string, number>();
      const wrong: string[] = [];
      cache.listen(({ key, before, after }) => {
        const revision = Number(after?.metadata.resourceVersion);
        if (!after && !server.dead.has(before?.metadata.uid)) wrong.push(`${key} is alive`);
        if (after && revision <= (newest.get(key) ?? 0)) wrong.push(`${key} went back to ${revision}`);
        if (after) newest.set(key, revision);
      });
      const events: { readonly change: ReflectedChange; readonly at: number }[] = [];
      let answers: { readonly change: Done; readonly at: number }[] = [];
      const deliver = (now: number): void => {
        for (const { change } of answers.filter(({ at }) => at <= now)) {
          if (change.after) cache.put(change.after);
          else cache.remove(change.key, change.uid);
        }
        answers = answers.filter(({ at }) => at > now);
        // A watch is in order: what is late holds up what comes after it.
        while (events[0] && events[0].at <= now) cache.apply([events.shift()!.change]);
      };
      edits.forEach((one, now) => {
        const change = server.do(one);
        if (change) {
          events.push({ change, at: now + one.eventAfter });
          if (one.ours) answers.push({ change, at: now + one.answerAfter });
        }
        deliver(now);
      });
      deliver(Infinity);
      expect(wrong).toEqual([]);
      const known = new Map([...cache.entries()].map(([, object]) => [object.metadata.name, object]));
      expect(known).toEqual(server.objects);
      for (const name of ['a', 'b', 'c']) expect(cache.has(`name|${name}`)).toBe(server.objects.has(name));
    }),
    { numRuns: 2000 },
  );
});

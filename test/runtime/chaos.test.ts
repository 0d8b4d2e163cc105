import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expired, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { Reflector, Unreachable } from '../../src/client/index.ts';
import { HubCache, ManualClock } from '../../src/runtime/index.ts';
import { configMap, Faults, namespaceOf, openHub, ours, until } from './kit.ts';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
const cutError = new Unreachable('cut', 'the connection broke', { sent: true });
const gone = { status: 410, headers: {}, body: expired('too old').status };

type Step = 'create' | 'update' | 'delete' | 'cut' | 'gone' | 'down' | 'up' | 'silence' | 'sound' | 'time' | 'turn';

const each: readonly Step[] = ['create', 'update', 'delete', 'cut', 'gone', 'down', 'up', 'silence', 'sound', 'turn'];
const steps = fc.array(fc.constantFrom<Step>(...each, 'create', 'time', 'time', 'time', 'up', 'sound'), {
  minLength: 10,
  maxLength: 80,
});

/** One run: a hub, somebody who changes it, a reflector, and everything between them going wrong. */
async function story(watchList: boolean, happenings: readonly Step[]): Promise<void> {
  const hub = await openHub();
  const client = hub.client();
  const namespace = await namespaceOf(client);
  const faults = new Faults(hub.transport);
  const clock = new ManualClock();
  const cache = new HubCache({ indexKeysOf: () => [], clock });
  const told = new Map<string, KubeObject>();
  const wrong: string[] = [];
  cache.listen(({ key, before, after }) => {
    if (before !== told.get(key)) wrong.push(key);
    if (after) told.set(key, after);
    else told.delete(key);
  });
  const reflector = new Reflector({
    server: hub.client(faults, { retry: { attempts: 1, longestMilliseconds: 0 } }),
    of: kind,
    select: { namespace, labelSelector: ours },
    onChanges: (changes) => cache.apply(changes),
    clock,
    random: () => 0.5,
    watchList,
    pageSize: 2,
    stallMilliseconds: 2_000,
  });
  const stop = new AbortController();
  const running = reflector.run(stop.signal);
  const list = async (): Promise<readonly KubeObject[]> =>
    (await client.list(kind, { namespace, labelSelector: ours })).items;
  let made = 0;
  const does: Readonly<Record<Step, () => unknown>> = {
    create: () => client.create(configMap(namespace, {}, `cm-${made++}`)),
    update: async () => {
      const [first] = await list();
      if (first) await client.update({ ...first, data: { n: `${made++}` } } as KubeObject);
    },
    delete: async () => {
      const first = (await list()).at(-1);
      if (first) await client.delete(refOf(first));
    },
    cut: () => faults.cut(cutError),
    gone: () => {
      faults.answerStream = ({ query }) => {
        if (!query.includes('resourceVersion=')) return undefined;
        faults.answerStream = undefined;
        return gone;
      };
      faults.cut(cutError);
    },
    down: () => {
      faults.answer = () => cutError;
      faults.answerStream = () => cutError;
      faults.cut(cutError);
    },
    up: () => {
      faults.answer = undefined;
      faults.answerStream = undefined;
    },
    silence: () => (faults.silent = true),
    sound: () => (faults.silent = false),
    time: async () => {
      clock.advance(1_000);
      await does.turn();
      await does.turn();
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
  for (const step of happenings) await does[step]();
  does.up();
  does.sound();
  // A dead watch is noticed only by its silence.
  clock.advance(3_000);
  const expected = new Map((await list()).map((object) => [object.metadata.name, object]));
  const known = (): Map<string, KubeObject> =>
    new Map([...cache.entries()].map(([, object]) => [object.metadata.name, object]));
  const same = (): boolean =>
    reflector.state.phase === 'watching' &&
    known().size === expected.size &&
    [...known()].every(
      ([name, { metadata }]) => expected.get(name)?.metadata.resourceVersion === metadata.resourceVersion,
    );
  await until(same, () => clock.advance(50));
  expect(known()).toEqual(expected);
  expect(wrong).toEqual([]);
  stop.abort();
  await running;
  await hub.close();
}

describe('arbitrary failures between a hub and a cache', () => {
  it.each([true, false])('the cache ends as the hub is (begins with a stream: %s)', async (watchList) => {
    await fc.assert(
      fc.asyncProperty(steps, (happenings) => story(watchList, happenings)),
      { numRuns: 50 },
    );
  });
});

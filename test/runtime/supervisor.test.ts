import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { Decision, KubeObject, View, Write } from '../../src/api/index.ts';
import { Unreachable } from '../../src/client/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import {
  Controller,
  Supervisor,
  Informer,
  HubCache,
  Lease,
  ManualClock,
  performWrite,
} from '../../src/runtime/index.ts';
import type { SupervisorOptions } from '../../src/runtime/index.ts';
import { configMap, Faults, namespaceOf, ours, targets, until } from './kit.ts';
import type { OpenHub } from './kit.ts';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };

type Data = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** The question of these tests: every ConfigMap `x` has a twin `x-twin` with the same data, and none without it. */
function twinOf(view: View, key: string): Decision | undefined {
  const original: Data | undefined = view.get(key);
  const twin: Data | undefined = view.get(`${key}-twin`);
  if (key.endsWith('-twin')) return undefined;
  if (!original)
    return twin ? acts('remove', { verb: 'delete', ref: refOf(twin), uid: twin.metadata.uid ?? '' }) : undefined;
  const { namespace = '', name } = original.metadata;
  if (!twin)
    return acts('copy', { verb: 'create', object: configMap(namespace, { ...original.data }, `${name}-twin`) });
  if (JSON.stringify(twin.data) === JSON.stringify(original.data)) return { actions: [], because: 'UpToDate' };
  return acts('follow', { verb: 'update', object: { ...twin, data: original.data } as KubeObject });
}

const acts = (name: string, write: Write): Decision => ({
  actions: [{ do: name, write }],
  because: 'PolicyEdited',
});

describe.each(targets)('a supervisor %s', (_name, open) => {
  let hub: OpenHub;
  let client: ApiClient;
  let faults: Faults;
  let namespace = '';
  const supervisors: Supervisor[] = [];
  beforeEach(async () => {
    hub = await open();
    client = hub.client();
    faults = new Faults(hub.transport);
    namespace = await namespaceOf(client);
  });
  afterEach(async () => {
    await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop()));
    await hub.close();
  });

  interface Ship {
    readonly supervisor: Supervisor;
    readonly cache: HubCache;
    readonly feed: Informer;
    readonly controller: Controller;
    readonly performed: string[];
  }

  function aboard(more: Partial<SupervisorOptions> = {}): Ship {
    const server = hub.client(faults, { retry: { attempts: 1, longestMilliseconds: 0 } });
    const cache = new HubCache({ indexKeysOf: () => [] });
    const performed: string[] = [];
    const controller = new Controller({
      name: 'twins',
      view: cache,
      answer: twinOf,
      async perform(action, { signal }) {
        await performWrite(action.write, () => ({ server, cache }), signal);
        performed.push(action.do);
      },
    });
    cache.listen(({ key, origin }) => controller.ask(key.replace(/-twin$/, ''), origin === 'list' ? 'low' : 'normal'));
    const feed = new Informer({ server, of: kind, select: { namespace, labelSelector: ours }, into: cache });
    const supervisor = new Supervisor({ informers: [feed], runnables: [controller], ...more });
    supervisors.push(supervisor);
    return { supervisor, cache, feed, controller, performed };
  }

  const dataOf = async (name: string): Promise<unknown> =>
    (await client.find<Data>({ ...kind, namespace, name }))?.data?.['v'];
  const create = (name: string, v = '1'): Promise<Data> => client.create(configMap(namespace, { v }, name));
  const settled = async (name: string, expected: string | undefined): Promise<void> => {
    while ((await dataOf(name)) !== expected) await new Promise((resolve) => setImmediate(resolve));
  };

  it('brings about what its question asks for, with one write each', async () => {
    await create('a');
    const { supervisor, performed } = aboard();
    await supervisor.start();
    await settled('a-twin', '1');
    const b = await create('b');
    await settled('b-twin', '1');
    await client.update({ ...b, data: { v: '2' } });
    await settled('b-twin', '2');
    await client.delete(refOf(b));
    await settled('b-twin', undefined);
    await until(() => performed.length >= 4);
    expect(performed).toEqual(['copy', 'copy', 'follow', 'remove']);
  });

  it('writes nothing when it starts again and nothing has changed', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const first = aboard();
    await first.supervisor.start();
    await until(() => first.performed.length === 3);
    expect(await first.supervisor.stop()).toEqual([]);
    const second = aboard();
    await second.supervisor.start();
    await until(() => second.controller.queue.size === 0 && second.controller.queue.active === 0);
    expect([second.performed, second.cache.size]).toEqual([[], 6]);
  });

  it('reads again what was not what it saw, and then acts on what is', async () => {
    await create('a');
    const { supervisor, cache, performed } = aboard();
    await supervisor.start();
    await until(() => performed.length === 1);
    faults.silent = true;
    const twin = await client.get<Data>({ ...kind, namespace, name: 'a-twin' });
    await client.update({ ...twin, data: { v: 'meddled' } });
    const original = await client.get<Data>({ ...kind, namespace, name: 'a' });
    cache.put(await client.update({ ...original, data: { v: '2' } }));
    await settled('a-twin', '2');
    await until(() => performed.length === 2);
    expect(faults.asked.filter((line) => line.startsWith('GET') && line.includes('/a-twin')).length).toBe(1);
  });

  it('takes what already exists for what it is, and what is gone for gone', async () => {
    await create('a');
    const { supervisor, cache, controller, performed } = aboard();
    await supervisor.start();
    await until(() => performed.length === 1);
    faults.silent = true;
    await client.delete({ ...kind, namespace, name: 'a-twin' });
    const original = await client.get<Data>({ ...kind, namespace, name: 'a' });
    cache.put(await client.update({ ...original, data: { v: '2' } }));
    await settled('a-twin', '2');
    await create('b');
    await client.create(configMap(namespace, { v: '0' }, 'b-twin'));
    cache.put(await client.get({ ...kind, namespace, name: 'b' }));
    await settled('b-twin', '1');
    await until(() => controller.queue.active === 0);
    await client.delete({ ...kind, namespace, name: 'b' });
    await client.delete({ ...kind, namespace, name: 'b-twin' });
    cache.remove(keyOf({ ...kind, namespace, name: 'b' }));
    await until(() => performed.at(-1) === 'remove');
    expect(performed).toEqual(['copy', 'copy', 'follow', 'remove']);
  });

  it('goes on when the server comes back', async () => {
    await create('a');
    const { supervisor, performed } = aboard();
    await supervisor.start();
    await until(() => performed.length === 1);
    const down = new Unreachable('refused', 'nobody there', { sent: false });
    faults.answer = () => down;
    faults.answerStream = () => down;
    faults.cut(down);
    await create('b');
    await create('c');
    faults.answer = undefined;
    faults.answerStream = undefined;
    await settled('b-twin', '1');
    await settled('c-twin', '1');
    await until(() => performed.length === 3);
  });

  it('says what it could not read', async () => {
    const clock = new ManualClock();
    faults.answerStream = () => new Unreachable('refused', 'nobody there', { sent: false });
    const { supervisor } = aboard({ clock, syncMilliseconds: 1_000 });
    const starting = expect(supervisor.start()).rejects.toThrow(
      /not everything could be read: ConfigMap\.v1: waiting .*nobody there/,
    );
    await until(() => supervisor.texts[0]?.includes('nobody there') === true);
    clock.advance(1_000);
    await starting;
    expect(supervisor.working).toBe(false);
  });

  it('leaves behind what does not stop in time, and names it', async () => {
    const clock = new ManualClock();
    const stuck = { name: 'stuck', start: () => {}, stop: () => new Promise<void>(() => {}) };
    const { supervisor, controller } = aboard({ clock, runnables: [stuck], stopMilliseconds: 1_000 });
    await supervisor.start();
    let late: readonly string[] | undefined;
    void supervisor.stop().then((names) => (late = names));
    await until(
      () => late !== undefined,
      () => clock.advance(100),
    );
    expect(late).toEqual(['stuck']);
    await controller.stop();
    supervisors.length = 0;
  });

  it('works only while it holds the lease', async () => {
    const clock = new ManualClock();
    const leaseOf = (identity: string): Lease =>
      new Lease({ server: client, namespace: 'default', name: 'supervisor', identity, clock, random: () => 0 });
    const first = aboard({ lease: leaseOf('first') });
    await first.supervisor.start();
    await until(() => first.supervisor.working);
    const second = aboard({ lease: leaseOf('second') });
    await second.supervisor.start();
    await create('a');
    await settled('a-twin', '1');
    expect([second.supervisor.working, second.performed]).toEqual([false, []]);
    await until(() => second.cache.size === 2);
    await first.supervisor.stop();
    await until(
      () => second.supervisor.working,
      () => clock.advance(100),
    );
    await create('b');
    await settled('b-twin', '1');
    await until(() => second.performed.length === 1);
    expect(first.performed).toEqual(['copy']);
  });

  it('stops working when it loses the lease', async () => {
    const clock = new ManualClock();
    const leaseFaults = new Faults(hub.transport);
    const server = hub.client(leaseFaults, { retry: { attempts: 1, longestMilliseconds: 0 } });
    const lease = new Lease({
      server,
      namespace: 'default',
      name: 'supervisor',
      identity: 'only',
      clock,
      random: () => 0,
    });
    let lost = 0;
    const { supervisor, performed } = aboard({ lease, onLost: () => lost++ });
    await supervisor.start();
    await until(() => supervisor.working);
    leaseFaults.answer = () => new Unreachable('refused', 'nobody there', { sent: false });
    await until(
      () => lost === 1,
      () => clock.advance(200),
    );
    expect(supervisor.working).toBe(false);
    const a = await create('a');
    await client.delete(refOf(a));
    expect(performed).toEqual([]);
  });
});

/** Writes that are seen before they are durable, on a hub with a disk that takes its time or fails. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { HubCache, ManualClock, performWrite } from '../../src/runtime/index.ts';
import type { WriteTarget } from '../../src/runtime/index.ts';
import { createHub } from '../../src/apiserver/index.ts';
import type { Hub } from '../../src/apiserver/index.ts';
import { ApiClient as Client, inProcess } from '../../src/client/index.ts';
import { builtinCatalog } from '../../src/api/index.ts';
import type { Store } from '../../src/store/index.ts';
import { SlowDisk } from '../kit/gate.ts';
import { administrator, configMap, namespaceOf, until } from './kit.ts';

describe('a write to a server that is early', () => {
  let disk: SlowDisk;
  let store: Store;
  let hub: Hub;
  let server: ApiClient;
  let cache: HubCache;
  let target: WriteTarget;
  let namespace: string;
  beforeEach(async () => {
    disk = new SlowDisk();
    store = disk.store();
    hub = await createHub({ store });
    const transport = inProcess((request) => hub.handle(request), administrator);
    server = new Client({ transport, resources: builtinCatalog, fieldManager: 'test' });
    cache = new HubCache({ postsOf: () => [], clock: new ManualClock() });
    target = { server, cache, durable: ({ metadata }) => store.landed(Number(metadata.resourceVersion)) };
    namespace = await namespaceOf(server);
  });
  afterEach(async () => {
    disk.release();
    await server.close();
    await hub.close();
    await store.close();
  });

  const perform = (write: Parameters<typeof performWrite>[0]): Promise<void> => performWrite(write, () => target);
  const valueOf = (object: KubeObject | undefined): string | undefined =>
    (object as { data?: { v?: string } } | undefined)?.data?.v;
  const make = (v: string): KubeObject => configMap(namespace, { v }, 'a');
  const known = (): KubeObject | undefined => cache.get(keyOf(refOf(make(''))));

  it('is seen by whoever looks before it is durable, and once', async () => {
    let told = 0;
    cache.listen(() => told++);
    disk.hold();
    const written = perform({ verb: 'create', object: make('1') });
    await until(() => known() !== undefined);
    expect(await server.find(refOf(make('')))).toBeUndefined();
    expect(valueOf(known())).toBe('1');
    disk.release();
    await written;
    expect([told, known()]).toEqual([1, await server.get(refOf(make('')))]);
  });

  it('can be followed by the next before it is durable', async () => {
    await perform({ verb: 'create', object: make('1') });
    disk.hold();
    const first = perform({ verb: 'update', object: { ...(known() as KubeObject), data: { v: '2' } } as KubeObject });
    await until(() => valueOf(known()) === '2');
    const other = perform({ verb: 'create', object: configMap(namespace, { v: valueOf(known()) ?? '' }, 'b') });
    disk.release();
    await Promise.all([first, other]);
    expect(valueOf(await server.get({ ...refOf(make('')), name: 'b' }))).toBe('2');
  });

  it.each(['update', 'delete'] as const)('is durable before the next one to the same object: %s', async (verb) => {
    disk.hold();
    const created = perform({ verb: 'create', object: make('1') });
    await until(() => known() !== undefined);
    const object = { ...(known() as KubeObject), data: { v: '2' } } as KubeObject;
    const next = verb === 'update' ? perform({ verb, object }) : perform({ verb, ref: refOf(object) });
    await new Promise((resolve) => setImmediate(resolve));
    disk.release();
    await Promise.all([created, next]);
    const left = verb === 'update' ? '2' : undefined;
    expect([valueOf(await server.find(refOf(object))), valueOf(known())]).toEqual([left, left]);
  });

  it('is durable before anything is put into the namespace that it makes', async () => {
    const fresh = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${namespace}-fresh` } };
    disk.hold();
    const made = perform({ verb: 'create', object: fresh });
    await until(() => cache.get(keyOf(refOf(fresh))) !== undefined);
    const inside = perform({ verb: 'create', object: configMap(fresh.metadata.name, {}, 'a') });
    await new Promise((resolve) => setImmediate(resolve));
    disk.release();
    await Promise.all([made, inside]);
  });

  it('is taken back when it comes to nothing: what was there is there again, what was new is gone', async () => {
    await perform({ verb: 'create', object: make('1') });
    const before = known();
    disk.hold();
    const update = perform({ verb: 'update', object: { ...before, data: { v: '2' } } as unknown as KubeObject });
    const create = perform({ verb: 'create', object: configMap(namespace, {}, 'b') });
    const b = keyOf({ ...refOf(make('')), name: 'b' });
    await until(() => valueOf(known()) === '2' && cache.get(b) !== undefined);
    disk.fail();
    await expect(update).rejects.toThrow('read-only');
    await expect(create).rejects.toThrow('read-only');
    expect([known(), cache.get(b)]).toEqual([before, undefined]);
  });

  it('is seen when it gets the revision of one that came to nothing', async () => {
    disk.hold();
    const failed = perform({ verb: 'create', object: make('1') });
    await until(() => known() !== undefined);
    const revision = known()?.metadata.resourceVersion;
    disk.fail();
    await expect(failed).rejects.toThrow('read-only');
    await until(() => store.readonlyBecause === undefined);
    await perform({ verb: 'create', object: make('2') });
    expect([known()?.metadata.resourceVersion, valueOf(known())]).toEqual([revision, '2']);
  });

  it('is not seen before it is durable where nobody can know when that is', async () => {
    target = { server, cache };
    disk.hold();
    const written = perform({ verb: 'create', object: make('1') });
    await until(() => store.revision >= 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(known()).toBeUndefined();
    disk.release();
    await written;
    expect(valueOf(known())).toBe('1');
  });
});

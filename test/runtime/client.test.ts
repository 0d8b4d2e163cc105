import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { discover } from '../../src/client/index.ts';
import type { ApiClient, WatchEvent } from '../../src/client/index.ts';
import { refOf } from '../../src/api/index.ts';
import { configMap, namespaceOf, ours, targets } from './kit.ts';
import type { OpenHub } from './kit.ts';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
const mine = { labelSelector: ours };
const reasonOf = (error: unknown): string => (error instanceof ApiError ? error.reason : String(error));

describe.each(targets)('the client %s', (_name, open) => {
  let hub: OpenHub;
  let client: ApiClient;
  let namespace = '';
  beforeAll(async () => {
    hub = await open();
    client = hub.client();
    namespace = await namespaceOf(client);
  });
  afterAll(() => hub.close());

  it('creates, reads, replaces and deletes', async () => {
    const created = await client.create(configMap(namespace, { a: '1' }));
    expect(created.metadata.uid).toBeTruthy();
    expect(Object.isFrozen(created.data)).toBe(true);
    const ref = refOf(created);
    expect(await client.get(ref)).toEqual(created);
    const updated = await client.update({ ...created, data: { a: '2' } });
    expect(updated.data).toEqual({ a: '2' });
    await expect(client.update({ ...created, data: { a: '3' } })).rejects.toSatisfy((e) => reasonOf(e) === 'Conflict');
    await expect(client.delete(ref, { uid: 'another' })).rejects.toSatisfy((e) => reasonOf(e) === 'Conflict');
    expect((await client.delete(ref, { uid: created.metadata.uid ?? '' })).gone).toBe(true);
    expect(await client.find(ref)).toBeUndefined();
  });

  it('patches in four ways', async () => {
    const created = await client.create(configMap(namespace, { a: '1' }));
    const ref = refOf(created);
    type Data = KubeObject & { data: Record<string, string> };
    const dataOf = async (patched: Promise<Data>): Promise<unknown> => (await patched).data;
    expect(await dataOf(client.patch(ref, { data: { b: '2' } }, { type: 'merge' }))).toEqual({ a: '1', b: '2' });
    const json = [{ op: 'remove', path: '/data/a' }];
    expect(await dataOf(client.patch(ref, json, { type: 'json' }))).toEqual({ b: '2' });
    const strategic = { data: { b: null, c: '3' } };
    expect(await dataOf(client.patch(ref, strategic, { type: 'strategic' }))).toEqual({ c: '3' });
    const applied = { ...kind, metadata: { name: ref.name, namespace }, data: { d: '4' } };
    expect(await dataOf(client.patch(ref, applied, { type: 'apply', fieldManager: 'x' }))).toEqual({ c: '3', d: '4' });
    const taken = { ...applied, data: { d: '5' } };
    const refused = client.patch(ref, taken, { type: 'apply', fieldManager: 'y' });
    await expect(refused).rejects.toSatisfy((e) => reasonOf(e) === 'Conflict');
    const forced = client.patch(ref, taken, { type: 'apply', fieldManager: 'y', force: true });
    expect(await dataOf(forced as Promise<Data>)).toEqual({ c: '3', d: '5' });
  });

  it('tries without doing', async () => {
    const object = configMap(namespace);
    await client.create(object, { dryRun: true });
    expect(await client.find(refOf(object))).toBeUndefined();
  });

  it('keeps what finalizers hold', async () => {
    const object = configMap(namespace);
    const blocked = { ...object, metadata: { ...object.metadata, finalizers: ['example.com/hold'] } };
    const created = await client.create(blocked);
    expect(await client.delete(refOf(created))).toMatchObject({
      gone: false,
      object: { metadata: { name: created.metadata.name } },
    });
    await client.patch(refOf(created), { metadata: { finalizers: null } }, { type: 'merge' });
    expect(await client.find(refOf(created))).toBeUndefined();
  });

  it('lists page by page, all at one revision', async () => {
    const own = await namespaceOf(client);
    for (let i = 0; i < 7; i++) await client.create(configMap(own, {}, `cm-${i}`));
    const page = await client.list(kind, { ...mine, namespace: own, limit: 3 });
    expect(page.items.length).toBe(3);
    expect(page.items[0]).toMatchObject(kind);
    await client.create(configMap(own, {}, 'cm-9'));
    const rest = await client.list(kind, { ...mine, namespace: own, limit: 9, continue: page.continue ?? '' });
    expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(['cm-3', 'cm-4', 'cm-5', 'cm-6']);
    const all = await client.listAll(kind, { ...mine, namespace: own, limit: 2 });
    expect(all.items.length).toBe(8);
  });

  it('watches', async () => {
    const own = await namespaceOf(client);
    const { resourceVersion } = await client.list(kind, { ...mine, namespace: own });
    const stop = new AbortController();
    const events = await client.watch(kind, { ...mine, namespace: own, resourceVersion, signal: stop.signal });
    const created = await client.create(configMap(own, { a: '1' }));
    await client.update({ ...created, data: { a: '2' } });
    await client.delete(refOf(created));
    const seen: WatchEvent[] = [];
    for await (const batch of events) {
      seen.push(...batch);
      if (seen.length >= 3) break;
    }
    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(seen.every((event) => event.type !== 'ERROR' && Object.isFrozen(event.object.metadata))).toBe(true);
    stop.abort();
  });

  it('fails with what the server says', async () => {
    const object = configMap(namespace, {}, 'Not A Name');
    await expect(client.create(object)).rejects.toSatisfy((e) => reasonOf(e) === 'Invalid');
    const old = client.watch(kind, { resourceVersion: 'nonsense' });
    await expect(old).rejects.toSatisfy((e) => reasonOf(e) === 'BadRequest');
  });

  it('discovers what the server serves', async () => {
    const found = await discover(client);
    const deployment = found.byKind('apps/v1', 'Deployment');
    expect(deployment).toMatchObject({ group: 'apps', version: 'v1', plural: 'deployments', namespaced: true });
    expect(found.kinds.length).toBe(client.resources.kinds.length);
    expect(found.incomplete).toEqual([]);
  });

  it('throws the reason of a signal that was given', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(client.get({ ...kind, namespace, name: 'x' }, { signal: stop.signal })).rejects.toThrow('enough');
  });
});

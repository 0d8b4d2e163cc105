import type { Clock } from '../observe/index.ts';
import { wallClock } from '../observe/index.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { forbidden } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { memoryStore, StoreError } from '../store/index.ts';
import type { Store } from '../store/index.ts';
import type { HubEvent, HubRequest, HubResponse } from './http.ts';
import { createHub } from './hub.ts';
import type { Hub, HubOptions } from './hub.ts';
import { sendSoon } from './watch/pace.ts';

const user = { name: 'test', groups: ['system:masters'] };
const path = '/api/v1/namespaces/default/configmaps';
const opened: { hub: Hub; store: Store }[] = [];

afterEach(async () => {
  for (const { hub, store } of opened.splice(0)) {
    await hub.close();
    await store.close();
  }
});

async function open(options: Partial<HubOptions> = {}): Promise<{ hub: Hub; store: Store }> {
  const store = options.store ?? memoryStore();
  const hub = await createHub({ store, ...options });
  opened.push({ hub, store });
  return { hub, store };
}

function request(method: string, url: string, more: Partial<HubRequest> = {}): HubRequest {
  const [bare = '', query = ''] = url.split('?');
  return { method, path: bare, query, headers: {}, user, wantsObjects: true, ...more };
}

const configMap = (name: string, data: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

const create = (hub: Hub, name: string, data: object = {}): Promise<HubResponse> =>
  hub.handle(request('POST', path, { object: configMap(name, data) }));

/** Opens a watch and keeps what it shows. */
async function watch(hub: Hub, url: string): Promise<{ events: HubEvent[]; ended: () => boolean; stop: () => void }> {
  const response = await hub.handle(request('GET', url));
  const events: HubEvent[] = [];
  let isOver = false;
  const stop = response.stream?.open({
    write: () => {},
    event: (some) => void events.push(...some),
    pending: () => 0,
    end: () => {
      isOver = true;
    },
  });
  return { events, ended: () => isOver, stop: () => stop?.() };
}

/** A clock whose timers the test runs. */
function handClock(): { clock: Clock; run: (milliseconds: number) => void } {
  const timers: { at: number; callback: () => void }[] = [];
  let now = Date.now();
  const clock: Clock = {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
    },
  };
  const run = (milliseconds: number): void => {
    now += milliseconds;
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer) >>> 0, 1);
      timer.callback();
    }
  };
  return { clock, run };
}

describe('in process', () => {
  it('passes frozen objects, the same one to everybody', async () => {
    const { hub } = await open();
    const object = configMap('a', { k: 'v' });
    const made = await hub.handle(request('POST', path, { object }));
    expect(made.status).toBe(201);
    expect(Object.isFrozen(object)).toBe(false);
    expect(Object.isFrozen((made.object as KubeObject).metadata)).toBe(true);
    const read = await hub.handle(request('GET', `${path}/a`));
    expect(read.object).toBe(made.object);
    const list = await hub.handle(request('GET', path));
    expect((list.object as { items: unknown[] }).items).toContain(made.object);
  });

  it('takes frozen objects', async () => {
    const { hub } = await open();
    const made = await create(hub, 'a');
    const changed = { ...(made.object as object), data: Object.freeze({ k: 'v' }) };
    const reply = await hub.handle(request('PUT', `${path}/a`, { object: Object.freeze(changed) }));
    expect(reply.status).toBe(200);
  });

  it('shows events as objects', async () => {
    const { hub } = await open();
    const { events, stop } = await watch(hub, `${path}?watch=true&fieldSelector=metadata.name%3Da`);
    const made = await create(hub, 'a');
    expect(events).toEqual([{ type: 'ADDED', object: made.object }]);
    expect(events[0]?.object).toBe(made.object);
    stop();
    await hub.handle(request('DELETE', `${path}/a`));
    expect(events).toHaveLength(1);
  });

  it('lists without sets of fields for those who have no use for them', async () => {
    const { hub } = await open();
    await create(hub, 'a', { k: '1' });
    const listed = async (headers: Record<string, string>): Promise<unknown> => {
      const { body } = await hub.handle(
        request('GET', `${path}?fieldSelector=metadata.name%3Da`, { wantsObjects: false, headers }),
      );
      const { items } = JSON.parse(body?.toString() ?? '') as { readonly items: readonly KubeObject[] };
      return items.find(({ metadata }) => metadata.name === 'a')?.metadata.managedFields?.[0];
    };
    expect(await listed({})).toMatchObject({ operation: 'Update', fieldsV1: { 'f:data': {} } });
    const lean = await listed({ 'x-sluice-without': 'fieldsV1' });
    expect(lean).toMatchObject({ operation: 'Update', time: expect.any(String) as string });
    expect(lean).not.toHaveProperty('fieldsV1');
  });

  it('passes a long list on from where it is stored', async () => {
    const { hub, store } = await open();
    for (const name of ['a', 'b', 'c']) await create(hub, name, { k: 'x'.repeat(200_000) });
    const { parts = [], body } = await hub.handle(request('GET', path, { wantsObjects: false, headers: {} }));
    expect(body).toBeUndefined();
    const { items } = JSON.parse(Buffer.concat(parts).toString()) as { readonly items: readonly KubeObject[] };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    const { entries } = store.list('');
    const own = entries.filter(({ bytes }) => bytes.length > 200_000);
    expect(own).toHaveLength(3);
    for (const { bytes } of own) expect(parts.some(({ buffer }) => buffer === bytes.buffer)).toBe(true);
  });

  it('records no owners for those who do not want it, until somebody applies', async () => {
    const { hub } = await open();
    const made = await hub.handle(request('POST', path, { object: configMap('a', { k: '1' }), untracked: true }));
    expect((made.object as KubeObject).metadata.managedFields).toBeUndefined();
    const changed = await hub.handle(
      request('PATCH', `${path}/a`, {
        object: { data: { k: '2' } },
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    );
    expect((changed.object as KubeObject).metadata.managedFields).toBeUndefined();
    const applied = await hub.handle(
      request('PATCH', `${path}/a?fieldManager=me&force=true`, {
        object: configMap('a', { k: '3' }),
        headers: { 'content-type': 'application/apply-patch+yaml' },
      }),
    );
    expect((applied.object as KubeObject).metadata.managedFields).toHaveLength(2);
  });
});

describe('a store that cannot write', () => {
  it('is read on, and writes are asked to come back', async () => {
    const store = memoryStore();
    const { hub } = await open({ store });
    await create(hub, 'a');
    Object.defineProperty(store, 'write', {
      configurable: true,
      value: () => Promise.reject(new StoreError('readonly', 'the store is read-only: disk full')),
    });
    Object.defineProperty(store, 'readonlyBecause', { configurable: true, get: () => 'disk full' });
    const refused = await create(hub, 'b');
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.object).toMatchObject({ reason: 'ServiceUnavailable', details: { retryAfterSeconds: 5 } });
    expect((await hub.handle(request('GET', `${path}/a`))).status).toBe(200);
    const ready = await hub.handle(request('GET', '/readyz?verbose'));
    expect(ready.status).toBe(503);
    expect(ready.body?.toString()).toContain('[-]store failed: disk full');
    expect((await hub.handle(request('GET', '/livez'))).status).toBe(200);
  });
});

describe('a compacted revision', () => {
  it('ends watches with 410 and continued lists with a token to go on', async () => {
    const { hub, store } = await open();
    for (const name of ['a', 'b', 'c']) await create(hub, name);
    const page = await hub.handle(request('GET', `${path}?limit=1`));
    const { continue: token } = (page.object as { metadata: { continue: string } }).metadata;
    await create(hub, 'd');
    await store.compact(store.revision);

    const { events, ended } = await watch(hub, `${path}?watch=true&resourceVersion=1`);
    expect(events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    expect(ended()).toBe(true);

    const late = await hub.handle(request('GET', `${path}?limit=1&continue=${token}`));
    expect(late.status).toBe(410);
    const fresh = (late.object as { metadata: { continue: string } }).metadata.continue;
    const rest = await hub.handle(request('GET', `${path}?continue=${fresh}`));
    const names = (rest.object as { items: KubeObject[] }).items.map(({ metadata }) => metadata.name);
    expect(names).toEqual(['b', 'c', 'd']);
  });
});

describe('admission', () => {
  it('may change, warn and refuse, and learns of dry runs', async () => {
    const seen: string[] = [];
    const { hub } = await open({
      admit: [
        (review) => {
          if (review.kind.plural !== 'configmaps' || review.namespace !== 'default') return {};
          seen.push(`${review.operation} ${review.name}${review.dryRun ? ' dry' : ''}`);
          if (review.name === 'no') throw forbidden(review.kind, review.name, 'not here');
          if (review.operation !== 'CREATE' || !review.object) return {};
          const data = { ...(review.object as { data?: object }).data, touched: 'yes' };
          return { object: { ...review.object, data } as KubeObject, warnings: ['touched'] };
        },
      ],
    });
    const made = await hub.handle(request('POST', `${path}?dryRun=All`, { object: configMap('a') }));
    expect(made.object).toMatchObject({ data: { touched: 'yes' } });
    expect(made.headers['warning']).toEqual(['299 - "touched"']);
    expect((await create(hub, 'no')).object).toMatchObject({ message: 'configmaps "no" is forbidden: not here' });
    await create(hub, 'a');
    await hub.handle(request('DELETE', `${path}/a`));
    expect(seen.filter((one) => !one.includes('kube-root'))).toEqual([
      'CREATE a dry',
      'CREATE no',
      'CREATE a',
      'DELETE a',
    ]);
  });
});

describe('an unexpected failure', () => {
  it('is a 500 that tells nothing, and is reported', async () => {
    const faults: unknown[] = [];
    const { hub } = await open({
      onFault: (error) => faults.push(error),
      handlers: {
        '/pods/log': () => {
          throw new TypeError('a secret of the implementation');
        },
      },
    });
    const reply = await hub.handle(request('GET', '/api/v1/namespaces/default/pods/p/log'));
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.object)).not.toContain('secret');
    expect(faults).toMatchObject([{ message: 'a secret of the implementation' }]);
  });
});

describe('watches', () => {
  it('show bookmarks with the newest revision, and end in time', async () => {
    const { clock, run } = handClock();
    const { hub, store } = await open({ clock });
    const { events, ended } = await watch(
      hub,
      `${path}?watch=true&resourceVersion=${store.revision}&allowWatchBookmarks=true&timeoutSeconds=100`,
    );
    await hub.handle(request('POST', '/api/v1/namespaces', { object: { metadata: { name: 'elsewhere' } } }));
    run(60_000);
    expect(events).toMatchObject([
      {
        type: 'BOOKMARK',
        object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: String(store.revision) } },
      },
    ]);
    expect(ended()).toBe(false);
    run(60_000);
    expect(ended()).toBe(true);
  });

  it('a watch that nobody reads is ended', async () => {
    const { hub, store } = await open({ clock: wallClock });
    const response = await hub.handle(
      request('GET', `${path}?watch=true&resourceVersion=${store.revision}`, { wantsObjects: false }),
    );
    const chunks: string[] = [];
    const ended = new Promise<void>((resolve) => {
      response.stream?.open({
        write: (chunk) => void chunks.push(chunk.toString()),
        pending: () => 100 * 1024 * 1024,
        end: resolve,
      });
    });
    await create(hub, 'a');
    await ended;
    expect(chunks.at(-1)).toContain('"type":"ERROR"');
    expect(chunks.at(-1)).toContain('"code":410');
  });

  it('write the events of a moment as one chunk, and the same bytes to all', async () => {
    const { hub, store } = await open();
    const url = `${path}?watch=true&resourceVersion=${store.revision}&fieldSelector=metadata.namespace%3Ddefault`;
    const sent = (): Promise<void> => new Promise((resolve) => sendSoon(resolve));
    const written: Buffer[][] = [[], []];
    const stops: (() => void)[] = [];
    for (const chunks of written) {
      const response = await hub.handle(request('GET', url, { wantsObjects: false }));
      const stop = response.stream?.open({
        write: (chunk) => void chunks.push(chunk),
        pending: () => 0,
        end: () => {},
      });
      if (stop) stops.push(stop);
    }
    await create(hub, 'alone');
    await sent();
    await Promise.all([create(hub, 'b'), create(hub, 'c')]);
    await sent();
    const [one = [], two = []] = written;
    expect(one.map((chunk) => chunk.toString().trim().split('\n').length)).toEqual([1, 2]);
    one.forEach((chunk, i) => expect(two[i]).toBe(chunk));
    for (const stop of stops) stop();
  });
});

describe('events', () => {
  it('are forgotten an hour after they were last seen', async () => {
    const { clock, run } = handClock();
    const { hub, store } = await open({ clock });
    const url = '/api/v1/namespaces/default/events';
    const event = (name: string, lastTimestamp: string | null): object => ({
      metadata: { name },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
      lastTimestamp,
    });
    const soon = new Date(clock.now() + 30 * 60_000).toISOString();
    expect((await hub.handle(request('POST', url, { object: event('old', null) }))).status).toBe(201);
    expect((await hub.handle(request('POST', url, { object: event('seen', soon) }))).status).toBe(201);
    const { events, stop } = await watch(
      hub,
      `${url}?watch=true&timeoutSeconds=90000&resourceVersion=${store.revision}`,
    );
    run(61 * 60_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toMatchObject([
      { type: 'DELETED', object: { metadata: { name: 'old', resourceVersion: String(store.revision) } } },
    ]);
    expect((await hub.handle(request('GET', `${url}/seen`))).status).toBe(200);
    stop();
  });
});

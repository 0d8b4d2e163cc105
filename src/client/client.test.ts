import { describe, expect, it } from 'vitest';
import { ApiError, builtinCatalog } from '../api/index.ts';
import { Metrics } from '../observe/index.ts';
import { ManualClock } from '../runtime/index.ts';
import { ApiClient } from './client.ts';
import type { ClientOptions } from './client.ts';
import { discover } from './discovery.ts';
import { UnknownKind, Unreachable, unreachableOf } from './errors.ts';
import { eventsOf } from './lines.ts';
import { Slots } from './slots.ts';
import type { Chunk, Transport, WireRequest, WireResponse } from './transport.ts';

type Answer = WireResponse | Error;

/** A server that answers from a list, the last answer for ever, and remembers what it was asked. */
function scripted(...answers: readonly Answer[]): { transport: Transport; asked: WireRequest[] } {
  const asked: WireRequest[] = [];
  const transport: Transport = {
    send(request) {
      asked.push(request);
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      return answer instanceof Error || !answer
        ? Promise.reject(answer ?? new Error('no answer'))
        : Promise.resolve(answer);
    },
    stream: () => Promise.reject(new Error('no stream')),
    close: () => Promise.resolve(),
  };
  return { transport, asked };
}

/** A clock on which every wait is over at once, and remembered. */
class HastyClock extends ManualClock {
  readonly waits: number[] = [];
  override after(milliseconds: number, callback: () => void): () => void {
    this.waits.push(milliseconds);
    queueMicrotask(callback);
    return () => {};
  }
}

function clientOf(transport: Transport, more: Partial<ClientOptions> = {}): { server: ApiClient; clock: HastyClock } {
  const clock = new HastyClock();
  const server = new ApiClient({ transport, resources: builtinCatalog, clock, random: () => 0, ...more });
  return { server, clock };
}

const ok = (body: unknown): WireResponse => ({ status: 200, headers: {}, body });
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'ns', resourceVersion: '5' } };
const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'a' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'n s', name: 'a/b' };
const node = { apiVersion: 'v1', kind: 'Node', name: 'n1' };

describe('requests', () => {
  it.each<[string, (server: ApiClient) => Promise<unknown>, string]>([
    ['get', (server) => server.get(ref), 'GET /api/v1/namespaces/ns/configmaps/a'],
    ['get in a group', (server) => server.get(deployment), 'GET /apis/apps/v1/namespaces/n%20s/deployments/a%2Fb'],
    ['get without a namespace', (server) => server.get(node), 'GET /api/v1/nodes/n1'],
    [
      'list',
      (server) => server.list(ref, { limit: 5, labelSelector: 'a=b,c' }),
      'GET /api/v1/configmaps?limit=5&labelSelector=a%3Db%2Cc',
    ],
    ['list in a namespace', (server) => server.list(ref, { namespace: 'ns' }), 'GET /api/v1/namespaces/ns/configmaps'],
    [
      'create',
      (server) => server.create(object, { dryRun: true }),
      'POST /api/v1/namespaces/ns/configmaps?fieldManager=sluice&dryRun=All',
    ],
    ['update', (server) => server.update(object), 'PUT /api/v1/namespaces/ns/configmaps/a?fieldManager=sluice'],
    [
      'update the status',
      (server) => server.updateStatus(object),
      'PUT /api/v1/namespaces/ns/configmaps/a/status?fieldManager=sluice',
    ],
    [
      'patch',
      (server) => server.patch(ref, {}, { type: 'merge', force: true }),
      'PATCH /api/v1/namespaces/ns/configmaps/a?fieldManager=sluice',
    ],
    [
      'apply',
      (server) => server.patch(ref, {}, { type: 'apply', force: true, fieldManager: 'x' }),
      'PATCH /api/v1/namespaces/ns/configmaps/a?fieldManager=x&force=true',
    ],
    ['delete', (server) => server.delete(ref), 'DELETE /api/v1/namespaces/ns/configmaps/a'],
  ])('%s', async (_name, call, expected) => {
    const { transport, asked } = scripted(ok({ ...object, items: [] }));
    await call(clientOf(transport, { fieldManager: 'sluice' }).server);
    const { method, path, query } = asked[0] ?? { method: '', path: '', query: '' };
    expect(`${method} ${path}${query && `?${query}`}`).toBe(expected);
  });

  it('says what kind of patch it sends', async () => {
    const { transport, asked } = scripted(ok(object));
    const { server } = clientOf(transport);
    for (const type of ['merge', 'json', 'strategic', 'apply'] as const) await server.patch(ref, {}, { type });
    expect(asked.map(({ headers }) => headers['content-type'])).toEqual([
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
    ]);
  });

  it('deletes with preconditions and says whether the object is gone', async () => {
    const waits = { ...object, metadata: { ...object.metadata, deletionTimestamp: 'now', finalizers: ['x'] } };
    const { transport, asked } = scripted(ok({ kind: 'Status', status: 'Success' }), ok(waits));
    const { server } = clientOf(transport);
    expect(await server.delete(ref, { uid: 'u', propagationPolicy: 'Foreground' })).toEqual({ gone: true });
    expect(asked[0]?.body).toMatchObject({ preconditions: { uid: 'u' }, propagationPolicy: 'Foreground' });
    expect(await server.delete(ref)).toMatchObject({ gone: false });
  });

  it('refuses kinds that the server does not serve without asking it', async () => {
    const { transport, asked } = scripted(ok(object));
    const { server } = clientOf(transport);
    await expect(server.get({ ...ref, kind: 'Nothing' })).rejects.toThrow(UnknownKind);
    expect(asked).toEqual([]);
  });

  it('freezes what it returns and gives the items of a list their kind', async () => {
    const items = [{ metadata: { name: 'a' }, data: { x: 'y' } }];
    const { transport } = scripted(ok({ kind: 'ConfigMapList', metadata: { resourceVersion: '9' }, items }));
    const page = await clientOf(transport).server.list(ref);
    expect(page).toEqual({ resourceVersion: '9', items: [{ apiVersion: 'v1', kind: 'ConfigMap', ...items[0] }] });
    expect(Object.isFrozen((page.items[0] as unknown as { data: object }).data)).toBe(true);
  });

  it('reads a collection page by page', async () => {
    const page = (name: string, next?: string): WireResponse =>
      ok({ metadata: { resourceVersion: '9', ...(next && { continue: next }) }, items: [{ metadata: { name } }] });
    const { transport, asked } = scripted(page('a', 'token/1'), page('b'));
    const { items } = await clientOf(transport).server.listAll(ref, { limit: 1, resourceVersion: '0' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(asked.map(({ query }) => query)).toEqual(['limit=1&resourceVersion=0', 'limit=1&continue=token%2F1']);
  });
});

describe('failures', () => {
  const status = (code: number, reason: string, details?: object): WireResponse => ({
    status: code,
    headers: {},
    body: { kind: 'Status', status: 'Failure', code, reason, message: reason, ...(details && { details }) },
  });
  const refused = new Unreachable('refused', 'refused', { sent: false });
  const cut = new Unreachable('cut', 'cut', { sent: true });

  it.each<[string, 'get' | 'update', readonly Answer[], string, number]>([
    ['a refusal is final', 'get', [status(403, 'Forbidden')], 'Forbidden', 1],
    ['a read that was cut is asked again', 'get', [cut, ok(object)], 'ok', 2],
    ['a write that may have arrived is not', 'update', [cut, ok(object)], 'cut', 1],
    ['a write that nobody received is', 'update', [refused, refused, ok(object)], 'ok', 3],
    ['but not for ever', 'get', [refused], 'refused', 3],
    [
      'a server that asks for patience gets it',
      'update',
      [status(429, 'TooManyRequests', { retryAfterSeconds: 2 }), ok(object)],
      'ok',
      2,
    ],
    [
      'as long as it is not too much',
      'get',
      [status(429, 'TooManyRequests', { retryAfterSeconds: 60 })],
      'TooManyRequests',
      1,
    ],
    [
      'a 503 with a time is tried again',
      'update',
      [{ status: 503, headers: { 'retry-after': '1' } }, ok(object)],
      'ok',
      2,
    ],
    ['a 503 without is not', 'update', [{ status: 503, headers: {} }], 'ServiceUnavailable', 1],
    ['a slow server is not asked twice', 'get', [new Unreachable('timeout', 't', { sent: true })], 'timeout', 1],
    [
      'text that is no Status gets its reason from the code',
      'get',
      [{ status: 502, headers: {}, body: 'bad gateway' }],
      'InternalError',
      1,
    ],
    ['an answer that is no object is none', 'get', [ok('<html>')], 'nonsense', 1],
  ])('%s', async (_name, verb, answers, outcome, times) => {
    const { transport, asked } = scripted(...answers);
    const { server } = clientOf(transport);
    const call = verb === 'get' ? server.get(ref) : server.update(object);
    const result = await call.then(
      () => 'ok',
      (error: unknown) => (error instanceof ApiError ? error.reason : (error as Unreachable).why),
    );
    expect([result, asked.length]).toEqual([outcome, times]);
  });

  it('finds nothing where there is nothing, and throws for everything else', async () => {
    const { server } = clientOf(scripted(status(404, 'NotFound'), status(403, 'Forbidden')).transport);
    expect(await server.find(ref)).toBeUndefined();
    await expect(server.find(ref)).rejects.toThrow('Forbidden');
  });

  it.each([
    [{ code: 'ECONNREFUSED' }, 'refused', false],
    [{ code: 'ENOTFOUND' }, 'unresolved', false],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'timeout', false],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'untrusted', false],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'untrusted', false],
    [{ code: 'UND_ERR_HEADERS_TIMEOUT' }, 'timeout', true],
    [{ code: 'ECONNRESET' }, 'cut', true],
    [{ cause: { code: 'ECONNREFUSED' } }, 'refused', false],
    [{}, 'cut', true],
  ])('%j is %s', (parts, why, sent) => {
    expect(unreachableOf(Object.assign(new Error('x'), parts), 'https://m')).toMatchObject({ why, sent });
  });

  it('says of a server that is too slow what it does, not how we call that', () => {
    const error = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
    expect(unreachableOf(error, 'https://m').message).toBe('https://m cannot be reached: it does not answer');
  });

  it('counts calls by their answer', async () => {
    const metrics = new Metrics();
    const { server } = clientOf(scripted(cut, ok(object)).transport, { metrics, name: 'm1' });
    await server.get(ref);
    expect(metrics.text()).toContain('sluice_client_requests_total{server="m1",verb="get",code="0"} 1');
    expect(metrics.text()).toContain('sluice_client_requests_total{server="m1",verb="get",code="200"} 1');
  });
});

describe('streams', () => {
  const bytes = Buffer.from('{"type":"ADDED","object":{"n":"ü"}}\n\n{"type":"DELETED","object":{}}\n{"type":"ADD');
  const all = async (chunks: readonly Chunk[]): Promise<string[]> => {
    const types: string[] = [];
    const from = (async function* () {
      yield* chunks;
    })();
    for await (const batch of eventsOf(from)) for (const event of batch) types.push(event.type);
    return types;
  };

  it('reads events however the bytes are cut, and drops what the end cut off', async () => {
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(await all(chunks)).toEqual(['ADDED', 'DELETED']);
    }
  });

  it('takes whole events as they are', async () => {
    expect(await all([[{ type: 'ADDED', object: {} }], [{ type: 'BOOKMARK', object: {} }]])).toEqual([
      'ADDED',
      'BOOKMARK',
    ]);
  });

  it.each(['<html>\n', '[]\n', '{"type":5}\n'])('refuses %j', async (line) => {
    await expect(all([Buffer.from(line)])).rejects.toMatchObject({ why: 'nonsense' });
  });
});

describe('slots', () => {
  it('lets only so many work at once, in order', async () => {
    const slots = new Slots(2);
    const order: string[] = [];
    const finish: (() => void)[] = [];
    const runs = ['a', 'b', 'c', 'd'].map((name) =>
      slots.run(() => {
        order.push(name);
        return new Promise<void>((resolve) => finish.push(resolve));
      }),
    );
    expect([order, slots.taken, slots.waiting]).toEqual([['a', 'b'], 2, 2]);
    finish[1]?.();
    await runs[1];
    await Promise.resolve();
    expect(order).toEqual(['a', 'b', 'c']);
    finish[0]?.();
    await runs[0];
    await Promise.resolve();
    finish[2]?.();
    finish[3]?.();
    await Promise.all(runs);
    expect([slots.taken, slots.waiting]).toEqual([0, 0]);
  });

  it('frees the slot of work that fails', async () => {
    const slots = new Slots(1);
    await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.run(() => Promise.resolve(1))).toBe(1);
  });
});

describe('discovery', () => {
  it('asks group by group where it must, and goes on without those that do not answer', async () => {
    const answers: Record<string, Answer> = {
      '/api': ok({ kind: 'APIVersions', versions: ['v1'] }),
      '/apis': ok({
        kind: 'APIGroupList',
        groups: [{ versions: [{ groupVersion: 'apps/v1' }] }, { versions: [{ groupVersion: 'broken.io/v1' }] }],
      }),
      '/api/v1': ok({
        groupVersion: 'v1',
        resources: [
          { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] },
          { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
        ],
      }),
      '/apis/apps/v1': ok({
        groupVersion: 'apps/v1',
        resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['get'] }],
      }),
      '/apis/broken.io/v1': { status: 503, headers: {} },
    };
    const transport: Transport = {
      ...scripted().transport,
      send: ({ path }) => Promise.resolve(answers[path] as WireResponse),
    };
    const found = await discover(clientOf(transport).server);
    expect(found.kinds.map(({ plural }) => plural)).toEqual(['pods', 'deployments']);
    expect(found.byKind('apps/v1', 'Deployment')).toMatchObject({ group: 'apps', version: 'v1', namespaced: true });
    expect(found.incomplete).toEqual(['broken.io/v1']);
  });
});

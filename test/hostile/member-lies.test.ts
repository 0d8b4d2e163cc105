import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HttpsTransport } from '../../src/client/index.ts';
import type { Bounds } from '../../src/client/index.ts';
import { Member } from '../../src/members/index.ts';
import type { Probe } from '../../src/api/index.ts';
import { until } from '../kit/until.ts';
import { emptyList, json, startLyingMember } from './lying-member.ts';
import type { Lie, LyingMember } from './lying-member.ts';

let liar: LyingMember;
let elsewhere: LyingMember;
beforeAll(async () => {
  liar = await startLyingMember();
  elsewhere = await startLyingMember();
});
afterAll(() => Promise.all([liar.close(), elsewhere.close()]));
beforeEach(() => {
  liar.lie = () => false;
  elsewhere.requests.length = 0;
});

const token = 'swordfish';
/** As for every member, but for less: so that a test need not send so much, nor wait so long. */
const bounds: Bounds = { bodyBytes: 1 << 20, bytesAtOnce: 2 << 20, lineBytes: 1 << 20, answerMilliseconds: 500 };

/** The result of the hub's probe of the member. */
async function look(lie: Lie, caBundle = liar.caBundle): Promise<Probe> {
  liar.lie = lie;
  const member = new Member(
    'liar',
    { server: liar.url, token, caBundle },
    { bounds, readyMilliseconds: 2000, timeoutMilliseconds: 500 },
  );
  try {
    return await member.probe();
  } finally {
    await member.close();
  }
}

const at =
  (path: string, answer: Lie): Lie =>
  (request, response) =>
    request.url.split('?')[0] === path ? answer(request, response) : false;

/** The same for a list, but not for a watch. */
const atList = (path: string, answer: Lie): Lie =>
  at(path, (request, response) => (request.url.includes('watch=') ? false : answer(request, response)));

const listingAt = (path: string, value: unknown): Lie => atList(path, (_, response) => json(response, value));
const saying = (path: string, value: unknown): Lie => at(path, (_, response) => json(response, value));
const listing = (items: readonly unknown[]): unknown => ({ ...emptyList, items });
const pod = (name: string, parts: object = {}): object => ({ metadata: { name, namespace: 'x' }, ...parts });
const html = '<html><body>Please   log in</body></html>';
const asHtml: Lie = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html);
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test('a member that tells the truth is healthy', async () => {
  expect(await look(() => false)).toMatchObject({ health: 'healthy', kubernetesVersion: 'v1.34.0' });
});

describe('wrong answers are said in plain words:', () => {
  test.each<[string, Lie, string]>([
    ['HTML for the version', at('/version', asHtml), 'the server answered /version without a version'],
    [
      'HTML for the APIs',
      at('/apis', asHtml),
      'text/html ("<html><body>Please log in</body></html>") where the list of APIs at /apis was expected',
    ],
    ['HTML for a list', atList('/api/v1/pods', asHtml), 'reading Pod: the server answered text/html'],
    ['a version that is none', saying('/version', { gitVersion: { a: 1 } }), '/version without a version'],
    ['a version that is endless', saying('/version', { gitVersion: 'x'.repeat(9999) }), '/version without a version'],
    ['an empty answer', at('/apis', (_, response) => void response.end()), 'answered nothing where'],
    ['truncated JSON', at('/apis', (_, response) => json(response, '{"kind": "APIGro')), 'answered broken JSON where'],
    ['null', saying('/apis', null), 'answered other JSON where the list of APIs at /apis'],
    ['a number', saying('/api', 5), 'answered other JSON where the list of APIs at /api '],
    [
      'groups that are no list',
      saying('/apis', { kind: 'APIGroupList', groups: 5 }),
      '/apis with a field groups that is not a list',
    ],
    [
      'groups of nothing',
      saying('/apis', { groups: [null] }),
      '/apis with a field groups that is not a list of objects',
    ],
    [
      'versions that are numbers',
      saying('/api', { kind: 'APIVersions', versions: [1] }),
      '/api with a field 0 that is not a name',
    ],
    [
      'aggregated versions without a name',
      saying('/apis', { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name: 'x' }, versions: [{}] }] }),
      '/apis with a field version that is not a name',
    ],
    [
      'an endless name of a kind',
      saying('/apis', { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name: 'x'.repeat(999) } }] }),
      '/apis with a field name that is not a name',
    ],
    [
      'thousands of groups',
      saying('/apis', {
        groups: Array.from({ length: 3000 }, (_, i) => ({ versions: [{ groupVersion: `g${i}/v1` }] })),
      }),
      'it serves 3001 group versions, more than 2000',
    ],
    [
      'a list that is an object',
      listingAt('/api/v1/nodes', { metadata: {}, items: {} }),
      'reading Node: the server sent a list whose items are not a list',
    ],
    [
      'a list of numbers',
      listingAt('/api/v1/nodes', listing([1])),
      'reading Node: the server sent a value that is not an object',
    ],
    [
      'objects without a name',
      listingAt('/api/v1/pods', listing([{ metadata: {} }])),
      'reading Pod: the server sent a Pod without a name',
    ],
    [
      'objects of another kind',
      listingAt('/api/v1/pods', listing([{ kind: 'Secret', apiVersion: 'v1', metadata: { name: 'x' } }])),
      'reading Pod: the server sent a Secret of v1 among objects of kind Pod',
    ],
    [
      'labels that are a list',
      listingAt('/api/v1/pods', listing([{ metadata: { name: 'x', labels: [1] } }])),
      'an object whose metadata.labels is not a map of texts',
    ],
    [
      'annotations that are numbers',
      listingAt('/api/v1/pods', listing([{ metadata: { name: 'x', annotations: { a: 1 } } }])),
      'an object whose metadata.annotations is not a map of texts',
    ],
    [
      'a resourceVersion that is an object',
      listingAt('/api/v1/pods', { metadata: { resourceVersion: {} }, items: [] }),
      'reading Pod: the server sent a list whose resourceVersion is not a short text',
    ],
    ['JSON of a million levels', saying('/version', deep(400_000)), 'the server sent JSON of more than 1000 levels'],
    [
      'a list of a million levels',
      listingAt('/api/v1/pods', listing([pod('x', { spec: JSON.parse(deep(1200)) })])),
      'reading Pod: the server sent JSON of more than 1000 levels',
    ],
  ])('%s', async (_, lie, words) => {
    const found = await look(lie);
    expect(found.health).toBe('unhealthy');
    expect((found as { message: string }).message).toContain(words);
    expect((found as { message: string }).message).not.toMatch(
      /TypeError|undefined|Cannot read|not a function|iterable/,
    );
  });

  test('a failure whose Status is of wrong types', async () => {
    const status = {
      kind: 'Status',
      code: 'x',
      reason: [],
      message: { a: 1 },
      details: { causes: 5, retryAfterSeconds: '9' },
    };
    const found = await look(at('/version', (_, response) => json(response, status, 403)));
    expect(found).toEqual({ health: 'unhealthy', message: 'the server gave no reason' });
  });

  test('a failure that passes for another one', async () => {
    const lie = at('/readyz', (_, response) => json(response, { kind: 'Status', code: 200, message: 'fine' }, 500));
    expect(await look(lie)).toEqual({ health: 'unhealthy', message: '/readyz answered 500: fine' });
  });
});

describe('wrong values cost nothing but themselves:', () => {
  test.each<[string, Lie]>([
    ['nodes without anything', listingAt('/api/v1/nodes', listing([pod('a'), pod('b', { status: null })]))],
    [
      'nodes of wrong types',
      listingAt(
        '/api/v1/nodes',
        listing([
          pod('a', { status: { allocatable: 5, conditions: 5 } }),
          pod('b', { status: { allocatable: { cpu: {} }, conditions: [null, 5] } }),
        ]),
      ),
    ],
    [
      'pods of wrong types',
      listingAt(
        '/api/v1/pods',
        listing([
          pod('a', { spec: 5 }),
          pod('b', { spec: { containers: {} } }),
          pod('c', { spec: { containers: [null, { resources: 5 }] }, status: [] }),
        ]),
      ),
    ],
    [
      'amounts that are no quantities',
      listingAt(
        '/api/v1/pods',
        listing([pod('a', { spec: { containers: [{ resources: { requests: { cpu: 'lots', memory: '1e999' } } }] } })]),
      ),
    ],
  ])('%s', async (_, lie) => {
    expect((await look(lie)).health).toBe('healthy');
  });
});

describe('too much is given up:', () => {
  const large = Buffer.alloc(64 * 1024, 'x');
  /** Sends without end, as long as somebody reads. */
  const endlessly =
    (start: string, type = 'application/json'): Lie =>
    (_, response) => {
      response.writeHead(200, { 'content-type': type });
      response.write(start);
      const more = (): void => {
        while (response.write(large)) if (response.destroyed) return;
        response.once('drain', more);
      };
      more();
    };

  test.each<[string, Lie, string]>([
    ['an endless answer', at('/version', endlessly('{"gitVersion":"')), 'the answer is larger than 1 MiB'],
    ['an endless text', at('/readyz', endlessly('', 'text/plain')), 'the answer is larger than 1 MiB'],
    [
      'an answer that announces its size',
      at('/version', (_, response) => response.writeHead(200, { 'content-length': String(1e12) }).flushHeaders()),
      'the answer is larger than 1 MiB',
    ],
    [
      'an endless list',
      atList('/api/v1/pods', endlessly('{"metadata":{},"items":["')),
      'reading Pod: the answer is larger than 1 MiB',
    ],
    [
      'an endless failure',
      at('/version', (request, response) => {
        response.statusCode = 500;
        return endlessly('{"kind":"Status","message":"')(request, response);
      }),
      'the answer is larger than 1 MiB',
    ],
    [
      'an endless event of a watch',
      at('/api/v1/pods', (request, response) =>
        request.url.includes('sendInitialEvents') ? endlessly('{"type":"ADDED","object":"')(request, response) : false,
      ),
      'reading Pod: an event of the watch is larger than 1 MiB',
    ],
    [
      'headers without end',
      at('/version', (_, response) => void response.writeHead(200, { 'x-a': 'y'.repeat(60_000) }).end()),
      'more headers than are read',
    ],
  ])('%s', async (_, lie, words) => {
    const found = await look(lie);
    expect((found as { message: string }).message).toContain(words);
  });

  test('a page that leads to itself', async () => {
    const page = { ...emptyList, metadata: { resourceVersion: '1', continue: 'again' } };
    const found = await look(listingAt('/api/v1/pods', page));
    expect(found).toMatchObject({ message: 'reading Pod: the server sent a page that continues with itself' });
  });

  test('objects so large that a page of them is too much are read in smaller pages', async () => {
    const node = (i: number): object => pod(`n${i}`, { text: 'x'.repeat(300_000) });
    liar.lie = atList('/api/v1/nodes', (request, response) => {
      const query = new URL(request.url, 'https://x').searchParams;
      const [from, count] = [Number(query.get('continue') ?? 0), Number(query.get('limit'))];
      const items = Array.from({ length: Math.min(count, 12 - from) }, (_, i) => node(from + i));
      const next = from + count < 12 ? { continue: String(from + count) } : {};
      return json(response, { ...emptyList, metadata: { resourceVersion: '1', ...next }, items });
    });
    const member = new Member('liar', { server: liar.url, token, caBundle: liar.caBundle }, { bounds });
    const first = await member.probe();
    expect(first).toMatchObject({ message: 'reading Node: the answer is larger than 1 MiB' });
    const found = await until('it is read in the end', async () => {
      const probe = await member.probe();
      return probe.health === 'healthy' && probe;
    });
    expect(found).toMatchObject({ nodeSummary: { totalNum: 12 } });
    await member.close();
  });
});

describe('slow answers are not waited for:', () => {
  /** One byte at a time: there is never a pause long enough to be called one. */
  const dripping: Lie = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  };

  test.each<[string, Lie, string]>([
    ['an answer by drops', at('/version', dripping), 'began to answer and was not done after 0.5 s'],
    ['readiness by drops', at('/readyz', dripping), 'began to answer and was not done after 0.5 s'],
    ['no answer', at('/version', () => {}), 'it does not answer'],
  ])('%s', async (_, lie, words) => {
    expect(await look(lie)).toMatchObject({ health: 'unreachable', message: expect.stringContaining(words) as string });
  });

  test('a collection that never ends does not keep the look from its end', async () => {
    const found = await look(
      at('/api/v1/pods', (request, response) => (request.url.includes('watch=') ? dripping(request, response) : false)),
    );
    expect(found.health).toBe('healthy');
  });
});

describe('credentials stay with the member:', () => {
  test.each([301, 302, 307, 308])('a redirect (%d) is not followed', async (code) => {
    for (const path of ['/readyz', '/version', '/apis', '/api/v1/pods']) {
      const found = await look(
        at(path, (_, response) => void response.writeHead(code, { location: `${elsewhere.url}${path}` }).end()),
      );
      expect(found).toMatchObject({
        health: 'unhealthy',
        message: expect.stringContaining(`${code}, a redirect to ${elsewhere.url}`) as string,
      });
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test('a certificate of another authority gets no token', async () => {
    liar.tokens.clear();
    const found = await look(() => false, elsewhere.caBundle);
    expect(found).toMatchObject({ health: 'unreachable', message: expect.stringMatching(/certificate/) as string });
    expect([...liar.tokens]).toEqual([]);
  });

  test('a token is never sent without TLS', async () => {
    const transport = new HttpsTransport({ server: liar.url.replace('https:', 'http:'), token });
    await expect(transport.send({ method: 'GET', path: '/', query: '', headers: {} })).rejects.toMatchObject({
      why: 'untrusted',
      sent: false,
    });
    await transport.close();
  });
});

test('a compressed answer is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(4 << 20, ' '));
  const found = await look(
    at(
      '/apis',
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
    ),
  );
  expect(found).toMatchObject({
    health: 'unhealthy',
    message: expect.stringContaining('with compression (gzip), unasked') as string,
  });
});

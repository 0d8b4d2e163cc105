/** One tenant's requests and watches cost another, the administrator, probes and leases nothing. */
import { afterEach, describe, expect, test } from 'vitest';
import type { HubStream, Sink } from '../../src/apiserver/index.ts';
import { sendSoon } from '../../src/apiserver/watch/pace.ts';
import { Metrics } from '../../src/observe/index.ts';
import { attackedHub, requestOf } from '../kit/attack.ts';
import type { AttackedHub } from '../kit/attack.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const tenant = (user: string): { user: string; groups: string[] } => ({ user, groups: [] });

const opened: AttackedHub[] = [];
afterEach(async () => {
  for (const hub of opened.splice(0)) await hub.close();
});
async function open(options: Parameters<typeof attackedHub>[0] = {}): Promise<AttackedHub> {
  const hub = await attackedHub(options);
  opened.push(hub);
  return hub;
}

/** A hub whose creations of ConfigMaps wait until they are let go, in few seats. */
async function stuck({ seats = 20 } = {}): Promise<{ hub: AttackedHub; go: () => void; metrics: Metrics }> {
  const metrics = new Metrics();
  const { promise, resolve } = Promise.withResolvers<void>();
  const hub = await open({
    admit: [
      async ({ kind, operation }) => {
        if (kind.kind === 'ConfigMap' && operation === 'CREATE') await promise;
        return {};
      },
    ],
    flow: { seats, longestWait: 60_000 },
    metrics,
  });
  return { hub, go: resolve, metrics };
}

/** The most CPU, in microseconds, that was used before the event loop looked at anything else. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.threadCpuUsage();
  };
  const looking = setInterval(look, 1);
  await work();
  await new Promise<void>((resolve) => setImmediate(resolve));
  look();
  clearInterval(looking);
  return longest;
}

describe('requests in flight', () => {
  test('a tenant with a thousand requests gets 429 with Retry-After, and nobody else waits', async () => {
    const { hub, go, metrics } = await stuck();
    const elephants = Array.from({ length: 1000 }, (_, i) =>
      hub.send(`POST ${maps}`, { body: map(`e${i}`), ...tenant('elephant') }),
    );
    expect((await hub.send('GET /livez', tenant('anybody'))).status).toBe(200);
    expect((await hub.send(`GET ${maps}`)).status).toBe(200);
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: {} };
    expect((await hub.send(`POST ${leases}`, { body: lease, ...tenant('elephant') })).status).toBe(201);
    const robot = { user: 'system:serviceaccount:default:robot', groups: ['system:serviceaccounts'] };
    expect((await hub.send(`GET ${maps}`, robot)).status).toBe(200);
    const mouse = hub.send(`GET ${maps}/e0`, tenant('mouse'));
    expect(metrics.text()).toMatch(
      /current_inqueue_requests\{priority_level="global-default",flow_schema="global-default"\} 301/,
    );
    go();
    expect((await mouse).status).not.toBe(429);
    const answers = await Promise.all(elephants);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(600);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(refused[0]?.json).toMatchObject({ reason: 'TooManyRequests', code: 429 });
    expect(answers.filter(({ status }) => status === 201).length).toBe(1000 - refused.length);
    const text = metrics.text();
    expect(text).toContain(`reason="queue-full"} ${refused.length}`);
    expect(text).toMatch(
      /current_executing_requests\{priority_level="global-default",flow_schema="global-default"\} 0/,
    );
    expect(text).toMatch(/current_executing_seats\{priority_level="global-default"\} 0/);
  });

  test('a request that waits too long is refused, and its seats are not lost', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hub = await open({
      admit: [
        async ({ name }) => {
          if (name === 'first') await promise;
          return {};
        },
      ],
      flow: { seats: 5, longestWait: 1 },
    });
    const first = hub.send(`POST ${maps}`, { body: map('first'), ...tenant('a') });
    expect((await hub.send(`GET ${maps}`, tenant('a'))).status).toBe(429);
    resolve();
    expect((await first).status).toBe(201);
    expect((await hub.send(`GET ${maps}`, tenant('a'))).status).toBe(200);
  });

  test('large writes that wait for their turn take no seats from small requests', async () => {
    const { hub, go } = await stuck({ seats: 100 });
    const large = { a: 'x'.repeat(500_000) };
    const writes = Array.from({ length: 16 }, (_, i) =>
      hub.send(`POST ${maps}`, { body: map(`large${i}`, large), ...tenant('elephant') }),
    );
    const mice = Array.from({ length: 20 }, (_, i) => hub.send(`GET ${maps}/none`, tenant(`mouse${i}`)));
    expect((await Promise.all(mice)).map(({ status }) => status)).toEqual(mice.map(() => 404));
    go();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 201));
  });

  test('a large apply leaves the event loop to others while it is merged', async () => {
    const hub = await open();
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field${i}`, 'x']));
    const apply = async (value: string, way: 'bytes' | 'value'): Promise<void> => {
      const object = map('large', { ...fields, value });
      const type = 'application/apply-patch+yaml';
      const { body, ...head } = requestOf(`PATCH ${maps}/large?fieldManager=m&force=true`, { body: object, type });
      // A value comes from inside of the process, where nobody applies anything large: it is merged at once.
      const request = way === 'bytes' ? { ...head, ...(body && { body }) } : { ...head, object };
      expect((await hub.hub.handle(request)).status).toBeLessThan(300);
    };
    for (const value of ['a', 'b', 'c']) await apply(value, 'bytes');
    // The least of three, for garbage collection counts, too.
    const least = async (way: 'bytes' | 'value'): Promise<number> => {
      const blocks: number[] = [];
      for (const value of ['d', 'e', 'f']) blocks.push(await longestBlock(() => apply(`${value} ${way}`, way)));
      return Math.min(...blocks);
    };
    const [atOnce, inStages] = [await least('value'), await least('bytes')];
    expect(inStages).toBeLessThan(atOnce * 0.4);
  });

  test('large writes of one tenant run one at a time, and small requests are answered between them', async () => {
    const hub = await open();
    const order: string[] = [];
    const large = { a: 'x'.repeat(500_000) };
    const writes = Array.from({ length: 6 }, (_, i) =>
      hub
        .send(`POST ${maps}`, { body: map(`large${i}`, large), ...tenant('elephant') })
        .then(() => order.push('large')),
    );
    const small = async (): Promise<void> => {
      for (let i = 0; i < 6; i++) {
        await hub.send(`GET ${maps}/none`, tenant('mouse'));
        order.push('small');
      }
    };
    await Promise.all([...writes, small()]);
    expect(order.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'small'));
  });
});

/** A connection whose client never reads. */
function deaf(): { sink: Sink; unread: () => number; ended: () => boolean; last: () => string } {
  let unread = 0;
  let ended = false;
  let last = '';
  const sink: Sink = {
    write(chunk) {
      unread += chunk.length;
      last = chunk.toString('utf8').slice(-600);
    },
    pending: () => unread,
    whenDrained: () => undefined,
    end: () => {
      ended = true;
    },
  };
  return { sink, unread: () => unread, ended: () => ended, last: () => last };
}

async function watch(hub: AttackedHub, user: string): Promise<HubStream> {
  const { stream } = await hub.hub.handle(requestOf(`GET ${maps}?watch=true&resourceVersion=1`, tenant(user)));
  if (!stream) throw new Error('no stream');
  return stream;
}

describe('watches', () => {
  test('a user has so many watches open and no more, until one ends', async () => {
    const hub = await open({ flow: { watchesPerUser: 3 } });
    const stops = [];
    for (let i = 0; i < 3; i++) stops.push((await watch(hub, 'a')).open(deaf().sink));
    const more = await hub.send(`GET ${maps}?watch=true`, tenant('a'));
    expect([more.status, more.headers['retry-after']]).toEqual([429, '10']);
    (await watch(hub, 'b')).open(deaf().sink);
    stops[0]?.();
    (await watch(hub, 'a')).open(deaf().sink);
  });

  test('watches that never read hold no more than a bound, and those that read go on', async () => {
    const most = 8 * 1024 * 1024;
    const hub = await open({ mostUnread: most });
    const slow = Array.from({ length: 40 }, deaf);
    for (const { sink } of slow) (await watch(hub, 'slow')).open(sink);
    let read = 0;
    let reading = true;
    (await watch(hub, 'quick')).open({
      write: (chunk) => void (read += chunk.length),
      pending: () => 0,
      whenDrained: (callback) => void setImmediate(callback),
      end: () => void (reading = false),
    });
    for (let i = 0; i < 60; i++) {
      await hub.send(`POST ${maps}`, { body: map(`m${i}`, { a: 'x'.repeat(100_000) }) });
      await new Promise<void>((resolve) => sendSoon(resolve));
    }
    const unread = slow.reduce((sum, one) => sum + one.unread(), 0);
    const ended = slow.filter((one) => one.ended());
    // Each connection holds up to 256 KiB and one frame more; the rest is shared, and past the bound watches are ended.
    expect(unread).toBeLessThan(slow.length * 512 * 1024);
    expect(ended.length).toBeGreaterThan(0);
    expect(ended[0]?.last()).toContain('"code":410');
    expect([reading, read > 60 * 100_000]).toEqual([true, true]);
  });
});

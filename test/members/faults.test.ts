import { request } from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasReason } from '../../src/api/index.ts';
import { isNotFound, Unreachable } from '../../src/client/index.ts';
import { controlPath, noFaults } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { until } from '../kit/until.ts';
import { clientOf, made, named, startMember } from './fleet.ts';
import type { DrivenMember } from './fleet.ts';

let driven: DrivenMember;
beforeAll(async () => {
  driven = await startMember();
  await driven.client.create(made('ConfigMap', 'kept', { data: { a: '1' } }));
});
afterEach(() => driven.member.reset());
afterAll(async () => {
  await driven.close();
  expect(driven.troubles).toEqual([]);
});

const kept = named('ConfigMap', 'kept');
const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' };

/** The events of a watch, and whether it has ended and how. */
async function watching(): Promise<{ readonly events: string[]; readonly ended: Promise<unknown> }> {
  const events: string[] = [];
  const stream = await driven.client.watch(configMaps, { namespace: 'default' });
  const read = async (): Promise<unknown> => {
    try {
      for await (const batch of stream)
        events.push(...batch.map((event) => (event.type === 'ERROR' ? '' : event.object.metadata.name)));
      return 'ended';
    } catch (error) {
      return error;
    }
  };
  const ended = read();
  await until('the watch shows what is there', () => Promise.resolve(events.includes('kept')));
  return { events, ended };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('a member that is told to be', () => {
  test('down resets every connection, old and new, and comes back', async () => {
    const watch = await watching();
    await driven.member.setFaults({ down: true });
    expect(await watch.ended).toBeInstanceOf(Unreachable);
    expect(await failureOf(driven.client.get(kept))).toBeInstanceOf(Unreachable);
    const other = clientOf(driven.member);
    expect(await failureOf(other.get(kept))).toBeInstanceOf(Unreachable);
    await other.close();
    await driven.member.setFaults({ down: false });
    expect((await driven.client.get(kept)).metadata.name).toBe('kept');
  });

  test('cut off never answers, and lets its callers go when it is back', async () => {
    const watch = await watching();
    // Leaves a connection behind, on which the next request goes out at once.
    await driven.client.get(kept);
    await driven.member.setFaults({ partition: true });
    let answered = false;
    const asking = failureOf(driven.client.get(kept)).finally(() => (answered = true));
    // The control path goes through the same listener after the request did, so the request has been seen by then.
    await until('the request is on its way', async () => (await control(driven.member, 'GET')).status === 200);
    expect(answered).toBe(false);
    await driven.member.setFaults({ partition: false });
    expect(await asking).toBeInstanceOf(Unreachable);
    expect(await watch.ended).toBeInstanceOf(Unreachable);
    expect((await driven.client.get(kept)).metadata.name).toBe('kept');
  });

  test('slow answers late', async () => {
    await driven.member.setFaults({ latencyMilliseconds: 150 });
    const began = performance.now();
    await driven.client.get(kept);
    expect(performance.now() - began).toBeGreaterThanOrEqual(145);
  });

  test('failing answers 500, throttling answers 429 with a time to wait', async () => {
    await driven.member.setFaults({ errorPercent: 100 });
    expect(hasReason(await failureOf(driven.client.get(kept)), 'InternalError')).toBe(true);
    await driven.member.setFaults({ errorPercent: 0, throttlePercent: 100 });
    const throttled = await failureOf(driven.client.get(kept));
    expect(throttled).toMatchObject({ status: { code: 429, details: { retryAfterSeconds: 1 } } });
  });

  test('picky refuses writes of a kind and nothing else', async () => {
    await driven.member.setFaults({ refuse: [{ kind: 'cm', code: 403 }] });
    const refused = await failureOf(driven.client.create(made('ConfigMap', 'new', {})));
    expect(hasReason(refused, 'Forbidden')).toBe(true);
    expect(hasReason(await failureOf(driven.client.delete(kept)), 'Forbidden')).toBe(true);
    expect((await driven.client.get(kept)).metadata.name).toBe('kept');
    await driven.client.create(made('Secret', 'new', {}));
    await driven.member.setFaults({ refuse: [{ kind: 'ConfigMap', code: 422 }] });
    expect(hasReason(await failureOf(driven.client.create(made('ConfigMap', 'new', {}))), 'Invalid')).toBe(true);
  });

  test('ahead of time stamps what it makes so', async () => {
    await driven.member.setFaults({ clockSkewSeconds: 3600 });
    const { metadata } = await driven.client.create(made('ConfigMap', 'late', {}));
    expect(Date.parse(metadata.creationTimestamp ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
  });

  test('cut from its watchers ends their watches and serves on', async () => {
    const watch = await watching();
    await driven.member.setFaults({ cutWatches: true });
    expect(await watch.ended).toBe('ended');
    expect((await driven.client.get(kept)).metadata.name).toBe('kept');
    expect(await driven.member.faults()).toEqual(noFaults);
  });

  test('forgetful is a new cluster at the old address, for the old credentials', async () => {
    const watch = await watching();
    const namespace = named('Namespace', 'default');
    const before = await driven.client.get(namespace);
    const { resourceVersion } = await driven.client.list(configMaps);
    await driven.member.setFaults({ forget: true });
    expect(await watch.ended).toBe('ended');
    expect(isNotFound(await failureOf(driven.client.get(kept)))).toBe(true);
    const after = await driven.client.get(namespace);
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    const nodes = await driven.client.listAll({ apiVersion: 'v1', kind: 'Node' });
    expect(nodes.items).toHaveLength(3);
    expect(Number(nodes.resourceVersion)).toBeLessThan(Number(resourceVersion));
    await driven.client.create(made('ConfigMap', 'kept', { data: { a: '1' } }));
  });
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls the control path as another process would, with what a kubeconfig holds. */
function control(member: SimulatedMember, method: string, sent?: unknown, token?: string): Promise<Answer> {
  const { server, certificateAuthority: ca, user } = member.context();
  const own = token === undefined && 'key' in user ? { cert: user.certificate, key: user.key } : {};
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server}${controlPath}`, { method, ca, ...own, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) as unknown });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(sent === undefined ? undefined : JSON.stringify(sent));
  });
}

describe('the control path', () => {
  test('works while the member is down, and brings it back', async () => {
    const set = await control(driven.member, 'PUT', { down: true });
    expect(set).toEqual({ status: 200, body: { ...noFaults, down: true } });
    expect(await failureOf(driven.client.get(kept))).toBeInstanceOf(Unreachable);
    expect((await control(driven.member, 'GET')).body).toEqual({ ...noFaults, down: true });
    expect(await control(driven.member, 'DELETE')).toEqual({ status: 200, body: noFaults });
    expect((await driven.client.get(kept)).metadata.name).toBe('kept');
  });

  test('opens for the certificate of the administrator alone', async () => {
    expect((await control(driven.member, 'GET', undefined, driven.member.token)).status).toBe(403);
    expect((await control(driven.member, 'PUT', { down: true }, '')).status).toBe(403);
    expect(await driven.member.faults()).toEqual(noFaults);
  });

  test.each([
    [{ upside: true }, 'there is no fault upside'],
    [{ down: 'yes' }, 'down must be true or false'],
    [{ errorPercent: 101 }, 'errorPercent must be a number from 0 to 100'],
    [{ refuse: ['Deployment'] }, 'refuse must be a list of'],
    [[], 'faults must be a JSON object'],
  ])('says what is wrong with %j', async (sent, message) => {
    const answer = await control(driven.member, 'PUT', sent);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: expect.stringContaining(message) as string });
    expect(await driven.member.faults()).toEqual(noFaults);
  });
});

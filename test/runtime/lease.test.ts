import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Unreachable } from '../../src/client/index.ts';
import { fenced, Lease, ManualClock } from '../../src/runtime/index.ts';
import { Faults, openHub, until } from './kit.ts';
import type { OpenHub } from './kit.ts';

/** A process that stands for election. */
interface Candidate {
  readonly lease: Lease;
  readonly faults: Faults;
  readonly story: string[];
  leave(): Promise<void>;
}

const ref = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'default', name: 'sluice' };

describe('a lease', () => {
  let hub: OpenHub;
  let clock: ManualClock;
  const candidates: Candidate[] = [];
  beforeEach(async () => {
    hub = await openHub();
    clock = new ManualClock();
  });
  afterEach(async () => {
    await Promise.all(candidates.splice(0).map((candidate) => candidate.leave()));
    await hub.close();
  });

  function candidate(identity: string): Candidate {
    const faults = new Faults(hub.transport);
    const server = hub.client(faults, { retry: { attempts: 1, longestMilliseconds: 0 } });
    const lease = new Lease({ server, namespace: 'default', name: 'sluice', identity, clock, random: () => 0 });
    const story: string[] = [];
    const stop = new AbortController();
    const callbacks = { onLead: () => void story.push('leads'), onLost: () => void story.push('lost') };
    const running = lease.run(callbacks, stop.signal);
    const leave = async (): Promise<void> => {
      stop.abort();
      await running;
    };
    const made = { lease, faults, story, leave };
    candidates.push(made);
    return made;
  }

  /** Both ask once, so often, with all that follows. */
  async function rounds(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      clock.advance(2_000);
      for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const stored = (): Promise<unknown> => hub.client().get(ref);

  it('goes to the first, who keeps it', async () => {
    const a = candidate('a');
    await until(() => a.lease.leading);
    const b = candidate('b');
    await rounds(20);
    expect([a.lease.leading, b.lease.leading, b.lease.leader]).toEqual([true, false, 'a']);
    expect(await stored()).toMatchObject({
      spec: { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 },
    });
    expect([a.story, b.story]).toEqual([['leads'], []]);
  });

  it('is released on leaving, and taken over at the next look', async () => {
    const a = candidate('a');
    await until(() => a.lease.leading);
    const b = candidate('b');
    await rounds(1);
    await a.leave();
    expect(await stored()).toMatchObject({ spec: { holderIdentity: '' } });
    await rounds(1);
    expect(b.lease.leading).toBe(true);
    expect(await stored()).toMatchObject({ spec: { holderIdentity: 'b', leaseTransitions: 1 } });
    expect(a.story).toEqual(['leads', 'lost']);
  });

  it('is given up by one who cannot renew it before another may take it', async () => {
    const a = candidate('a');
    await until(() => a.lease.leading);
    const b = candidate('b');
    await rounds(1);
    a.faults.answer = () => new Unreachable('refused', 'nobody there', { sent: false });
    await rounds(5);
    expect([a.lease.leading, b.lease.leading]).toEqual([false, false]);
    await rounds(5);
    expect(b.lease.leading).toBe(true);
    a.faults.answer = undefined;
    await rounds(5);
    expect([a.story, b.story, a.lease.leader]).toEqual([['leads', 'lost'], ['leads'], 'b']);
  });

  it('is given up by one whose renewal hangs', async () => {
    const a = candidate('a');
    await until(() => a.lease.leading);
    a.faults.send = ({ signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    await rounds(6);
    expect(a.story).toEqual(['leads', 'lost']);
  });

  it('writes are allowed from when a renewal was sent, not from when its answer came', async () => {
    const a = candidate('a');
    await until(() => a.lease.leading);
    expect(a.lease.mayWrite).toBe(true);
    const slow = Promise.withResolvers<undefined>();
    const send = a.faults.send.bind(a.faults);
    a.faults.send = async (request) => {
      if (request.method === 'PUT') await slow.promise;
      return send(request);
    };
    await rounds(1);
    clock.advance(7_000);
    slow.resolve(undefined);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(a.lease.mayWrite).toBe(true);
    clock.advance(3_500);
    expect(a.lease.mayWrite).toBe(false);
  });

  it('a process that was paused beyond its lease writes nothing, before it looks at the lease again', async () => {
    const a = candidate('a');
    await until(() => a.lease.leading);
    const sent: string[] = [];
    const server = hub.transport;
    const guarded = fenced(
      {
        ...server,
        send: (request) => {
          sent.push(request.method);
          return server.send(request);
        },
      },
      a.lease,
    );
    clock.advance(60_000);
    const write = { method: 'POST', path: '/api/v1/namespaces', query: '', headers: {} };
    await expect(guarded.send(write)).rejects.toThrow('another process may lead');
    await guarded.send({ ...write, method: 'GET' });
    expect(sent).toEqual(['GET']);
  });

  it('two candidates never have the lease at the same time, whoever fails', async () => {
    const all = ['a', 'b', 'c'].map(candidate);
    for (let round = 0; round < 60; round++) {
      const failing = all[round % 3];
      if (failing && round % 7 === 0) failing.faults.answer = () => new Unreachable('refused', 'x', { sent: false });
      if (failing && round % 5 === 0) failing.faults.answer = undefined;
      await rounds(1);
      expect(all.filter(({ lease }) => lease.leading).length).toBeLessThan(2);
    }
    for (const { faults } of all) faults.answer = undefined;
    await rounds(12);
    expect(all.filter(({ lease }) => lease.leading).length).toBe(1);
  });
});

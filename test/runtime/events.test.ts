import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { Unreachable } from '../../src/client/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { Metrics } from '../../src/observe/index.ts';
import { EventRecorder, ManualClock } from '../../src/runtime/index.ts';
import { configMap, Faults, namespaceOf, openHub, until } from './kit.ts';
import type { OpenHub } from './kit.ts';

const kind = { apiVersion: 'v1', kind: 'Event' };

interface Event extends KubeObject {
  readonly count: number;
  readonly reason: string;
  readonly message: string;
}

describe('events', () => {
  let hub: OpenHub;
  let client: ApiClient;
  let faults: Faults;
  let clock: ManualClock;
  let metrics: Metrics;
  let recorder: EventRecorder;
  let about: KubeObject;
  beforeEach(async () => {
    hub = await openHub();
    client = hub.client();
    faults = new Faults(hub.transport);
    clock = new ManualClock();
    metrics = new Metrics();
    const server = hub.client(faults, { retry: { attempts: 1, longestMilliseconds: 0 } });
    recorder = new EventRecorder({ server, component: 'detector', clock, metrics, mostWaiting: 3 });
    about = await client.create(configMap(await namespaceOf(client)));
  });
  afterEach(async () => {
    await recorder.stop();
    await hub.close();
  });

  const say = (reason: string, message = 'm', of = about): void =>
    recorder.record(of, { type: 'Normal', reason, message });
  const written = async (): Promise<readonly Event[]> =>
    (await client.list<Event>(kind, { fieldSelector: `involvedObject.name=${about.metadata.name}` })).items;

  const became = (result: string): number =>
    Number(new RegExp(`result="${result}"} (\\d+)`).exec(metrics.text())?.[1] ?? 0);

  it('are written beside their object', async () => {
    say('Elected', 'policy p manages it');
    await recorder.flush();
    expect(await written()).toMatchObject([
      {
        metadata: { namespace: about.metadata.namespace },
        involvedObject: { kind: 'ConfigMap', name: about.metadata.name, uid: about.metadata.uid },
        type: 'Normal',
        reason: 'Elected',
        message: 'policy p manages it',
        count: 1,
        source: { component: 'detector' },
        firstTimestamp: '2026-01-01T00:00:00Z',
      },
    ]);
  });

  it('are counted when they happen again, and written anew when the server has forgotten them', async () => {
    say('Elected');
    say('Elected');
    await recorder.flush();
    clock.advance(60_000);
    say('Elected');
    await recorder.flush();
    const [event] = await written();
    expect(event).toMatchObject({ count: 3, lastTimestamp: '2026-01-01T00:01:00Z' });
    expect(metrics.text()).toContain('sluice_events_total{result="written"} 1');
    await client.delete({ ...kind, ...event?.metadata, name: event?.metadata.name ?? '' });
    say('Elected');
    await recorder.flush();
    expect(await written()).toMatchObject([{ count: 4 }]);
  });

  it('events that repeat are counted up together, not one by one', async () => {
    say('Synced');
    await until(() => became('written') === 1);
    for (let second = 0; second < 9; second++) {
      clock.advance(1_000);
      say('Synced');
    }
    say('Other');
    await until(() => became('written') === 2);
    expect([await written(), became('counted')]).toMatchObject([[{ count: 1 }, { reason: 'Other' }], 0]);
    clock.advance(1_000);
    await until(() => became('counted') === 1);
    expect(await written()).toMatchObject([{ count: 10, lastTimestamp: '2026-01-01T00:00:09Z' }, { reason: 'Other' }]);
  });

  it('repeats that wait to be counted up are written when the process stops', async () => {
    say('Synced');
    await until(() => became('written') === 1);
    say('Synced');
    await recorder.stop();
    expect(await written()).toMatchObject([{ count: 2 }]);
  });

  it('are written for every object that has a reason for the first time; repeats of what goes well are bounded', async () => {
    const other = (i: number): KubeObject => ({ ...about, metadata: { ...about.metadata, uid: `u${i}` } });
    const server = hub.client(faults);
    const busy = new EventRecorder({ server, component: 'detector', clock, metrics, mostWaiting: 10_000 });
    const tell = (type: 'Normal' | 'Warning', message: string): void => {
      for (let i = 0; i < 2_100; i++) busy.record(other(i), { type, reason: 'Told', message });
    };
    tell('Normal', 'first');
    await busy.flush();
    expect([became('written'), became('dropped')]).toEqual([2_100, 0]);
    tell('Normal', 'again');
    await busy.flush();
    expect([became('written'), became('dropped')]).toEqual([4_100, 100]);
    tell('Warning', 'first');
    await busy.flush();
    expect([became('written'), became('dropped')]).toEqual([6_200, 100]);
    await busy.stop();
  });

  it('events of objects without a namespace are in the default namespace', async () => {
    const cluster = {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'system:member', uid: 'u' },
    };
    say('TaintCluster', 'm', cluster);
    await recorder.flush();
    const { items } = await client.list<Event>(kind, { namespace: 'default' });
    expect(items).toMatchObject([{ reason: 'TaintCluster', involvedObject: { name: 'system:member' } }]);
  });

  it('never hold up whoever records them, are tried again, and only repeats are dropped when there are too many', async () => {
    faults.answer = () => new Unreachable('refused', 'nobody there', { sent: false });
    for (const reason of ['A', 'B', 'C', 'D', 'E', 'F']) say(reason);
    for (const message of ['one', 'two', 'three']) say('F', message);
    await until(() => clock.alarms === 6);
    faults.answer = undefined;
    clock.advance(500);
    await recorder.flush();
    expect((await written()).map(({ reason }) => reason)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(metrics.text()).toContain('sluice_events_total{result="dropped"} 3');
  });

  it('events that the server refuses are dropped at once', async () => {
    await client.delete({ apiVersion: 'v1', kind: 'Namespace', name: about.metadata.namespace ?? '' });
    faults.answer = () => ({ status: 403, headers: {} });
    say('A');
    await recorder.flush();
    expect(metrics.text()).toContain('sluice_events_total{result="dropped"} 1');
  });

  it('are not waited for longer than allowed when the process stops', async () => {
    faults.answer = () => new Unreachable('refused', 'nobody there', { sent: false });
    say('A');
    await until(() => clock.alarms === 1);
    const stopped = recorder.stop(100);
    clock.advance(100);
    await stopped;
    say('B');
    await recorder.flush();
    expect(metrics.text()).toContain('sluice_events_total{result="dropped"} 1');
  });
});

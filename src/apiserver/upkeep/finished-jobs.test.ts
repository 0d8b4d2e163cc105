import { timestamp } from '../../base/index.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import { until } from '../../../test/kit/until.ts';
import { createHub } from '../hub.ts';
import type { Hub } from '../hub.ts';
import type { HubResponse } from '../http.ts';

const user = { name: 'test', groups: ['system:masters'] };
const jobs = '/apis/batch/v1/namespaces/default/jobs';
let now: number;
let alarms: Map<object, { readonly at: number; readonly callback: () => void }>;
let store: Store;
let hub: Hub;

beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z');
  alarms = new Map();
  store = memoryStore();
  const after = (milliseconds: number, callback: () => void): (() => void) => {
    const alarm = {};
    alarms.set(alarm, { at: now + milliseconds, callback });
    return () => void alarms.delete(alarm);
  };
  hub = await createHub({ store, clock: { now: () => now, after } });
});
afterEach(async () => {
  await hub.close();
  await store.close();
});

/** Lets time pass; what is due is called. */
function pass(seconds: number): void {
  now += seconds * 1000;
  for (const [alarm, { at, callback }] of alarms) if (at <= now && alarms.delete(alarm)) callback();
}

function ask(method: string, path: string, object?: object): Promise<HubResponse> {
  return hub.handle({ method, path, query: '', headers: {}, user, wantsObjects: true, ...(object && { object }) });
}

/** Makes a Job, and lets it end now. */
async function ended(name: string, spec: object): Promise<void> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const made = await ask('POST', jobs, { metadata: { name }, spec: { template, ...spec } });
  const over = { type: 'Complete', status: 'True', lastTransitionTime: timestamp(now) };
  const status = { startTime: timestamp(now), completionTime: timestamp(now), conditions: [over] };
  await ask('PUT', `${jobs}/${name}/status`, { ...(made.object as object), status });
}

const statusOf = async (name: string): Promise<number> => (await ask('GET', `${jobs}/${name}`)).status;

test('a Job goes when the time that it gives itself is over, and one that gives itself none stays', async () => {
  await ended('brief', { ttlSecondsAfterFinished: 100 });
  await ended('kept', {});
  await until('it is waited for', () => Promise.resolve([...alarms.values()].some(({ at }) => at === now + 100_000)));
  pass(99);
  expect(await statusOf('brief')).toBe(200);
  pass(1);
  await until('it is gone', async () => (await statusOf('brief')) === 404);
  pass(1000);
  await ended('marker', { ttlSecondsAfterFinished: 0 });
  await until('the marker is gone', async () => (await statusOf('marker')) === 404);
  expect(await statusOf('kept')).toBe(200);
});

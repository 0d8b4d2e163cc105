import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtinCatalog } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { timestamp } from '../../base/index.ts';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import { Backlog } from '../watch/backlog.ts';
import { FlowControl } from '../flow/control.ts';
import { QuotaLedger } from '../quota/ledger.ts';
import type { HubParts } from '../call.ts';
import { objectKey, resourcePrefix } from '../storage/object-keys.ts';
import { storeObjects } from '../storage/store-objects.ts';
import { Expiry } from './event-expiry.ts';

const minute = 60_000;
const prefix = '/registry/core/events/shop/';
let now: number;
let store: Store;
let alarms: { readonly milliseconds: number; readonly callback: () => void }[];
let expiry: Expiry;
beforeEach(() => {
  now = Date.parse('2026-01-01T00:00:00Z');
  store = memoryStore();
  alarms = [];
  const clock = {
    now: () => now,
    after: (milliseconds: number, callback: () => void) => {
      alarms.push({ milliseconds, callback });
      return () => {};
    },
  };
  const parts: HubParts = {
    store,
    objects: storeObjects(store, { prefix: resourcePrefix, key: objectKey }),
    clock,
    catalog: builtinCatalog,
    backlog: new Backlog(),
    flow: new FlowControl(),
    quotas: new QuotaLedger({ store, catalog: builtinCatalog }),
    ownKinds: new Set(),
    admit: [],
    handlers: new Map(),
  };
  expiry = new Expiry(parts, (error) => expect(error).toBeUndefined(), 3);
});
afterEach(async () => {
  expiry.close();
  await store.close();
});

async function say(name: string, ago = 0): Promise<void> {
  const lastTimestamp = timestamp(now - ago);
  const value = (revision: number): object => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'shop', resourceVersion: String(revision) },
    lastTimestamp,
  });
  await store.write({ verb: 'put', key: `${prefix}${name}`, value });
}

const left = (): readonly string[] => store.list(prefix).entries.map(({ key }) => key.slice(prefix.length));

test('events are forgotten an hour after they were last seen', async () => {
  await say('old', 61 * minute);
  await say('again', 61 * minute);
  await say('young', 59 * minute);
  await say('again');
  await expiry.sweep();
  expect(left()).toEqual(['again', 'young']);
});

test('past the limit the oldest events are deleted first, and a repeated event is not old', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await say(name);
  await say('a');
  await expiry.sweep();
  expect(left()).toEqual(['a', 'd', 'e']);
});

test('watchers are told of what goes, at the revision at which it went', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await say(name);
  const told: unknown[] = [];
  store.watch(prefix, store.revision, {
    onEvents: (events) => told.push(...events.map(({ type, entry }) => [type, (entry.value as KubeObject).metadata])),
    onEnd: () => {},
  });
  await expiry.sweep();
  expect(told).toEqual([['deleted', { name: 'a', namespace: 'shop', resourceVersion: '5' }]]);
});

test('it looks twice a minute, however long it takes', async () => {
  await say('old', 61 * minute);
  expect(alarms.map(({ milliseconds }) => milliseconds)).toEqual([30_000]);
  alarms[0]?.callback();
  await expect.poll(() => alarms.length).toBe(2);
  expect(left()).toEqual([]);
});

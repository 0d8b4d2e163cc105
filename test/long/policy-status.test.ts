/** The status of a policy is written a few times, however many templates there are. */
import { afterEach, expect, test } from 'vitest';
import type { KubeObject, Policy } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const count = 300;
const policyMilliseconds = 500;
const select = [configMaps({ labelSelector: { matchLabels: { app: 'web' } } })];
const webs = policy('webs', { to: ['member1', 'member2'], select });

let live: Live | undefined;
afterEach(async () => {
  await live?.close();
  live = undefined;
});

/** How often something under this prefix of the hub was written while something was done. */
async function writesWhile(system: Live, prefix: string, doing: () => Promise<void>): Promise<number> {
  let writes = 0;
  const { store } = system.site;
  const watch = store.watch(prefix, store.revision, {
    onEvents: (events) => (writes += events.length),
    onEnd: () => {},
  });
  await doing();
  watch.close();
  return writes;
}

test(`${count} templates are a handful of writes of their policy, and rest is none`, async () => {
  const system = await startLive({ policyMilliseconds });
  live = system;
  await live.untilReady();
  await live.apply(webs);
  await live.settle();
  const templates = Array.from({ length: count }, (_, i) => configMap(`web-${i}`, { labels: { app: 'web' } }));
  const start = Date.now();
  const writes = await writesWhile(live, '/registry/policy.karmada.io/', async () => {
    await system.applyAll(templates);
    await system.settle();
  });
  const most = Math.ceil((Date.now() - start) / policyMilliseconds) + 1;
  expect(writes).toBeGreaterThan(0);
  expect(writes).toBeLessThanOrEqual(Math.min(most, count / 5));
  expect((await live.user.get<Policy>(refOf(webs))).status).toMatchObject({ templates: count, upToDate: count });

  expect(
    await writesWhile(live, '/registry/policy.karmada.io/', () => system.restart().then(() => system.settle())),
  ).toBe(0);
  expect((await live.user.get<Policy>(refOf(webs))).status).toMatchObject({ templates: count, upToDate: count });
});

interface Event extends KubeObject {
  readonly involvedObject: { readonly name: string };
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

test('a policy whose clusters do not exist says so in an event, once', async () => {
  const system = await startLive({ policyMilliseconds: 20 });
  live = system;
  await live.untilReady();
  await live.apply(policy('lost', { to: ['member1', 'mars'], select }));
  await live.applyAll([configMap('web-1', { labels: { app: 'web' } }), configMap('web-2', { labels: { app: 'web' } })]);
  await live.settle();
  await live.restart();
  await live.settle();
  await until('the event is there', async () => {
    const { items } = await system.user.listAll<Event>({ apiVersion: 'v1', kind: 'Event' }, { namespace: 'default' });
    const own = items.filter(({ involvedObject }) => involvedObject.name === 'lost');
    expect(own.map(({ reason, message, count: times }) => [reason, message, times])).toEqual([
      ['ClustersMissing', 'the placement names clusters that do not exist: mars', 1],
    ]);
    return true;
  });
});

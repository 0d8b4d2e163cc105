import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { conditionStatus } from '../../src/engine/index.ts';
import { managedLabel, refOf } from '../../src/api/index.ts';
import type { Cluster, Condition } from '../../src/api/index.ts';
import { register } from '../../src/app/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, memberCluster, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';
import { emptyList, json, startLyingMember } from './lying-member.ts';
import type { Lie, LyingMember } from './lying-member.ts';

let live: Live;
let liar: LyingMember;
beforeAll(async () => {
  live = await startLive({ members: ['good'] });
  await live.untilReady();
  liar = await startLyingMember();
  await register(live.user, { name: 'liar', url: liar.url, caBundle: liar.caBundle, token: 't' });
  const select = [configMaps({ labelSelector: { matchLabels: { app: 'web' } } })];
  await live.apply(policy('web', { to: ['good', 'liar'], select }));
  await untilReady('True');
});
afterAll(async () => {
  await live.close();
  await liar.close();
});
beforeEach(async () => {
  liar.lie = () => false;
  await untilReady('True');
});

async function readyOf(name: string): Promise<Condition | undefined> {
  const { status } = await live.user.get<Cluster>(refOf(memberCluster(name)));
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

const untilReady = (wanted: string): Promise<Condition> =>
  until(`the liar is ${wanted}`, async () => {
    const ready = await readyOf('liar');
    return ready?.status === wanted && ready;
  });

/** The good member gets what is applied while the other lies. */
async function expectGoodServed(name: string): Promise<void> {
  const map = configMap(name, { labels: { app: 'web' } });
  await live.apply(map);
  await until('the good member has it', async () => (await live.placesOf(refOf(map))).includes('good'));
  const { status } = await live.user.get<Cluster>(refOf(memberCluster('good')));
  expect(conditionStatus(status?.conditions, 'Ready')).toBe('True');
}

const plain = /TypeError|undefined|Cannot read|not a function|iterable|call stack/;

test('a list of 200 MB costs the member its condition, and the hub little memory', async () => {
  const item = `{"metadata":{"name":"x","namespace":"y","labels":{"${managedLabel}":"true"}},"spec":[${'[],'.repeat(20_000)}[]]}`;
  const large: Lie = (request, response) => {
    if (!/^\/api\/v1\/(pods|nodes|configmaps)\?/.test(request.url) || request.url.includes('watch=')) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"metadata":{"resourceVersion":"5"},"items":[');
    let sent = 0;
    const more = (): void => {
      while (sent++ < 3400)
        if (response.destroyed || !response.write(`${item},`)) return void response.once('drain', more);
      response.end(`${item}]}`);
    };
    more();
    return true;
  };
  const before = process.memoryUsage.rss();
  liar.lie = large;
  await live.restart();
  const ready = await untilReady('False');
  expect(ready.message).toMatch(/reading (Pod|Node|ConfigMap): the answer is larger than 16 MiB/);
  await expectGoodServed('while-large');
  expect((process.memoryUsage.rss() - before) / (1 << 20)).toBeLessThan(800);
});

test.each<[string, string, (url: string) => unknown]>([
  ['APIs of wrong types', '/apis', () => ({ kind: 'APIGroupList', groups: 'all of them' })],
  ['a version of a wrong type', '/version', () => ({ gitVersion: 34 })],
])('%s cost the member its condition, in plain words', async (name, path, answer) => {
  liar.lie = (request, response) => (request.url === path ? (json(response, answer(request.url)), true) : false);
  const { message } = await untilReady('False');
  expect(message).toContain(path);
  expect(message).not.toMatch(plain);
  await expectGoodServed(name.replaceAll(' ', '-').toLowerCase());
});

test('objects of wrong types cost nothing but their own place', async () => {
  const labels = { [managedLabel]: 'true' };
  const odd = {
    metadata: { name: 'odd', namespace: 'default', labels, resourceVersion: '7' },
    data: [5],
    status: 'fine',
  };
  liar.lie = (request, response) => {
    if (!request.url.startsWith('/api/v1/configmaps?') || request.url.includes('watch=')) return false;
    json(response, { ...emptyList, metadata: { resourceVersion: '7' }, items: [odd] });
    return true;
  };
  await live.restart();
  await expectGoodServed('while-odd');
});

import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster, KubeObject, Ref } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, memberCluster, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
let secret: Ref;
let good: Readonly<Record<string, string>>;

type Secret = KubeObject & { readonly data: Readonly<Record<string, string>> };

beforeAll(async () => {
  live = await startLive({ members: ['member1'] });
  await live.untilReady();
  await live.apply(policy('all', { to: 'member1', select: [configMaps({ labelSelector: { matchLabels: labels } })] }));
  const { spec } = await live.user.get<Cluster>(cluster);
  if (!spec.secretRef) throw new Error('the member has no secret');
  secret = { apiVersion: 'v1', kind: 'Secret', ...spec.secretRef };
  good = (await live.user.get<Secret>(secret)).data;
});
afterAll(() => live.close());

const labels = { app: 'web' };
const cluster = refOf(memberCluster('member1'));

async function ready(): Promise<{ readonly status?: string; readonly message?: string }> {
  const { status } = await live.user.get<Cluster>(cluster);
  return status?.conditions?.find(({ type }) => type === 'Ready') ?? {};
}

const arrived = (name: string): Promise<boolean> =>
  until(`${name} has arrived`, async () => (await live.placesOf(refOf(configMap(name)))).length === 1);

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** The certificate of the hub's own authority, which is not that of the member. */
async function foreignAuthority(): Promise<string> {
  const ref = { ...refOf(configMap('kube-root-ca.crt')), namespace: 'default' };
  const { data } = await live.user.get<Secret>(ref);
  return data['ca.crt'] ?? '';
}

test.each<[string, () => Promise<Readonly<Record<string, string>>>, RegExp]>([
  ['a token that is none', async () => ({ token: encoded('none of yours') }), /Unauthorized/],
  ['another authority', async () => ({ caBundle: encoded(await foreignAuthority()) }), /certificate/],
  ['no authority', async () => ({ caBundle: '' }), /Secret .* has no caBundle/],
])(
  '%s makes a member not ready, and what is right again is taken up at once',
  async (what, wrong, words) => {
    const name = what.replaceAll(' ', '-');
    await live.user.patch(secret, { data: await wrong() }, { type: 'merge' });
    await until('the member is not ready', async () => (await ready()).status !== 'True');
    expect((await ready()).message).toMatch(words);
    await live.apply(configMap(name, { labels }));
    await live.user.patch(secret, { data: good }, { type: 'merge' });
    await arrived(name);
    await until('the member is ready', async () => (await ready()).status === 'True');
  },
  60_000,
);

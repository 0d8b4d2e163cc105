import { afterAll, beforeAll, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { ApiClient, discover, inProcess } from '../../src/client/index.ts';
import { delayed } from '../kit/delayed.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const group = 'example.com';
const kinds = ['Apple', 'Banana', 'Cherry'];

function definition(kind: string): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  } as KubeObject;
}

let live: Live;
const later = Promise.withResolvers<void>();
/** Discovery is reported when all kinds are there, so that they come at once. */
let told: Promise<void> = Promise.resolve();

/** Requests that read apples wait until the end. */
const withoutApples = delayed(async ({ method, path }) => {
  if (method === 'GET' && path.endsWith('/apples')) await later.promise;
  if (/^\/apis?$/.test(path)) await told;
});

beforeAll(async () => {
  live = await startLive({ members: ['member1'] });
  await live.stop();
  await live.start({ between: withoutApples });
});
afterAll(async () => {
  later.resolve();
  await live.close();
});

test('kinds that come while we run are followed, and one that cannot be read delays no other', async () => {
  const all = Promise.withResolvers<void>();
  told = all.promise;
  for (const kind of kinds) await live.user.create(definition(kind));
  const fruit = (kind: string): KubeObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: kind.toLowerCase(), namespace: 'default' },
  });
  const user = inProcess((request) => live.site.hub.handle(request), { name: 'jane', groups: ['system:masters'] });
  const client = await until('all kinds are served', async () => {
    const served = await discover(new ApiClient({ transport: user, resources: () => served }));
    return (
      kinds.every((kind) => served.byKind(`${group}/v1`, kind)) &&
      new ApiClient({ transport: user, resources: () => served })
    );
  });
  all.resolve();
  const select = kinds.map((kind) => ({ apiVersion: `${group}/v1`, kind }));
  await live.apply(policy('fruit', { to: 'member1', select }));
  for (const kind of kinds) await client.create(fruit(kind));
  const binding = (kind: string): Promise<KubeObject | undefined> =>
    live.user.find({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      namespace: 'default',
      name: `${kind.toLowerCase()}-${kind.toLowerCase()}`,
    });
  await until('bananas and cherries are placed', async () => (await binding('Banana')) && (await binding('Cherry')));
  later.resolve();
  await until('apples are placed', async () => (await binding('Apple')) !== undefined);
});

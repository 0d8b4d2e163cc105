/** A join validates before it writes, takes back what it wrote when it fails, and gets a token from every kind of cluster. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiServer } from '../../src/apiserver/index.ts';
import { writeKubeconfig } from '../../src/auth/index.ts';
import type { ApiServer } from '../../src/apiserver/index.ts';
import { ApiClient, discover, inProcess } from '../../src/client/index.ts';
import type { Discovered, Transport } from '../../src/client/index.ts';
import { connectTo } from '../../src/cli/connect.ts';
import { liveWriter } from '../../src/cli/object-writer.ts';
import { grantAccess } from '../../src/cli/membership.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
let newcomer: SimulatedMember;
beforeAll(async () => {
  system = await openSystem({ members: [] });
  newcomer = await startSimulated({ name: 'newcomer', dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  await writeKubeconfig(`${system.folder}/newcomer.yaml`, [newcomer.context()]);
}, 60_000);
afterAll(async () => {
  await newcomer.close();
  await system.close();
});

/** Works in the cluster as its administrator. */
async function inCluster<T>(work: (client: ApiClient) => Promise<T>): Promise<T> {
  const { certificateAuthority: caBundle, server, user } = newcomer.context();
  const key =
    'token' in user ? { token: user.token } : { certificate: { certificate: user.certificate, key: user.key } };
  const { client } = await connectTo({ server, caBundle, ...key }, { timeout: '10s' });
  return work(client).finally(() => client.close());
}

/** The objects that joins have made in the cluster. */
const traces = (): Promise<readonly string[]> => inCluster(tracesOf);

async function tracesOf(client: ApiClient): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [apiVersion, kind] of [
    ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
    ['v1', 'ServiceAccount'],
    ['v1', 'Secret'],
  ] as const) {
    const { items } = await client.listAll({ apiVersion, kind }, { labelSelector: 'karmada.io/system=true' });
    found.push(...items.map(({ metadata }) => `${kind}/${metadata.name}`));
  }
  return found;
}

const join = (name: string) => system.run(['join', name, '--cluster-kubeconfig', 'newcomer.yaml']);

test('a name that the hub refuses is refused before anything is written in the cluster', async () => {
  const { code, out, err } = await join('Bad_Name');
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('metadata.name');
  expect(await traces()).toEqual([]);
});

test('a join that fails half way takes back what it wrote', async () => {
  await newcomer.setFaults({ refuse: [{ kind: 'ClusterRoleBinding', code: 403 }] });
  expect(await join('newcomer')).toMatchObject({ code: 1, out: '' });
  await newcomer.reset();
  await system.until('nothing is left', async () => (await traces()).length === 0);
});

test('a join that is repeated and fails leaves the access of the first one', async () => {
  expect(await join('newcomer')).toMatchObject({ code: 0, err: '' });
  // The token comes from the TokenRequest API: no Secret with a token stays in the cluster.
  expect(await traces()).toEqual([
    'ClusterRole/karmada-controller-manager:karmada-newcomer',
    'ClusterRole/karmada-impersonator',
    'ClusterRoleBinding/karmada-controller-manager:karmada-newcomer',
    'ClusterRoleBinding/karmada-impersonator',
    'ServiceAccount/karmada-impersonator',
    'ServiceAccount/karmada-newcomer',
  ]);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'karmada-cluster', name: 'karmada-newcomer' };
  await inCluster((client) => client.delete(account));
  await newcomer.setFaults({ refuse: [{ kind: 'ServiceAccount', code: 403 }] });
  expect(await join('newcomer')).toMatchObject({ code: 1, out: '' });
  await newcomer.reset();
  expect(await traces()).toHaveLength(5);
});

type Answer = Awaited<ReturnType<Transport['send']>>;

/** The API of a cluster whose TokenRequest API answers so; everything else is the real one. */
async function withTokenApi(
  work: (client: ApiClient) => Promise<void>,
  answer: (real: Answer) => Answer,
): Promise<void> {
  const site: ApiServer = await openApiServer({ dataDir: ':memory:', host: '127.0.0.1', port: 0 });
  const person = { name: 'jane', groups: ['system:masters', 'system:authenticated'] };
  const real = inProcess((request) => site.hub.handle(request), person);
  const send: Transport['send'] = async (request) => {
    const given = await real.send(request);
    return request.path.endsWith('/token') ? answer(given) : given;
  };
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const transport = { ...real, send, stream: real.stream.bind(real), close: real.close.bind(real) };
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'test' });
  served = await discover(client);
  try {
    await work(client);
  } finally {
    await client.close();
    await site.close();
  }
}

const missing: Answer = {
  status: 404,
  headers: {},
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message: 'not found' },
};

test.each<[string, (real: Answer) => Answer]>([
  ['has no TokenRequest API', () => missing],
  [
    'shortens every token to an hour',
    ({ body, ...rest }) => {
      const ends = new Date(Date.now() + 3_600_000).toISOString();
      const { status, ...request } = body as { readonly status: object };
      return { ...rest, body: { ...request, status: { ...status, expirationTimestamp: ends } } };
    },
  ],
])('a cluster that %s gives the token of a Secret, which does not end', async (_, answer) => {
  await withTokenApi(async (client) => {
    const { token, ends } = await grantAccess(client, 'edge', liveWriter(client));
    const secret = await client.get<
      { readonly data?: { readonly token?: string } } & Parameters<typeof client.update>[0]
    >({
      apiVersion: 'v1',
      kind: 'Secret',
      namespace: 'karmada-cluster',
      name: 'karmada-edge',
    });
    expect(token).toBe(Buffer.from(secret.data?.token ?? '', 'base64').toString());
    expect(ends).toBeUndefined();
  }, answer);
});

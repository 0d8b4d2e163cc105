import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentGroup, agentUserOf, executionNamespace, workName } from '../../src/api/index.ts';
import type { Cluster, KubeObject, Work } from '../../src/api/index.ts';
import { openAuthority, writeKubeconfig } from '../../src/auth/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { conditionStatus } from '../../src/engine/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { configMap, configMaps, deployment, policy } from '../kit/objects.ts';
import { clientBy, freePort, startProgram } from '../kit/running.ts';
import type { Program } from '../kit/running.ts';
import { until, untilGone, untilObject } from '../kit/until.ts';

/** One hub and one agent, as processes; the member runs here, because it must outlive both. */
let folder: string;
let port: number;
let hub: Program;
let agent: Program;
let user: ApiClient;
let edge: SimulatedMember;
let member: ApiClient;

const at = (...names: readonly string[]): string => path.join(folder, ...names);
const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'edge' };
const space = executionNamespace('edge');
const inShop = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name });
const works = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' };
const workOf = (name: string) => ({
  ...works,
  namespace: space,
  name: workName({ kind: 'ConfigMap', namespace: 'shop', name }),
});

function startHub(): Promise<Program> {
  const quick = ['--cluster-monitor-period', '100ms', '--cluster-monitor-grace-period', '2s'];
  const place = ['--data-dir', at('hub'), '--listen', `127.0.0.1:${port}`, '--kubeconfig', at('hub.kubeconfig')];
  return startProgram(['up', '--members', '0', ...place, ...quick]);
}

function startAgent(): Promise<Program> {
  const ways = ['--hub-kubeconfig', at('agent.kubeconfig'), '--member-kubeconfig', at('member.kubeconfig')];
  return startProgram(['agent', '--cluster', 'edge', ...ways, '--status-update-frequency', '250ms']);
}

/** The kubeconfig of the agent of a member, as the hub's authority would sign it. */
async function credentialsOf(name: string, file: string): Promise<void> {
  const authority = await openAuthority({ folder: at('hub', 'pki') });
  const own = authority.clientCertificate({ commonName: agentUserOf(name), organizations: [agentGroup] });
  const server = `https://127.0.0.1:${port}`;
  await writeKubeconfig(file, [{ name: 'hub', server, certificateAuthority: authority.certificate, user: own }]);
}

const readyIs =
  (wanted: string) =>
  ({ status }: Cluster): boolean =>
    conditionStatus(status?.conditions, 'Ready') === wanted;

async function placed(name: string, key = 'first'): Promise<void> {
  await user.create(policy(name, { namespace: 'shop', to: 'edge', select: [configMaps({ name })] }));
  await user.create({ ...configMap(name, { namespace: 'shop' }), data: { key } } as KubeObject);
}

async function setData(name: string, value: string): Promise<void> {
  await user.patch(inShop(name), { data: { key: value } }, { type: 'merge' });
}

const says =
  (value: string) =>
  (object: KubeObject): boolean =>
    (object as KubeObject & { readonly data?: Record<string, string> }).data?.['key'] === value;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-agent-'));
  port = await freePort();
  edge = await startSimulated({ name: 'edge', dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  await writeKubeconfig(at('member.kubeconfig'), [edge.context()]);
  member = await clientBy(at('member.kubeconfig'));
  hub = await startHub();
  user = await clientBy(at('hub.kubeconfig'), 'sluice');
  await user.create({ ...cluster, metadata: { name: 'edge' }, spec: { syncMode: 'Pull' } } as unknown as KubeObject);
  await credentialsOf('edge', at('agent.kubeconfig'));
  await until('the agent has its rights', () => user.find({ ...roleOf('agent-work'), namespace: space }));
  agent = await startAgent();
  await user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
});

const roleOf = (what: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  name: `system:karmada:edge:${what}`,
});

afterAll(async () => {
  await agent?.end();
  await user.close();
  await hub.end();
  await member.close();
  await edge.close();
  await rm(folder, { recursive: true, force: true });
});

test('an agent brings objects to its member, reports their status, repairs drift and removes them', async () => {
  const ready = await untilObject<Cluster>(user, cluster, readyIs('True'));
  expect(ready.status?.kubernetesVersion).toBeTruthy();
  await user.create(policy('web', { namespace: 'shop', to: 'edge' }));
  await user.create(deployment('web', { namespace: 'shop', replicas: 2 }));
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  await untilObject(user, web, (object) => JSON.stringify(object).includes('"readyReplicas":2'));
  await member.patch(web, { spec: { replicas: 5 } }, { type: 'merge' });
  await untilObject(member, web, (object) => (object as unknown as { spec: { replicas: number } }).spec.replicas === 2);
  await user.delete(web);
  await untilGone(member, web);
});

test('a Work that is deleted by hand takes nothing from the member, and is made again', async () => {
  await placed('kept');
  const { metadata } = await untilObject(member, inShop('kept'), () => true);
  const work = await untilObject<Work>(user, workOf('kept'), ({ status }) =>
    JSON.stringify(status ?? {}).includes('AppliedSuccessful'),
  );
  await user.delete(workOf('kept'));
  await untilObject(user, workOf('kept'), (object) => object.metadata.uid !== work.metadata.uid);
  await user.patch(inShop('kept'), { data: { key: 'two' } }, { type: 'merge' });
  const after = await untilObject(member, inShop('kept'), says('two'));
  expect(after.metadata.uid).toBe(metadata.uid);
});

test('an agent may read and write for its own member, and nothing else', async () => {
  await credentialsOf('edge', at('tries.kubeconfig'));
  const own = await clientBy(at('tries.kubeconfig'));
  await user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-es-other' } });
  await user.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'plain', namespace: 'shop' },
    data: {},
  } as KubeObject);
  const { items } = await own.listAll(works, { namespace: space });
  expect(items.length).toBeGreaterThan(0);
  expect(await own.get(cluster)).toBeDefined();
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'karmada-cluster', name: 'other' };
  const forged = { ...lease, metadata: { name: 'other', namespace: 'karmada-cluster' } };
  const whole = await own.get<Cluster>(cluster);
  const tries: Readonly<Record<string, () => Promise<unknown>>> = {
    'Works of all members': () => own.listAll(works),
    'Works of another member': () => own.listAll(works, { namespace: 'karmada-es-other' }),
    'a Work of its own making': () =>
      own.create({ ...(items[0] as KubeObject), metadata: { name: 'forged', namespace: space } }),
    'the deletion of a Work': () => own.delete(workOf('kept')),
    'all clusters': () => own.listAll({ apiVersion: cluster.apiVersion, kind: 'Cluster' }),
    'another cluster': () => own.get({ ...cluster, name: 'other' }),
    'a new cluster': () =>
      own.create({ ...cluster, metadata: { name: 'x' }, spec: { syncMode: 'Pull' } } as unknown as KubeObject),
    'the spec of its cluster': () => own.update({ ...whole, spec: { syncMode: 'Push' } } as KubeObject),
    'Secrets of the hub': () => own.listAll({ apiVersion: 'v1', kind: 'Secret' }),
    'one Secret': () => own.get({ apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'plain' }),
    templates: () => own.get(inShop('kept')),
    'the lease of another agent': () => own.patch(lease, forged, { type: 'apply', fieldManager: 'x', force: true }),
    'its own rights': () => own.delete({ ...roleOf('agent-work'), namespace: space }),
  };
  for (const [what, attempt] of Object.entries(tries))
    await expect(attempt(), what).rejects.toMatchObject({ code: 403 });
  await own.close();
});

test('an agent that is killed is called silent, and does what it missed when it is back', async () => {
  await placed('missed');
  await untilObject(member, inShop('missed'), () => true);
  await agent.end('SIGKILL');
  const { status, spec } = await untilObject<Cluster>(user, cluster, (object) => {
    return readyIs('Unknown')(object) && object.spec.taints?.length === 1;
  });
  expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'ClusterStatusUnknown' }));
  expect(spec.taints).toMatchObject([{ key: 'cluster.karmada.io/unreachable', effect: 'NoSchedule' }]);
  await setData('missed', 'late');
  await untilObject<Work>(user, workOf('missed'), (work) =>
    JSON.stringify(work.status ?? {}).includes('edge is not ready since'),
  );
  agent = await startAgent();
  await untilObject(member, inShop('missed'), says('late'));
  await untilObject<Cluster>(user, cluster, (object) => readyIs('True')(object) && !object.spec.taints?.length);
});

test('while the hub is away the member keeps what it was told last, and the agent goes on when the hub is back', async () => {
  await placed('steady', 'one');
  const before = await untilObject(member, inShop('steady'), says('one'));
  await untilObject<Work>(user, workOf('steady'), (work) =>
    JSON.stringify(work.status ?? {}).includes('AppliedSuccessful'),
  );
  await hub.end('SIGKILL');
  await member.patch(inShop('steady'), { data: { key: 'drift' } }, { type: 'merge' });
  await untilObject(member, inShop('steady'), says('one'));
  await member.delete(inShop('missed'));
  await untilObject(member, inShop('missed'), says('late'));
  hub = await startHub();
  await until('the hub answers', () => user.find(cluster));
  await setData('steady', 'two');
  const after = await untilObject(member, inShop('steady'), says('two'));
  expect(after.metadata.uid).toBe(before.metadata.uid);
});

test('an agent that starts while the hub is away waits for it and touches nothing', async () => {
  await agent.end('SIGKILL');
  await hub.end('SIGKILL');
  const before = await member.get(inShop('steady'));
  const starting = startProgram(
    [
      'agent',
      '--cluster',
      'edge',
      '--hub-kubeconfig',
      at('agent.kubeconfig'),
      '--member-kubeconfig',
      at('member.kubeconfig'),
    ],
    /waits: .*cannot be reached/,
  );
  const waiting = await starting;
  expect((await member.get(inShop('steady'))).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  hub = await startHub();
  await until('the agent is ready', async () => /is ready/.test(waiting.said()));
  await waiting.end();
  agent = await startAgent();
  await untilObject<Cluster>(user, cluster, readyIs('True'));
});

test('a member that leaves gives up what it got, by its agent', async () => {
  await user.delete(cluster);
  await untilGone(user, cluster);
  for (const name of ['kept', 'missed', 'steady']) expect(await member.find(inShop(name)), name).toBeUndefined();
  await untilGone(user, { apiVersion: 'v1', kind: 'Namespace', name: space });
});

test('an agent refuses a member that the hub writes to itself, and another cluster than the hub means', async () => {
  const push = { ...cluster, metadata: { name: 'pushed' }, spec: { syncMode: 'Push', apiEndpoint: edge.url } };
  await user.create(push);
  await user.create({
    ...cluster,
    metadata: { name: 'twin' },
    spec: { syncMode: 'Pull', id: 'another' },
  } as unknown as KubeObject);
  const kubeconfig = ['--hub-kubeconfig', at('hub.kubeconfig'), '--member-kubeconfig', at('member.kubeconfig')];
  const words: Readonly<Record<string, RegExp>> = { pushed: /has the sync mode Push/, twin: /is another one than/ };
  for (const [name, message] of Object.entries(words))
    await expect(startProgram(['agent', '--cluster', name, ...kubeconfig])).rejects.toThrow(message);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Cluster, KubeObject } from '../../src/api/index.ts';
import { writeKubeconfig } from '../../src/auth/index.ts';
import { connectTo } from '../../src/cli/connect.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { schemas } from '../../tools/schemas.ts';
import { faultsOf } from '../kit/jsonschema.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
let newcomer: SimulatedMember;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
  newcomer = await startSimulated({ name: 'newcomer', dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  await writeKubeconfig(`${system.folder}/newcomer.yaml`, [newcomer.context()]);
  await system.apply(
    policy('maps', { to: { exclude: [] }, select: [configMaps({ name: 'settings' })] }),
    configMap('settings'),
  );
  await system.member('member2').create(configMap('own'));
}, 60_000);
afterAll(async () => {
  await newcomer.close();
  await system.close();
});

const clusterRef = (name: string) => ({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name });
const taintsOf = async (name: string) => (await system.user.get<Cluster>(clusterRef(name))).spec.taints;

test('objects of members, with their cluster and who manages them', async () => {
  const { code, out, err } = await system.run(['get', 'cm', '-l', '!nothing']);
  expect([code, err]).toEqual([0, '']);
  const rows = out.split('\n').map((line) => line.replaceAll(/ {3,}/g, '|').replaceAll(/\|\d+[smhd]\|/g, '|AGE|'));
  expect(rows[0]).toBe('NAME|CLUSTER|DATA|AGE|ADOPTION');
  expect(rows).toContain('settings|member1|1|AGE|Y');
  expect(rows).toContain('settings|member2|1|AGE|Y');
  expect(rows).toContain('own|member2|1|AGE|N');
  expect((await system.run(['get', 'cm', 'own', '-o', 'name'])).out).toBe('member2/configmaps/own\n');
  expect((await system.run(['get', 'cm/own', '-o', 'name'])).out).toBe('member2/configmaps/own\n');
  const list = JSON.parse((await system.run(['get', 'configmap', 'settings', '-C', 'member1', '-o', 'json'])).out) as {
    items: KubeObject[];
  };
  expect(list.items.map(({ metadata }) => metadata.annotations?.['resource.karmada.io/cached-from-cluster'])).toEqual([
    'member1',
  ]);
});

test('members without a context of their own are reached with the credentials of the hub', async () => {
  await writeKubeconfig(`${system.folder}/hub.yaml`, [system.site.context('sluice')]);
  const { code, out } = await system.run(['get', 'cm', 'settings', '-o', 'name', '--kubeconfig', 'hub.yaml']);
  expect([code, out]).toEqual([0, 'member1/configmaps/settings\nmember2/configmaps/settings\n']);
});

test('a missing object is reported', async () => {
  expect(await system.run(['get', 'cm', 'nobody'])).toMatchObject({
    code: 1,
    out: '',
    err: 'sluice: there is no ConfigMap nobody in these members: -A looks in all namespaces\n',
  });
  expect(await system.run(['get', 'deploy', '-n', 'nowhere'])).toEqual({
    code: 0,
    out: '',
    err: 'No resources found in nowhere namespace.\n',
  });
  expect(await system.run(['get', 'deploy', '-A'])).toEqual({ code: 0, out: '', err: 'No resources found\n' });
  const empty = await system.run(['get', 'deploy', '-o', 'json']);
  expect([empty.code, empty.err, JSON.parse(empty.out)]).toMatchObject([0, '', { kind: 'List', items: [] }]);
  expect(await system.run(['get', 'clusters'])).toMatchObject({
    code: 1,
    err: 'sluice: no member serves clusters: `kubectl get clusters` lists what the hub has\n',
  });
  // An answer that every member gives is printed once.
  const misspelt = await system.run(['get', 'cm', '-l', 'a in (b']);
  expect([misspelt.code, misspelt.err.split('\n').length]).toEqual([1, 2]);
  expect(misspelt.err).toContain('unable to parse requirement');
  expect(await system.run(['get', 'cm', '-C', 'x'])).toMatchObject({
    code: 1,
    err: 'sluice: there is no member x; there are member1, member2\n',
  });
});

test('a member is cordoned and uncordoned, once', async () => {
  expect((await system.run(['cordon', 'member1'])).out).toBe('member1 cluster cordoned\n');
  expect(await taintsOf('member1')).toEqual([{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }]);
  expect((await system.run(['cordon', 'member1'])).out).toBe('member1 cluster already cordoned\n');
  expect((await system.run(['uncordon', 'member1'])).out).toBe('member1 cluster uncordoned\n');
  expect(await taintsOf('member1')).toBeUndefined();
  expect(await system.run(['cordon', 'x'])).toMatchObject({
    code: 1,
    err: 'sluice: there is no member x; there are member1, member2\n',
  });
});

test('taints and labels are set, changed on request, and taken away', async () => {
  await system.run(['taint', 'member2', 'night=yes:NoSchedule']);
  expect(await taintsOf('member2')).toEqual([{ key: 'night', value: 'yes', effect: 'NoSchedule' }]);
  expect(await system.run(['taint', 'member2', 'night=no:NoSchedule'])).toMatchObject({ code: 1 });
  await system.run(['taint', 'member2', 'night=no:NoSchedule', '--overwrite']);
  expect(await taintsOf('member2')).toEqual([{ key: 'night', value: 'no', effect: 'NoSchedule' }]);
  expect((await system.run(['taint', 'member2', 'night-'])).out).toBe('member2 cluster untainted\n');
  expect(await taintsOf('member2')).toBeUndefined();
  expect((await system.run(['label', 'cluster/member2', 'tier=edge'])).out).toBe('Cluster/member2 labeled\n');
  expect((await system.user.get(clusterRef('member2'))).metadata.labels).toMatchObject({ tier: 'edge' });
  expect(await system.run(['label', 'cluster/member2', 'tier=core'])).toMatchObject({
    code: 1,
    err: 'sluice: tier has the value edge: change it with --overwrite\n',
  });
  await system.run(['label', 'cluster/member2', 'tier-']);
  expect((await system.user.get(clusterRef('member2'))).metadata.labels ?? {}).not.toHaveProperty('tier');
  expect((await system.run(['annotate', 'cm/settings', 'note=a=b'])).out).toBe(
    'ConfigMap/default/settings annotated\n',
  );
});

test('a cluster joins, gets what belongs there, joins again unharmed, and leaves', async () => {
  const join = ['join', 'newcomer', '--cluster-kubeconfig', 'newcomer.yaml', '--region', 'north', '--zone', 'n1'];
  const first = await system.run(join);
  expect(first).toEqual({ code: 0, out: 'cluster newcomer is joined and ready\n', err: '' });
  const { spec } = await system.user.get<Cluster>(clusterRef('newcomer'));
  expect(spec).toMatchObject({
    syncMode: 'Push',
    apiEndpoint: newcomer.url,
    region: 'north',
    zones: ['n1'],
    id: expect.any(String) as string,
  });
  const settings = async (): Promise<number> => {
    const { out } = await system.run(['get', 'cm', 'settings', '-C', 'newcomer', '-o', 'name']);
    return out === '' ? 0 : 1;
  };
  await system.user.patch(
    { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' },
    { data: { value: 'two' } },
    { type: 'merge' },
  );
  await system.until('the newcomer has the settings', async () => (await settings()) === 1);

  // Renewing the credentials does not require naming the location of the cluster, and policies that depend on it must
  // not change.
  const renew = join.slice(0, join.indexOf('--region'));
  for (const again of [join, renew]) expect(await system.run(again)).toEqual(first);
  expect((await system.user.get<Cluster>(clusterRef('newcomer'))).spec).toMatchObject({
    region: 'north',
    zones: ['n1'],
  });
  const twin = await system.run(['join', 'twin', '--cluster-kubeconfig', 'newcomer.yaml']);
  expect(twin).toMatchObject({
    code: 1,
    err: 'sluice: this cluster is joined already, as newcomer: unjoin that member first\n',
  });

  const known = await system.run([
    'join',
    'again',
    '--cluster-kubeconfig',
    '.sluice/kubeconfig',
    '--cluster-context',
    'member1',
  ]);
  expect(known).toMatchObject({
    code: 1,
    err: 'sluice: this cluster is joined already, as member1: unjoin that member first\n',
  });
  const other = await system.run(['join', 'member1', '--cluster-kubeconfig', 'newcomer.yaml']);
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('joined already, as newcomer') as string });

  expect(await system.run(['unjoin', 'newcomer', '--yes'])).toEqual({
    code: 0,
    out: 'cluster newcomer is unjoined\n',
    err: '',
  });
  expect(await system.user.find(clusterRef('newcomer'))).toBeUndefined();
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'karmada-cluster', name: 'newcomer' };
  await system.until('nothing is left in the newcomer', async () => (await leftIn(newcomer)).length === 0);
  expect(await system.user.find(secret)).toBeUndefined();
  const foreign = await system.run(['join', 'member1', '--cluster-kubeconfig', 'newcomer.yaml']);
  expect(foreign).toMatchObject({
    code: 1,
    err: expect.stringContaining('member1 is another cluster already') as string,
  });
  expect(await system.run(['unjoin', 'newcomer'])).toMatchObject({
    code: 1,
    err: 'sluice: there is no member newcomer; there are member1, member2\n',
  });
});

/** The objects that the hub made or placed there. */
async function leftIn(member: SimulatedMember): Promise<readonly string[]> {
  const administrator = member.context();
  const { certificateAuthority: caBundle, server, user } = administrator;
  const connection =
    'token' in user ? { token: user.token } : { certificate: { certificate: user.certificate, key: user.key } };
  const { client } = await connectTo({ server, caBundle, ...connection }, { timeout: '10s' });
  try {
    const accounts = await client.listAll(
      { apiVersion: 'v1', kind: 'ServiceAccount' },
      { labelSelector: 'karmada.io/system=true' },
    );
    const rights = await client.listAll(
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' },
      { labelSelector: 'karmada.io/system=true' },
    );
    const maps = await client.listAll(
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { labelSelector: 'karmada.io/managed=true' },
    );
    return [...accounts.items, ...rights.items, ...maps.items].map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  } finally {
    await client.close();
  }
}

test('manifests are applied and placed', async () => {
  const file = await system.file('extra.yaml', configMap('extra'));
  const first = await system.run(['apply', '-f', file, '-C', 'member2']);
  expect(first.code).toBe(0);
  expect(first.out).toMatch(/^PropagationPolicy\/default\/extra-\w+ created\nConfigMap\/default\/extra created\n$/);
  await system.settle();
  const again = await system.run(['apply', '-f', file, '-C', 'member2']);
  expect(again.out).toMatch(/^PropagationPolicy\/default\/extra-\w+ unchanged\nConfigMap\/default\/extra unchanged\n$/);
  const changed = await system.file('extra.yaml', configMap('extra', { value: 'two' }));
  const tried = await system.run(['apply', '-f', changed, '--dry-run']);
  expect(tried.out).toMatch(/^ConfigMap\/default\/extra configured \(dry run\)\nEFFECT[^\n]*\nupdate +now +1 /);
  expect(await system.run(['plan', '-f', changed])).toMatchObject({ code: 3 });
  expect((await system.run(['apply', '-f', changed])).out).toBe('ConfigMap/default/extra configured\n');
  expect(await system.run(['plan', '-f', changed])).toMatchObject({ code: 0 });
  await system.settle();
  expect((await system.run(['get', 'cm', 'extra', '-o', 'name'])).out).toBe('member2/configmaps/extra\n');
  expect(await system.run(['apply', '-f', file, '--all-clusters', '-C', 'member1'])).toMatchObject({ code: 2 });
});

test('apply places an object where the flags say, whatever other policies select; an object that another policy manages stays with it, and a warning says so', async () => {
  const everything = policy('everything', { scope: 'cluster', to: 'member1', select: [configMaps()] });
  await system.apply(everything, configMap('held'));
  const file = await system.file('two.yaml', configMap('fresh'), configMap('held'));
  const { code, err } = await system.run(['apply', '-f', file, '-C', 'member2']);
  expect([code, err]).toEqual([
    0,
    'warning: ConfigMap/default/held stays managed by ClusterPropagationPolicy/everything: `sluice explain` says where it is placed\n',
  ]);
  await system.settle();
  expect((await system.run(['get', 'cm', 'fresh', '-o', 'name'])).out).toBe('member2/configmaps/fresh\n');
  expect((await system.run(['get', 'cm', 'held', '-o', 'name'])).out).toBe('member1/configmaps/held\n');
  expect(
    (await system.run(['apply', '-f', await system.file('one.yaml', configMap('fresh')), '-C', 'member2'])).err,
  ).toBe('');
  for (const object of [everything, configMap('fresh'), configMap('held')]) await system.delete(refOf(object));
});

test('a cluster-scoped object is not looked for in a namespace', async () => {
  for (const args of [
    ['describe', 'cluster/nobody'],
    ['label', 'cluster/nobody', 'a=b'],
    ['taint', 'nobody', 'a:NoSchedule'],
  ]) {
    const { code, err } = await system.run(args);
    expect([code, err]).toEqual([
      1,
      'sluice: there is no Cluster/nobody: `kubectl get cluster` lists the existing ones\n',
    ]);
  }
});

test('kinds are listed with the words for them', async () => {
  const { out } = await system.run(['api-resources']);
  const line = out.split('\n').find((text) => text.startsWith('deployments '));
  expect(line?.split(/ +/)).toEqual(['deployments', 'deploy', 'apps/v1', 'true', 'Deployment', 'yes']);
  expect((await system.run(['api-resources', '-o', 'name'])).out).toContain('\ndeployments.apps\n');
  const kinds = JSON.parse((await system.run(['api-resources', '-o', 'json'])).out) as unknown;
  expect(faultsOf(kinds, schemas['api-resources'] ?? {})).toEqual([]);
});

test('faults of a simulated member carry apiVersion and kind for programs', async () => {
  const { out } = await system.run(['sim', 'member1', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({ apiVersion: 'sluice.dev/v1', kind: 'Faults', member: 'member1' });
  expect(faultsOf(JSON.parse(out), schemas['faults'] ?? {})).toEqual([]);
});

test('$KUBECONFIG wins over the hub of the folder, and the program says so where they differ', async () => {
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'sluice-cli-'));
  const kubeconfig = path.join(elsewhere, '.sluice', 'kubeconfig');
  await writeKubeconfig(kubeconfig, [{ ...system.site.context('sluice'), server: 'https://127.0.0.1:1' }]);
  const environment = { KUBECONFIG: system.kubeconfig };
  const args = ['get', 'cm', 'own', '-o', 'name'];
  const { out, err } = await system.run(args, { directory: elsewhere, environment });
  expect(out).toBe('member2/configmaps/own\n');
  expect(err).toBe(
    `note: using the hub ${system.site.url} of ${system.kubeconfig}; ./.sluice/kubeconfig names https://127.0.0.1:1\n`,
  );
  expect((await system.run(args, { environment })).err).toBe('');
  await rm(elsewhere, { recursive: true });
});

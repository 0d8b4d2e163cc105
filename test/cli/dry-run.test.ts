import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterApi } from '../../src/api/index.ts';
import type { Cluster, KubeObject } from '../../src/api/index.ts';
import { writeKubeconfig } from '../../src/auth/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
let newcomer: SimulatedMember;
beforeAll(async () => {
  system = await openSystem({ members: ['member1'] });
  newcomer = await startSimulated({ name: 'newcomer', dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  await writeKubeconfig(`${system.folder}/newcomer.yaml`, [newcomer.context()]);
}, 60_000);
afterAll(async () => {
  await newcomer.close();
  await system.close();
});

const clusterRef = (name: string) => ({ apiVersion: clusterApi, kind: 'Cluster', name });
const specOf = async (name: string) => (await system.user.get<Cluster>(clusterRef(name))).spec;
const golden = (name: string): string => `../golden/cli/${name}.txt`;
const join = ['join', 'newcomer', '--cluster-kubeconfig', 'newcomer.yaml'];

test.each([
  [['cordon', 'member1'], 'member1 cluster cordoned (dry run)\n'],
  [['uncordon', 'member1'], 'member1 cluster already uncordoned (dry run)\n'],
  [['taint', 'member1', 'a=b:NoSchedule'], 'member1 cluster tainted (dry run)\n'],
  [['label', 'cluster/member1', 'a=b'], 'Cluster/member1 labeled (dry run)\n'],
  [['annotate', 'cluster/member1', 'a=b'], 'Cluster/member1 annotated (dry run)\n'],
])('%j with --dry-run tells, and writes nothing', async (args, out) => {
  const before = await system.user.get(clusterRef('member1'));
  expect(await system.run([...args, '--dry-run'])).toEqual({ code: 0, out, err: '' });
  expect(await system.user.get(clusterRef('member1'))).toEqual(before);
});

test('the hub judges, and programs read what would be written', async () => {
  const refused = await system.run(['taint', 'member1', 'a b:NoSchedule', '--dry-run']);
  expect(refused).toMatchObject({ code: 1, out: '' });
  const { out } = await system.run(['cordon', 'member1', '--dry-run', '-o', 'json']);
  expect((JSON.parse(out) as Cluster).spec.taints).toEqual([
    { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' },
  ]);
  expect(await specOf('member1')).not.toHaveProperty('taints');
});

test('joining is told step by step, in the cluster and on the hub, and writes nothing', async () => {
  const { code, out, err } = await system.run([...join, '--region', 'north', '--dry-run']);
  expect([code, err]).toEqual([0, '']);
  await expect(out).toMatchFileSnapshot(golden('join-dry-run'));
  expect(await system.user.find(clusterRef('newcomer'))).toBeUndefined();
  const twin = await system.run([...join, '--dry-run', '-o', 'json']);
  expect(JSON.parse(twin.out)).toMatchObject({ kind: 'Cluster', spec: { apiEndpoint: newcomer.url } });
  const known = ['--cluster-kubeconfig', '.sluice/kubeconfig', '--cluster-context', 'member1'];
  expect(await system.run(['join', 'again', ...known, '--dry-run'])).toMatchObject({
    code: 1,
    err: 'sluice: this cluster is joined already, as member1: unjoin that member first\n',
  });
});

test('joining again changes nothing, and leaving is told step by step', async () => {
  expect(await system.run(join)).toMatchObject({ code: 0 });
  const kept = policy('kept', { to: 'newcomer', select: [configMaps({ name: 'kept' })] }) as KubeObject & {
    readonly spec: object;
  };
  await system.apply(
    policy('gone', { to: 'newcomer', select: [configMaps({ name: 'gone' })] }),
    { ...kept, spec: { ...kept.spec, preserveResourcesOnDeletion: true } } as KubeObject,
    configMap('gone'),
    configMap('kept'),
  );
  const again = await system.run([...join, '--dry-run']);
  expect(again.out.split('\n').filter((line) => !line.includes(' unchanged '))).toEqual([
    'on the hub: Secret/karmada-cluster/newcomer configured (dry run)', // the tokens are renewed
    'on the hub: Secret/karmada-cluster/newcomer-impersonator configured (dry run)',
    'cluster newcomer would be joined (dry run)',
    '',
  ]);
  const before = await system.user.get(clusterRef('newcomer'));
  const { code, out, err } = await system.run(['unjoin', 'newcomer', '--dry-run']);
  expect([code, err]).toEqual([0, '']);
  await expect(out).toMatchFileSnapshot(golden('unjoin-dry-run'));
  await system.settle();
  expect(await system.user.get(clusterRef('newcomer'))).toEqual(before);

  await newcomer.setFaults({ down: true });
  const blind = await system.run(['unjoin', 'newcomer', '--dry-run']);
  expect(blind.out).toContain('in newcomer: not checked: ');
  await newcomer.reset();
});

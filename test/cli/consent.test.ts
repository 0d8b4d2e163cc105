/** Commands that take something away from a member show their plan and ask, and need --yes where nobody can be asked. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeKubeconfig } from '../../src/auth/index.ts';
import { clusterApi, refOf } from '../../src/api/index.ts';
import type { Cluster, KubeObject, Ref } from '../../src/api/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
let extra: SimulatedMember;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'], gates: { Failover: true } });
  extra = await startSimulated({ name: 'extra', dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  await writeKubeconfig(`${system.folder}/extra.yaml`, [extra.context()]);
}, 60_000);
afterAll(async () => {
  await extra.close();
  await system.close();
});

const clusterRef = (name: string): Ref => ({ apiVersion: clusterApi, kind: 'Cluster', name });
const placesOf = async (name: string): Promise<string> => {
  await system.settle();
  return (await system.run(['get', 'cm', name, '-o', 'name', '--ignore-not-found'])).out;
};
const only = (name: string, to: string): KubeObject => policy(name, { to, select: [configMaps({ name })] });

/** Runs a dangerous command in every way in which it must not act, then with consent. */
async function asked(
  args: readonly string[],
  { loss, isUnchanged }: { loss: RegExp; isUnchanged: () => Promise<void> },
) {
  const dry = await system.run([...args, '--dry-run']);
  expect([dry.code, dry.err]).toEqual([0, '']);
  expect(dry.out).toContain('delete');
  await isUnchanged();
  const mute = await system.run(args);
  expect([mute.code, mute.out]).toEqual([2, '']);
  expect(mute.err).toMatch(loss);
  expect(mute.err).toContain(': agree with --yes, or see the plan with --dry-run\n');
  await isUnchanged();
  const refused = await system.run(args, { answer: 'n' });
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toMatch(/\? .*\[y\/N\] sluice: nothing was changed\n$/s);
  await isUnchanged();
  const agreed = await system.run(args, { answer: 'y' });
  expect(agreed.code).toBe(0);
  await system.settle();
}

test('apply asks before it moves an object, and writes nothing before the answer', async () => {
  const file = await system.file('moved.yaml', configMap('moved'));
  expect(await system.run(['apply', '-f', file, '-C', 'member1'])).toMatchObject({ code: 0, err: '' });
  expect(await placesOf('moved')).toBe('member1/configmaps/moved\n');
  const before = await system.user.listAll({ apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' });
  await asked(['apply', '-f', file, '-C', 'member2'], {
    loss: /this deletes 1 object in member1/,
    isUnchanged: async () => {
      expect(await placesOf('moved')).toBe('member1/configmaps/moved\n');
      const now = await system.user.listAll({ apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' });
      expect(now.items).toEqual(before.items);
    },
  });
  expect(await placesOf('moved')).toBe('member2/configmaps/moved\n');
  expect(await system.run(['apply', '-f', file, '-C', 'member1', '--yes'])).toMatchObject({ code: 0, err: '' });
  expect(await placesOf('moved')).toBe('member1/configmaps/moved\n');
});

test('a dry run accepts an object whose namespace comes with it, and says what was not validated', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } };
  const file = await system.file('fresh.yaml', namespace, configMap('inside', { namespace: 'fresh' }));
  const { code, out, err } = await system.run(['apply', '-f', file, '--dry-run']);
  expect([code, err]).toEqual([
    0,
    'note: not validated: ConfigMap/fresh/inside: namespace "fresh" does not exist yet\n',
  ]);
  expect(out).toMatch(/^Namespace\/fresh created \(dry run\)\nConfigMap\/fresh\/inside created \(dry run\)\nEFFECT/);
  const alone = await system.file('alone.yaml', configMap('inside', { namespace: 'fresh' }));
  expect(await system.run(['apply', '-f', alone, '--dry-run'])).toMatchObject({ code: 1 });
});

test('a taint asks before it evicts; one that evicts nothing does not', async () => {
  const placement = { spreadConstraints: [{ spreadByField: 'cluster', maxGroups: 1, minGroups: 1 }] } as const;
  await system.apply(policy('evicted', { to: {}, placement, select: [configMaps({ name: 'evicted' })] }));
  await system.apply(configMap('evicted'));
  expect(await placesOf('evicted')).toBe('member1/configmaps/evicted\n');
  expect(await system.run(['taint', 'member1', 'night:NoSchedule'])).toMatchObject({ code: 0, err: '' });
  expect(await system.run(['cordon', 'member1'])).toMatchObject({ code: 0, err: '' });
  expect(await system.run(['uncordon', 'member1'])).toMatchObject({ code: 0, err: '' });
  const taints = async () => (await system.user.get<Cluster>(clusterRef('member1'))).spec.taints ?? [];
  await asked(['taint', 'member1', 'fire:NoExecute'], {
    loss: /this deletes \d objects? in member1/,
    isUnchanged: async () => expect(await taints()).toHaveLength(1),
  });
  expect(await taints()).toHaveLength(2);
  expect(await placesOf('evicted')).toBe('member2/configmaps/evicted\n');
  await system.run(['taint', 'member1', 'fire-', 'night-', '--yes']);
  await system.delete(refOf(configMap('evicted')));
});

test('a label asks before policies that select by it remove something', async () => {
  await system.run(['label', 'cluster/member2', 'tier=edge']);
  const byLabel = policy('labelled', {
    to: { labelSelector: { matchLabels: { tier: 'edge' } } },
    select: [configMaps({ name: 'labelled' })],
  });
  await system.apply(byLabel, configMap('labelled'));
  expect(await placesOf('labelled')).toBe('member2/configmaps/labelled\n');
  // A copy is removed only while another member is selected.
  await system.run(['label', 'cluster/member1', 'tier=edge']);
  await system.settle();
  await asked(['label', 'cluster/member2', 'tier-'], {
    loss: /this deletes 1 object in member2/,
    isUnchanged: async () =>
      expect((await system.user.get(clusterRef('member2'))).metadata.labels).toMatchObject({ tier: 'edge' }),
  });
});

test('resume asks before it sends a deletion that waited for the end of the suspension', async () => {
  await system.apply(only('paused', 'member1'), configMap('paused'));
  await system.run(['suspend', 'policy/paused']);
  await system.settle();
  const suspended = await system.user.get(refOf(only('paused', 'member1')));
  const { spec } = suspended as KubeObject & { readonly spec: object };
  await system.apply({
    ...suspended,
    spec: { ...spec, placement: { clusterAffinity: { clusterNames: ['member2'] } } },
  } as KubeObject);
  expect(await placesOf('paused')).toBe('member1/configmaps/paused\n');
  await asked(['resume', 'policy/paused'], {
    loss: /this deletes 1 object in member1/,
    isUnchanged: async () => expect(await placesOf('paused')).toBe('member1/configmaps/paused\n'),
  });
  expect(await placesOf('paused')).toBe('member2/configmaps/paused\n');
});

test('unjoin shows its plan and asks, also where the member has nothing', async () => {
  await system.run(['join', 'extra', '--cluster-kubeconfig', 'extra.yaml']);
  const empty = await system.run(['unjoin', 'extra']);
  expect([empty.code, empty.out]).toEqual([2, '']);
  expect(empty.err).toContain('this removes the member extra: agree with --yes');
  await system.apply(only('lost', 'extra'), configMap('lost'));
  await asked(['unjoin', 'extra'], {
    loss: /this deletes 1 object in extra/,
    isUnchanged: async () => {
      expect((await system.user.get(clusterRef('extra'))).metadata.deletionTimestamp).toBeUndefined();
      expect(await placesOf('lost')).toBe('extra/configmaps/lost\n');
    },
  });
  expect(await system.user.find(clusterRef('extra'))).toBeUndefined();
});

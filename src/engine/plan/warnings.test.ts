import { expect, test } from 'vitest';
import { refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import { clusterRole, deployment, deployments, memberCluster, policy, rollout } from '../../../test/kit/objects.ts';
import { plan } from './plan.ts';
import type { ProposedChange } from './change.ts';

const apps = Array.from({ length: 12 }, (_, i) => deployment(`app${i}`));

/** The warnings of a change to a settled world of these objects: `object because: message`. */
async function warned(objects: readonly KubeObject[], change: ProposedChange): Promise<readonly string[]> {
  const stage = await modelStage({ members: ['member1', 'member2'] });
  for (const object of objects) stage.applyNow(object);
  await stage.settle();
  const found = [plan(stage.world, change), plan(stage.world, change, { isOneByOne: true })];
  const [quick, slow] = found.map(({ warnings }) =>
    warnings.map(({ object, because, message }) => `${object} ${because}: ${message}`),
  );
  expect(quick).toEqual(slow);
  return quick ?? [];
}

const own = policy('web', { to: 'member1' });
const released = 'lose their policy: running copies stay, later edits reach no member';

test('deleting a policy says how many templates lose it', async () => {
  expect(await warned([own, ...apps], { delete: [refOf(own)] })).toEqual([
    `PropagationPolicy/default/web TemplatesReleased: 12 templates ${released}`,
  ]);
});

test('a policy that no longer selects templates says how many lose it', async () => {
  const edited = policy('web', { to: 'member1', exclude: [{ name: 'app1' }] });
  expect(await warned([own, ...apps], { apply: [edited] })).toEqual([
    'PropagationPolicy/default/web TemplatesReleased: 1 template loses its policy: running copies stay, later edits reach no member',
  ]);
});

test('templates that another policy takes lose nothing', async () => {
  const other = policy('all', { scope: 'cluster', to: 'member1', select: [deployments()] });
  expect(await warned([other, own, ...apps], { delete: [refOf(own)] })).toEqual([]);
});

test('static policies: a released template that another policy selects is taken by it at its next edit', async () => {
  const stage = await modelStage({ gates: { StaticPolicy: true } });
  const other = policy('zz', { to: 'member1' });
  for (const object of [own, ...apps, other]) {
    stage.applyNow(object);
    await stage.settle();
  }
  expect(plan(stage.world, { delete: [refOf(own)] }).warnings).toEqual([]);
});

test.each<[string, KubeObject, readonly string[]]>([
  [
    'a cluster name',
    policy('web', { to: ['member1', 'member9'] }),
    ['cluster member9 does not exist; there are member1, member2'],
  ],
  [
    'an excluded name',
    policy('web', { placement: { clusterAffinity: { exclude: ['member7'] } } }),
    ['cluster member7 does not exist; there are member1, member2'],
  ],
  [
    'a label',
    policy('web', { placement: { clusterAffinity: { labelSelector: { matchLabels: { zone: 'z9' } } } } }),
    ['no cluster has the label zone=z9'],
  ],
  [
    'a label expression',
    policy('web', {
      placement: {
        clusterAffinity: {
          labelSelector: {
            matchExpressions: [
              { key: 'tier', operator: 'In', values: ['a', 'b'] },
              { key: 'gpu', operator: 'Exists' },
              { key: 'old', operator: 'DoesNotExist' },
            ],
          },
        },
      },
    }),
    ['no cluster has the label tier=a|b', 'no cluster has the label gpu'],
  ],
  [
    'a field',
    policy('web', {
      placement: {
        clusterAffinity: { fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] } },
      },
    }),
    ['no cluster has the region eu'],
  ],
  [
    'a suspended cluster',
    policy('web', { to: 'member1', suspend: { dispatchingOnClusters: { clusterNames: ['memberl'] } } }),
    ['cluster memberl does not exist; there are member1, member2'],
  ],
  [
    'a suspended cluster of a rollout policy',
    rollout('stop', { dispatchingOnClusters: { clusterNames: ['memberl'] } }),
    ['cluster memberl does not exist; there are member1, member2'],
  ],
])('%s that no cluster has is named', async (_, object, messages) => {
  const found = await warned([own, ...apps], { apply: [object] });
  expect(found.map((line) => line.slice(line.indexOf(': ') + 2))).toEqual(messages);
  expect(found.every((line) => line.includes(' ClustersMissing: '))).toBe(true);
});

test('a cluster that comes with the change exists', async () => {
  const edited = policy('web', { to: ['member1', 'member9'] });
  expect(await warned([own, ...apps], { apply: [edited, memberCluster('member9')] })).toEqual([]);
});

test('a policy that selects nothing says so', async () => {
  const idle = policy('idle', { to: 'member1', select: [deployments({ name: 'nobody' })] });
  expect(await warned([own, ...apps], { apply: [idle] })).toEqual([
    'PropagationPolicy/default/idle SelectsNothing: it selects no template',
  ]);
});

test('a policy that wins nothing says which policies manage what it selects', async () => {
  const low = policy('low', { scope: 'cluster', to: 'member2', select: [deployments()] });
  expect(await warned([own, ...apps], { apply: [low] })).toEqual([
    'ClusterPropagationPolicy/low WinsNothing: it selects 12 templates and manages none: PropagationPolicy/default/web manages 12',
  ]);
});

test('a policy that is refused has errors and no warnings', async () => {
  const stage = await modelStage({});
  const { errors, warnings } = plan(stage.world, { apply: [policy('web', { select: [] }), clusterRole('admin')] });
  expect(errors).not.toEqual([]);
  expect(warnings).toEqual([]);
});

test('a policy that asks for immediate moves says how many workloads move without overlap', async () => {
  const wanted = policy('web', { to: 'member2' });
  const immediate = { ...wanted, metadata: { ...wanted.metadata, annotations: { 'sluice.dev/move': 'immediate' } } };
  expect(await warned([own, ...apps], { apply: [immediate] })).toEqual([
    'PropagationPolicy/default/web MoveWithoutOverlap: 12 workloads move without overlap (sluice.dev/move: immediate): old copies are deleted before the new ones are healthy',
  ]);
});

test('deleting a Cluster that is not ready says how many objects stay in the member', async () => {
  const down = { type: 'Ready', status: 'False', reason: 'x', message: '', lastTransitionTime: '2026-01-01T01:00:00Z' };
  const stage = await modelStage({ members: ['member1', 'member2'] });
  for (const object of [policy('web', { to: ['member1', 'member2'] }), ...apps]) stage.applyNow(object);
  await stage.settle();
  const ref = refOf(memberCluster('member2'));
  const leaving = { delete: [ref] };
  expect(plan(stage.world, leaving)).toMatchObject({ warnings: [], totals: { delete: 12 } });
  await stage.writeStatus(ref, { ...memberCluster('member2').status, conditions: [down] });
  await stage.settle();
  expect(plan(stage.world, leaving)).toMatchObject({
    effects: [],
    warnings: [
      {
        object: 'Cluster/member2',
        because: 'ClusterNotReady',
        message: '12 objects stay in member2, which is not ready, and nothing manages them any more',
      },
    ],
  });
  await stage.delete(ref);
  await stage.settle();
  for (const app of apps) expect(await stage.inMember('member2', refOf(app))).toBeDefined();
});

import { describe, expect as check, test } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { Cluster, KubeObject } from '../../src/api/index.ts';
import { emptyWorld, explain, run } from '../../src/engine/index.ts';
import { clusterRole, memberCluster, policy } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const select = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];
const bindings = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ClusterResourceBinding' };

for (const [first, second] of [
  [clusterRole('team:reader'), clusterRole('team.reader')],
  [clusterRole('Reader'), clusterRole('reader')],
  [clusterRole('reader'), clusterRole('Reader')],
] as const) {
  scenario(
    `${first.metadata.name} and ${second.metadata.name} would share a binding: both are placed, and each leaves alone`,
    async ({ admin, user, policy: rule, expect, stage }) => {
      await admin.creates(rule('roles', { to: 'member1', select }));
      await user.creates(first, second);
      await expect(first).runsOn('member1');
      await expect(second).runsOn('member1');
      const plain = `${first.metadata.name.replace(':', '.').toLowerCase()}-clusterrole`;
      check((await stage.get({ ...bindings, name: plain }))?.metadata.ownerReferences?.[0]).toMatchObject({
        name: first.metadata.name,
      });
      await admin.updates(rule('roles', { to: 'member2', select }));
      await expect(first).runsOn('member2');
      await expect(second).runsOn('member2');
      await user.deletes(first);
      await expect(first).runsNowhere();
      await expect(second).runsOn('member2');
      await user.touches(second);
      await user.deletes(second);
      await expect(second).runsNowhere();
    },
    { scopes: ['cluster'], burst: false },
  );
}

for (const [what, name] of [
  ['as long as a name can be', 'r'.repeat(253)],
  ['of other letters', 'Größe_1'],
] as const) {
  scenario(
    `A template with a name ${what} is placed`,
    async ({ admin, user, policy: rule, expect }) => {
      await admin.creates(rule('roles', { to: 'member1', select }));
      await user.creates(clusterRole(name));
      await expect(clusterRole(name)).runsOn('member1');
      await user.deletes(clusterRole(name));
      await expect(clusterRole(name)).runsNowhere();
    },
    { scopes: ['cluster'] },
  );
}

describe('one kind in two groups', () => {
  const template = (apiVersion: string): KubeObject => ({
    apiVersion,
    kind: 'Gate',
    metadata: { name: 'main', namespace: 'default' },
  });
  const [one, other] = [template('one.example/v1'), template('other.example/v1')];
  const member: Cluster = {
    ...memberCluster('member1'),
    status: {
      ...memberCluster('member1').status,
      apiEnablements: ['one.example/v1', 'other.example/v1'].map((groupVersion) => ({
        groupVersion,
        resources: [{ name: 'gates', kind: 'Gate' }],
      })),
    },
  };

  test('both are placed, and explain calls neither of their policies lazy', () => {
    const world = emptyWorld();
    const rule = policy('gates', {
      to: 'member1',
      select: [one, other].map(({ apiVersion, kind }) => ({ apiVersion, kind })),
    });
    const labels = { 'propagationpolicy.karmada.io/permanent-id': 'id' };
    const objects = [member, { ...rule, metadata: { ...rule.metadata, labels } }, one, other];
    for (const object of objects) {
      world.write({ verb: 'create', object });
      run(world);
    }
    for (const gate of [one, other]) {
      check(world.inMember('member1', keyOf(refOf(gate)))).toBeDefined();
      check(explain(world, refOf(gate))?.candidates).toMatchObject([{ outcome: 'holds', because: 'Manages' }]);
    }
  });
});

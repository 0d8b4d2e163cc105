import { describe, expect as check } from 'vitest';
import { deployment, deployments, policy as anyPolicy } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const inNamespace = (namespace: string): ReturnType<typeof deployment> => deployment('web', { namespace });
const cluster = { scope: 'cluster' } as const;
const everywhere = anyPolicy('default-cpp', { ...cluster, to: ['member1', 'member2'] });

describe('Proposal 1: batch policy change with namespace patterns', () => {
  const taking = (namespace: string): ReturnType<typeof anyPolicy> =>
    anyPolicy('custom-cpp', {
      ...cluster,
      to: 'member3',
      priority: 3,
      preemption: 'Always',
      select: [deployments({ namespace })],
    });

  const batch = (name: string, pattern: string, [taken, left]: readonly [readonly string[], readonly string[]]): void =>
    scenario(
      name,
      async ({ admin, user, expect }) => {
        await admin.creates(everywhere);
        await user.creates(...[...taken, ...left].map(inNamespace));
        await admin.creates(taking(pattern));
        for (const namespace of taken) {
          await expect(inNamespace(namespace)).runsOn('member3');
          await expect(inNamespace(namespace)).isManagedBy('custom-cpp');
        }
        for (const namespace of left) await expect(inNamespace(namespace)).runsOn('member1', 'member2');
      },
      { scopes: ['cluster'] },
    );

  batch('user1-*: every namespace with the prefix', 'user1-*', [
    ['user1-a', 'user1-b'],
    ['user2-a', 'user1', 'xuser1-a'],
  ]);
  batch('user1*: the prefix itself counts', 'user1*', [
    ['user1', 'user1-a', 'user10'],
    ['user2', 'auser1'],
  ]);
  batch('namespace1,namespace2,namespace3: a list', 'namespace1,namespace2,namespace3', [
    ['namespace1', 'namespace2', 'namespace3'],
    ['namespace4', 'namespace12'],
  ]);
  batch('a mixed list of names and prefixes', 'shop,user1-*,user2-*', [
    ['shop', 'user1-a', 'user2-b'],
    ['shop2', 'user3-a'],
  ]);

  scenario(
    'future templates match too',
    async ({ admin, user, expect }) => {
      await admin.creates(everywhere, taking('user1-*'));
      await user.creates(inNamespace('user1-new'), inNamespace('other'));
      await expect(inNamespace('user1-new')).runsOn('member3');
      await expect(inNamespace('other')).runsOn('member1', 'member2');
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'a namespaced policy takes all of its kind in its namespace, from any cluster policy',
    async ({ admin, user, expect }) => {
      await admin.creates(anyPolicy('default-cpp', { ...cluster, to: 'member1', priority: 100 }));
      await user.creates(deployment('one'), deployment('two'), inNamespace('other'));
      await admin.creates(anyPolicy('mine', { to: 'member2', preemption: 'Always', select: [deployments()] }));
      await expect(deployment('one')).runsOn('member2');
      await expect(deployment('two')).runsOn('member2');
      await expect(inNamespace('other')).runsOn('member1');
    },
    { scopes: ['namespace'] },
  );

  scenario(
    'a cluster policy never takes from a namespaced one',
    async ({ admin, user, expect, unchanged }) => {
      await admin.creates(anyPolicy('mine', { to: 'member1' }));
      await user.creates(nginx);
      await unchanged(() =>
        admin.creates(
          anyPolicy('greedy', {
            ...cluster,
            to: 'member2',
            priority: 1000,
            preemption: 'Always',
            select: [deployments({ namespace: 'default' })],
          }),
        ),
      );
      await expect(nginx).isManagedBy('mine');
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'a policy takes from one of lower priority, and gives back when it goes',
    async ({ admin, user, policy, expect }) => {
      const select = [deployments({ namespace: 'default' })];
      await admin.creates(policy('low', { to: 'member1', priority: 1, select }));
      await user.creates(nginx);
      await admin.creates(policy('high', { to: 'member2', priority: 2, preemption: 'Always', select }));
      await expect(nginx).runsOn('member2');
      await admin.deletes(policy('high'));
      await expect(nginx).runsOn('member1');
      await expect(nginx).isManagedBy('low');
    },
  );

  const quiet = (name: string, challenger: Parameters<typeof anyPolicy>[1], gates: object = {}): void =>
    scenario(
      name,
      async ({ admin, user, policy, expect, unchanged }) => {
        const select = [deployments({ namespace: 'default' })];
        await admin.creates(policy('holder', { to: 'member1', priority: 5, select }));
        await user.creates(nginx);
        await unchanged(() => admin.creates(policy('challenger', { to: 'member2', select, ...challenger })));
        await expect(nginx).isManagedBy('holder');
        await unchanged(() =>
          admin.updates(policy('holder', { to: 'member1', priority: 5, select, propagateDeps: true })),
        );
      },
      { gates, burst: false },
    );

  quiet('equal priority does not preempt', { priority: 5, preemption: 'Always' });
  quiet('lower priority does not preempt', { priority: 4, preemption: 'Always' });
  quiet('preemption: Never takes nothing, whatever its priority', { priority: 500, preemption: 'Never' });
  quiet(
    'gate off: nothing is preempted',
    { priority: 500, preemption: 'Always' },
    { PropagationPolicyPreemption: false },
  );
  quiet('precision alone does not preempt', {
    priority: 5,
    preemption: 'Always',
    select: [deployments({ namespace: 'default', name: 'nginx' })],
  });

  scenario(
    'the ladder: group1-* over the default, group1-1-* over group1-*',
    async ({ admin, user, expect }) => {
      const rung = (
        name: string,
        to: string,
        [priority, namespace]: readonly [number, string],
      ): ReturnType<typeof anyPolicy> =>
        anyPolicy(name, { ...cluster, to, priority, preemption: 'Always', select: [deployments({ namespace })] });
      await admin.creates(anyPolicy('default-cpp', { ...cluster, to: 'member1' }));
      await user.creates(...['group1-a', 'group1-1-a', 'group2-a'].map(inNamespace));
      await admin.creates(rung('group1-custom-cpp', 'member2', [1, 'group1-*']));
      await expect(inNamespace('group1-1-a')).runsOn('member2');
      await admin.creates(rung('group1-1-custom-cpp', 'member3', [2, 'group1-1-*']));
      await expect(inNamespace('group2-a')).runsOn('member1');
      await expect(inNamespace('group1-a')).runsOn('member2');
      await expect(inNamespace('group1-1-a')).runsOn('member3');
      await admin.deletes(rung('group1-1-custom-cpp', 'member3', [2, 'group1-1-*']));
      await expect(inNamespace('group1-1-a')).runsOn('member2');
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'a managing policy whose priority drops lets everyone at or below its old priority preempt',
    async ({ admin, user, policy, expect, unchanged }) => {
      const select = [deployments({ namespace: 'default' })];
      const edited = (priority: number): ReturnType<typeof policy> =>
        policy('holder', { to: 'member1', priority, select });
      await admin.creates(edited(10));
      await user.creates(nginx);
      await admin.creates(policy('never', { to: 'member3', priority: 7, select }));
      await admin.creates(policy('always', { to: 'member2', priority: 5, preemption: 'Always', select }));
      await admin.creates(policy('equal', { to: 'member4', priority: 10, preemption: 'Always', select }));
      await expect(nginx).runsOn('member1');
      await admin.updates(edited(9));
      await expect(nginx).isManagedBy('equal');
      await admin.deletes(policy('equal'));
      await expect(nginx).isManagedBy('holder');
      await unchanged(() => admin.updates(edited(6)));
      await admin.updates(edited(1));
      await expect(nginx).isManagedBy('always');
      await expect(nginx).runsOn('member2');
    },
    { burst: false },
  );

  scenario(
    'among many challengers the best takes it',
    async ({ admin, user, policy, expect }) => {
      const select = [deployments({ namespace: 'default' })];
      await admin.creates(policy('holder', { to: 'member1', select }));
      await user.creates(nginx);
      await admin.creates(policy('b', { to: 'member2', priority: 2, preemption: 'Always', select }));
      await admin.creates(policy('c', { to: 'member3', priority: 3, preemption: 'Always', select }));
      await admin.creates(policy('a', { to: 'member4', priority: 3, preemption: 'Always', select }));
      await expect(nginx).runsOn('member3');
    },
    { burst: false },
  );

  scenario(
    'patterns that are not prefix* or a list of names are refused, with their path',
    async ({ admin }) => {
      for (const namespace of ['*', '*-x', 'a*b', 'a**', 'a,', ',a', 'a, b', 'a b', 'Upper', '-a*', 'a,*']) {
        check(await admin.failsToCreate(taking(namespace)), namespace).toContain('spec.resourceSelectors[0].namespace');
      }
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'preemption with neither name nor namespace is refused',
    async ({ admin }) => {
      const paths = await admin.failsToCreate(
        anyPolicy('all', { ...cluster, to: 'member1', preemption: 'Always', select: [deployments()] }),
      );
      check(paths.some((path) => path.startsWith('spec.resourceSelectors[0]'))).toBe(true);
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'the earlier shapes of the proposal are refused by name',
    async ({ admin }) => {
      const exclude = { ...deployments({ namespace: 'a' }), exclude: { namespace: 'user1-*' } };
      check(await admin.failsToCreate(anyPolicy('one', { ...cluster, to: 'member1', select: [exclude] }))).toContain(
        'spec.resourceSelectors[0].exclude',
      );
      const two = anyPolicy('two', { ...cluster, to: 'member1' });
      const paths = await admin.failsToCreate({
        ...two,
        spec: { ...two.spec, excludeResourceSelectors: [{ kind: 'Deployment' }] },
      } as typeof two);
      check(paths).toContain('spec.excludeResourceSelectors');
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'a namespaced policy keeps to its own namespace',
    async ({ admin }) => {
      for (const namespace of ['other', 'default,other', 'def*']) {
        check(
          await admin.failsToCreate(anyPolicy('mine', { to: 'member1', select: [deployments({ namespace })] })),
        ).toContain('spec.resourceSelectors[0].namespace');
      }
    },
    { scopes: ['namespace'] },
  );
});

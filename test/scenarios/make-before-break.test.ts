import { describe, expect as check } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Binding, KubeObject, Policy } from '../../src/api/index.ts';
import { configMap, configMaps, deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

/** No replica of it becomes ready by itself: each scenario says when. */
const web = deployment('web', { replicas: 2, outcome: 'NeverReady' });
const image = (name: string): KubeObject => deployment('web', { replicas: 2, outcome: 'NeverReady', image: name });

/** Readiness in a member is set between the steps. */
const stepwise = { burst: false } as const;

/** The workload runs on member1 and is ready there. */
async function running({ admin, user, policy }: Cast): Promise<void> {
  await admin.creates(policy('pp', { to: 'member1' }));
  await user.creates(web);
  await admin.readies('member1', web, 2);
}

/** The clusters that keep an old copy for now, as the binding says. */
const keeps =
  (...clusters: readonly string[]) =>
  (binding: Binding | undefined) => {
    const tasks = binding?.spec.gracefulEvictionTasks ?? [];
    check(tasks.map(({ fromCluster, reason }) => `${fromCluster} ${reason}`)).toEqual(
      clusters.map((name) => `${name} PlacementChanged`),
    );
  };

const isManaged = (object: KubeObject | undefined): boolean =>
  object?.metadata.labels?.['karmada.io/managed'] === 'true';

function immediate(policy: Policy): Policy {
  return { ...policy, metadata: { ...policy.metadata, annotations: { 'sluice.dev/move': 'immediate' } } };
}

describe('A move is not an outage', () => {
  scenario(
    'the old copy stays until the new one is ready, and then goes',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await expect(web).runsOn('member1', 'member2');
      await expect(web).binding(keeps('member1'));
      await admin.readies('member2', web, 1);
      await expect(web).runsOn('member1', 'member2');
      await expect(web).binding(keeps('member1'));
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member2');
      await expect(web).binding(keeps());
    },
    stepwise,
  );

  scenario(
    'the old copy stays for every copy that is wanted now',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: ['member2', 'member3'] }));
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member1', 'member2', 'member3');
      await admin.readies('member3', web, 2);
      await expect(web).runsOn('member2', 'member3');
    },
    stepwise,
  );

  scenario(
    'a member that is left for one with a broken copy keeps its own',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: ['member1', 'member2'] }));
      await admin.updates(policy('pp', { to: 'member2' }));
      await expect(web).runsOn('member1', 'member2');
    },
    stepwise,
  );

  scenario(
    'moving back half-way uses the old copy again',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect, stage } = cast;
      const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
      const before = await stage.inMember('member1', ref);
      await admin.updates(policy('pp', { to: 'member2' }));
      await admin.updates(policy('pp', { to: 'member1' }));
      await expect(web).runsOn('member1');
      const after = await stage.inMember('member1', ref);
      check(after?.metadata).toMatchObject({
        uid: before?.metadata.uid,
        generation: before?.metadata.generation,
      });
    },
    stepwise,
  );

  scenario(
    'moving on half-way keeps the copy that is ready, and then all others go',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await admin.updates(policy('pp', { to: 'member3' }));
      await expect(web).runsOn('member1', 'member2', 'member3');
      await admin.readies('member3', web, 2);
      await expect(web).runsOn('member3');
    },
    stepwise,
  );

  scenario(
    'a copy that leaves keeps its content',
    async (cast) => {
      await running(cast);
      const { admin, user, policy, expect } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await user.updates(image('nginx:2'));
      await expect(web).runsImage({ member1: 'nginx:1.25', member2: 'nginx:2' });
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'after ten minutes the old copy stays, and the binding says so',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await admin.waits(500);
      await expect(web).binding((binding) =>
        check(binding?.status?.conditions?.map(({ type }) => type)).not.toContain('Moving'),
      );
      await admin.waits(200);
      await expect(web).runsOn('member1', 'member2');
      await expect(web).binding((binding) =>
        check(binding?.status?.conditions).toContainEqual(
          check.objectContaining({
            type: 'Moving',
            status: 'True',
            reason: 'MoveOverdue',
            message: 'waits for member2, member1 kept',
          }),
        ),
      );
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member2');
      await expect(web).binding((binding) =>
        check(binding?.status?.conditions).toContainEqual(
          check.objectContaining({ type: 'Moving', status: 'False', reason: 'MoveDone' }),
        ),
      );
    },
    stepwise,
  );

  scenario(
    'a placement that no cluster fits takes nothing away',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect, unchanged } = cast;
      await unchanged(() => admin.updates(policy('pp', { to: 'member9' })));
      await expect(web).binding(keeps('member1'));
      await admin.updates(policy('pp', { to: 'member2' }));
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'a restart in the middle of a move writes nothing to members',
    async (cast) => {
      await running(cast);
      const { admin, policy, unchanged, restart } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await unchanged(restart);
    },
    stepwise,
  );

  scenario(
    'a suspension in the middle of a move keeps both copies, and the move ends after it',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await admin.updates(policy('pp', { to: 'member2', suspension: { dispatching: true } }));
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member1', 'member2');
      await expect(web).isSuspendedOn('member1', 'member2');
      await admin.updates(policy('pp', { to: 'member2' }));
      await expect(web).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'a suspension of the new member alone does not end the old copy',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      const suspension = { dispatchingOnClusters: { clusterNames: ['member2'] } };
      await admin.updates(policy('pp', { to: 'member2', suspension }));
      await expect(web).runsOn('member1');
      await admin.updates(policy('pp', { to: 'member2' }));
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'deleting the template in the middle of a move removes every copy',
    async (cast) => {
      await running(cast);
      const { admin, user, policy, expect } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await user.deletes(web);
      await expect(web).runsNowhere();
    },
    stepwise,
  );

  scenario(
    'with preserveResourcesOnDeletion the old copy stays after the move, and is not managed any more',
    async ({ admin, user, policy, expect, stage }) => {
      await admin.creates(policy('pp', { to: 'member1', preserveResourcesOnDeletion: true }));
      await user.creates(web);
      await admin.readies('member1', web, 2);
      await admin.updates(policy('pp', { to: 'member2', preserveResourcesOnDeletion: true }));
      await expect(web).binding(keeps('member1'));
      await admin.readies('member2', web, 2);
      await expect(web).binding(keeps());
      await expect(web).runsOn('member1', 'member2');
      check(isManaged(await stage.inMember('member1', refOf(web)))).toBe(false);
      check(isManaged(await stage.inMember('member2', refOf(web)))).toBe(true);
      await user.deletes(web);
      for (const member of ['member1', 'member2']) await admin.tampers(member, web, () => undefined);
    },
    stepwise,
  );

  scenario(
    'with preserveResourcesOnDeletion deleting the template in the middle of a move keeps both copies',
    async ({ admin, user, policy, expect, stage }) => {
      await admin.creates(policy('pp', { to: 'member1', preserveResourcesOnDeletion: true }));
      await user.creates(web);
      await admin.readies('member1', web, 2);
      await admin.updates(policy('pp', { to: 'member2', preserveResourcesOnDeletion: true }));
      await user.deletes(web);
      await expect(web).runsOn('member1', 'member2');
      for (const member of ['member1', 'member2']) {
        check(isManaged(await stage.inMember(member, refOf(web)))).toBe(false);
        await admin.tampers(member, web, () => undefined);
      }
    },
    stepwise,
  );

  scenario(
    'a policy may ask for immediate moves',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(immediate(policy('pp', { to: 'member2' })));
      await expect(web).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'asking for immediate moves ends one that is under way',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: 'member2' }));
      await expect(web).runsOn('member1', 'member2');
      await admin.updates(immediate(policy('pp', { to: 'member2' })));
      await expect(web).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'with the gate off moves are immediate',
    async (cast) => {
      await running(cast);
      await cast.admin.updates(cast.policy('pp', { to: 'member2' }));
      await cast.expect(web).runsOn('member2');
    },
    { ...stepwise, gates: { GracefulMove: false } },
  );
});

describe('The dependencies of a workload leave last', () => {
  const settings = configMap('settings');
  const mounting = deployment('web', { replicas: 2, outcome: 'NeverReady', configMaps: ['settings'] });

  scenario(
    'a dependency stays where an old copy of its workload does',
    async ({ admin, user, policy, expect }) => {
      const rule = (to: string): Policy => policy('pp', { to, select: [deployments()], propagateDeps: true });
      await admin.creates(rule('member1'));
      await user.creates(settings, mounting);
      await admin.readies('member1', mounting, 2);
      await admin.updates(rule('member2'));
      await expect(settings).runsOn('member1', 'member2');
      await admin.readies('member2', mounting, 2);
      await expect(settings).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'a dependency that is made again comes back to the old copy, too',
    async ({ admin, user, policy, expect }) => {
      const rule = (to: string): Policy => policy('pp', { to, select: [deployments()], propagateDeps: true });
      await admin.creates(rule('member1'));
      await user.creates(settings, mounting);
      await admin.readies('member1', mounting, 2);
      await admin.updates(rule('member2'));
      await user.deletes(settings);
      await expect(settings).runsOn();
      await user.creates(settings);
      await expect(settings).runsOn('member1', 'member2');
    },
    stepwise,
  );

  scenario(
    'an old copy gets no dependency that it never had',
    async ({ admin, user, policy, expect }) => {
      const rule = (to: string, propagateDeps: boolean): Policy =>
        policy('pp', { to, select: [deployments()], propagateDeps });
      await admin.creates(rule('member1', false));
      await user.creates(settings, mounting);
      await admin.readies('member1', mounting, 2);
      await admin.updates(rule('member2', true));
      await expect(mounting).runsOn('member1', 'member2');
      await expect(settings).runsOn('member2');
    },
    stepwise,
  );

  scenario(
    'a ConfigMap with a policy of its own stays until the workloads of its namespace have left',
    async ({ admin, user, policy, expect }) => {
      const rule = (to: string): Policy => policy('pp', { to, select: [deployments(), configMaps()] });
      await admin.creates(rule('member1'));
      await user.creates(settings, mounting);
      await admin.readies('member1', mounting, 2);
      await admin.updates(rule('member2'));
      await expect(settings).runsOn('member1', 'member2');
      await admin.readies('member2', mounting, 2);
      await expect(mounting).runsOn('member2');
      await expect(settings).runsOn('member2');
    },
    stepwise,
  );
});

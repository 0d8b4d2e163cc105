import { describe, expect as check } from 'vitest';
import type { KubeObject, Suspension } from '../../src/api/index.ts';
import { clusterRole, configMap, deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import { all, fresh, newer, nginx, old, on, paused, running, three } from '../kit/suspension.ts';
import { taint } from '../kit/taint.ts';

describe('Proposal 4: suspension of dispatching', () => {
  scenario(
    'suspend all: a change reaches no member',
    async (cast) => {
      await running(cast);
      const { admin, user, policy, expect, unchanged } = cast;
      await unchanged(() => admin.updates(policy('pp', { to: three, suspend: all })));
      await expect(nginx).isSuspendedOn(...three);
      await unchanged(() => user.updates(newer));
      await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
      await expect(nginx).work('member1', (work) =>
        check(work?.spec.workload.manifests[0]).toMatchObject({
          spec: { template: { spec: { containers: [{ image: fresh }] } } },
        }),
      );
    },
    paused,
  );

  scenario('resume: the latest reaches every member', async (cast) => {
    await running(cast);
    const { admin, user, policy, expect } = cast;
    await admin.updates(policy('pp', { to: three, suspend: all }));
    await user.updates(newer);
    await admin.updates(policy('pp', { to: three }));
    await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    await expect(nginx).isSuspendedOn();
  });

  scenario('an empty suspension resumes', async (cast) => {
    await running(cast);
    const { admin, user, policy, expect } = cast;
    await admin.updates(policy('pp', { to: three, suspend: all }));
    await user.updates(newer);
    await admin.updates(policy('pp', { to: three, suspension: {} }));
    await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
  });

  scenario('suspended from the start: nothing is created until resume', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: three, suspend: all }));
    await user.creates(nginx);
    await expect(nginx).runsNowhere();
    await expect(nginx).isSuspendedOn(...three);
    await expect(nginx).work('member1', (work) => {
      check(work?.spec.workload.manifests).toHaveLength(1);
      check(work?.status?.conditions?.map((condition) => condition.type)).toEqual(['Dispatching']);
    });
    await admin.updates(policy('pp', { to: three }));
    await expect(nginx).runsOn(...three);
  });

  scenario('the condition of a suspended Work is the proposal’s', async (cast) => {
    await running(cast);
    await cast.admin.updates(cast.policy('pp', { to: three, suspend: all }));
    await cast.expect(nginx).work('member1', (work) => {
      const condition = work?.status?.conditions?.find(({ type }) => type === 'Dispatching');
      check(condition).toMatchObject({
        status: 'True',
        reason: 'SuspendDispatching',
        message: 'Work dispatching is in a suspended state.',
      });
    });
  });

  scenario(
    'the gate KarmadaDispatchingCondition turns the condition round',
    async (cast) => {
      await running(cast);
      await cast.admin.updates(cast.policy('pp', { to: three, suspend: all }));
      await cast.expect(nginx).work('member1', (work) => {
        const condition = work?.status?.conditions?.find(({ type }) => type === 'Dispatching');
        check(condition).toMatchObject({ status: 'False', reason: 'SuspendDispatching' });
      });
    },
    { gates: { KarmadaDispatchingCondition: true } },
  );

  scenario('per cluster: the canary walk member1, member2, member3', async (cast) => {
    await running(cast);
    const { admin, user, policy, expect } = cast;
    await admin.updates(policy('pp', { to: three, suspend: on('member2', 'member3') }));
    await user.updates(newer);
    await expect(nginx).runsImage({ member1: fresh, member2: old, member3: old });
    await expect(nginx).isSuspendedOn('member2', 'member3');
    await admin.updates(policy('pp', { to: three, suspend: on('member3') }));
    await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: old });
    await admin.updates(policy('pp', { to: three }));
    await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
  });

  scenario('per cluster: the roll back protects member2 and member3', async (cast) => {
    await running(cast);
    const { admin, user, policy, expect } = cast;
    await admin.updates(policy('pp', { to: three, suspend: on('member2', 'member3') }));
    await user.updates(newer);
    await user.updates(nginx);
    await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
    await admin.updates(policy('pp', { to: three }));
    await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
  });

  scenario('suspension does not block deletion', async (cast) => {
    await running(cast);
    await cast.admin.updates(cast.policy('pp', { to: three, suspend: all }));
    await cast.user.deletes(nginx);
    await cast.expect(nginx).runsNowhere();
    await cast.expect(nginx).isGone();
  });

  scenario(
    'removals that a placement change causes are suspended, and happen on resume',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect, unchanged } = cast;
      await admin.updates(policy('pp', { to: three, suspend: all }));
      await unchanged(() => admin.updates(policy('pp', { to: 'member4', suspend: all })));
      await expect(nginx).isSuspendedOn('member1', 'member2', 'member3', 'member4');
      await expect(nginx).work('member1', (work) =>
        check(work?.metadata.annotations?.['sluice.dev/removal-held']).toBe('true'),
      );
      await admin.updates(policy('pp', { to: 'member4' }));
      await expect(nginx).runsOn('member4');
    },
    paused,
  );

  scenario(
    'suspended removals happen cluster by cluster, in the order of the resumption',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('pp', { to: three, suspend: on(...three) }));
      await admin.updates(policy('pp', { to: 'member1', suspend: on(...three) }));
      await expect(nginx).runsOn('member1', 'member2', 'member3');
      await admin.updates(policy('pp', { to: 'member1', suspend: on('member1', 'member3') }));
      await expect(nginx).runsOn('member1', 'member3');
      await admin.updates(policy('pp', { to: 'member1', suspend: on('member1') }));
      await expect(nginx).runsOn('member1');
    },
    paused,
  );

  scenario('a suspended removal is forgotten when the placement comes back', async (cast) => {
    await running(cast);
    const { admin, policy, expect, unchanged } = cast;
    await admin.updates(policy('pp', { to: three, suspend: all }));
    await admin.updates(policy('pp', { to: 'member4', suspend: all }));
    await admin.updates(policy('pp', { to: three, suspend: all }));
    await unchanged(() => admin.updates(policy('pp', { to: three })));
    await expect(nginx).work('member1', (work) =>
      check(work?.metadata.annotations).not.toHaveProperty('sluice.dev/removal-held'),
    );
  });

  scenario(
    'drift is left alone while suspended, and repaired on resume',
    async (cast) => {
      await running(cast);
      const { admin, user, policy, expect } = cast;
      await admin.updates(policy('pp', { to: three, suspend: on('member1', 'member2') }));
      const scaled = (live: KubeObject): KubeObject =>
        ({ ...live, spec: { ...(live as { spec?: object }).spec, replicas: 7 } }) as KubeObject;
      await user.tampers('member1', nginx, scaled);
      await user.tampers('member2', nginx, () => undefined);
      await expect(nginx).hasReplicas({ member1: 7, member3: 2 });
      await user.tampers('member3', nginx, scaled);
      await expect(nginx).hasReplicas({ member1: 7, member3: 2 });
      await admin.updates(policy('pp', { to: three }));
      await expect(nginx).hasReplicas({ member1: 2, member2: 2, member3: 2 });
    },
    paused,
  );

  scenario(
    'both spellings mean the same',
    async (cast) => {
      await running(cast);
      const { admin, user, policy, expect } = cast;
      await admin.updates(
        policy('pp', { to: three, suspend: { dispatchingOnClusters: { clusterNames: ['member2', 'member3'] } } }),
      );
      await user.updates(newer);
      await expect(nginx).runsImage({ member1: fresh, member2: old, member3: old });
      await admin.updates(policy('pp', { to: three, suspend: { dispatching: true } }));
      await user.updates(nginx);
      await expect(nginx).runsImage({ member1: fresh, member2: old, member3: old });
      await admin.updates(policy('pp', { to: three, suspend: { dispatching: false } }));
      await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
    },
    paused,
  );

  scenario('both spellings at once, or all with a list, are refused with their path', async ({ admin, policy }) => {
    const refused = async (suspend: Suspension): Promise<readonly string[]> =>
      admin.failsToCreate(policy('bad', { to: three, suspend }));
    for (const suspend of [
      { suspendDispatching: true, dispatching: true },
      { suspendDispatching: true, ...on('member1') },
      { dispatching: true, dispatchingOnClusters: { clusterNames: ['member1'] } },
      { suspendDispatching: true, dispatchingOnClusters: { clusterNames: ['member1'] } },
      { ...on('member1'), dispatchingOnClusters: { clusterNames: ['member1'] } },
    ]) {
      const paths = await refused(suspend);
      check(
        paths.some((path) => path.startsWith('spec.suspension')),
        JSON.stringify(suspend),
      ).toBe(true);
    }
  });

  scenario(
    'a template without a namespace is suspended as well',
    async ({ admin, user, policy, expect }) => {
      const role = clusterRole('reader');
      const select = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];
      await admin.creates(policy('cpp', { to: 'member1', select, suspend: all }));
      await user.creates(role);
      await expect(role).runsNowhere();
      await expect(role).isSuspendedOn('member1');
      await admin.updates(policy('cpp', { to: 'member1', select }));
      await expect(role).runsOn('member1');
    },
    { scopes: ['cluster'] },
  );
});

describe('A suspension never waits', () => {
  scenario(
    'suspension of a lazy policy takes effect at once, in both directions; the rest waits',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: three, lazy: true }));
      await user.creates(nginx);
      await unchanged(() => admin.updates(policy('pp', { to: 'member4', lazy: true, suspend: all })));
      await expect(nginx).isSuspendedOn(...three);
      await unchanged(() => user.updates(newer));
      await admin.updates(policy('pp', { to: 'member4', lazy: true }));
      await expect(nginx).runsImage({ member4: fresh });
    },
    paused,
  );

  scenario(
    'suspension under static policies takes effect at once',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: three }));
      await user.creates(nginx);
      await unchanged(() => admin.updates(policy('pp', { to: 'member4', suspend: all })));
      await expect(nginx).isSuspendedOn(...three);
      await unchanged(() => admin.updates(policy('pp', { to: 'member4' })));
      await expect(nginx).isSuspendedOn();
      await expect(nginx).runsOn(...three);
    },
    { gates: { StaticPolicy: true }, burst: false },
  );

  scenario(
    'the suspension of the policy that manages it counts, in effect or not',
    async ({ admin, user, policy, expect, unchanged }) => {
      const select = [deployments({ namespace: 'default' })];
      await admin.creates(policy('pp1', { to: three, select }));
      await user.creates(nginx);
      await unchanged(() =>
        admin.creates(
          policy('pp2', { to: 'member4', lazy: true, priority: 2, preemption: 'Always', select, suspend: all }),
        ),
      );
      await expect(nginx).isManagedBy('pp2');
      await expect(nginx).isSuspendedOn(...three);
      await unchanged(() => user.updates(newer));
      await admin.updates(policy('pp2', { to: 'member4', lazy: true, priority: 2, preemption: 'Always', select }));
      await expect(nginx).runsImage({ member4: fresh });
    },
    paused,
  );

  scenario(
    'a suspended template whose policy goes away stays suspended',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect, unchanged } = cast;
      await admin.updates(policy('pp', { to: three, suspend: all }));
      await unchanged(() => admin.deletes(policy('pp')));
      await expect(nginx).isUnclaimed();
      await expect(nginx).isSuspendedOn(...three);
    },
    paused,
  );
});

describe('Dependencies of suspended workloads', () => {
  const web = deployment('web', { configMaps: ['settings'] });
  const worker = deployment('worker', { configMaps: ['settings'] });
  const settings = configMap('settings');
  const changed = configMap('settings', { value: 'two' });

  scenario(
    'a dependency waits with its only referrer',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
      await user.creates(settings, web);
      await expect(settings).runsOn('member1');
      await admin.updates(policy('pp', { to: 'member1', propagateDeps: true, suspend: all }));
      await unchanged(() => user.updates(changed));
      await expect(settings).isSuspendedOn('member1');
      await admin.updates(policy('pp', { to: 'member1', propagateDeps: true }));
      await expect(settings).says('data.value', { member1: 'two' });
    },
    paused,
  );

  scenario(
    'a dependency of a suspended and a flowing referrer flows where the flowing one needs it',
    async ({ admin, user, policy, expect }) => {
      await user.creates(settings);
      await admin.creates(
        policy('held', { to: ['member1', 'member2'], propagateDeps: true, select: [deployments({ name: 'web' })] }),
      );
      await admin.creates(
        policy('flowing', { to: 'member1', propagateDeps: true, select: [deployments({ name: 'worker' })] }),
      );
      await user.creates(web, worker);
      await admin.updates(
        policy('held', {
          to: ['member1', 'member2'],
          propagateDeps: true,
          select: [deployments({ name: 'web' })],
          suspend: all,
        }),
      );
      await user.updates(changed);
      await expect(settings).says('data.value', { member1: 'two', member2: 'one' });
      await expect(settings).isSuspendedOn('member2');
    },
    paused,
  );

  scenario(
    'objects that a suspended workload still uses stay where they are',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
      await user.creates(settings, web);
      await admin.updates(policy('pp', { to: 'member1', propagateDeps: true, suspend: all }));
      await unchanged(() => user.updates(deployment('web')));
      await expect(settings).runsOn('member1');
      await admin.updates(policy('pp', { to: 'member1', propagateDeps: true }));
      await expect(settings).runsNowhere();
    },
    paused,
  );

  scenario(
    'a moved, suspended workload keeps its dependency in the old cluster until resume',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
      await user.creates(settings, web);
      await admin.updates(policy('pp', { to: 'member1', propagateDeps: true, suspend: all }));
      await unchanged(() => admin.updates(policy('pp', { to: 'member2', propagateDeps: true, suspend: all })));
      await admin.updates(policy('pp', { to: 'member2', propagateDeps: true }));
      await expect(web).runsOn('member2');
      await expect(settings).runsOn('member2');
    },
    paused,
  );
});

describe('Failover waits while suspended', () => {
  const failover = { gates: { Failover: true }, burst: false } as const;
  const one = {
    scope: 'namespace',
    to: { labelSelector: {} },
    placement: { spreadConstraints: [{ spreadByField: 'cluster', maxGroups: 1, minGroups: 1 }] },
  } as const;

  const dead = [{ key: 'example.com/dead', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }];

  scenario(
    'not suspended: a tainted cluster is left for another',
    async (cast) => {
      const { admin, user, policy, expect } = cast;
      await admin.creates(
        policy('pp', { ...one, scope: cast.policy('x').kind === 'PropagationPolicy' ? 'namespace' : 'cluster' }),
      );
      await user.creates(nginx);
      await expect(nginx).runsOn('member1');
      await taint(cast, 'member1', dead);
      await expect(nginx).runsOn('member2');
    },
    failover,
  );

  scenario(
    'suspended: it stays until resume',
    async (cast) => {
      const { admin, user, policy, expect, unchanged } = cast;
      const scope = cast.policy('x').kind === 'PropagationPolicy' ? 'namespace' : 'cluster';
      await admin.creates(policy('pp', { ...one, scope }));
      await user.creates(nginx);
      await admin.updates(policy('pp', { ...one, scope, suspend: all }));
      await unchanged(() => taint(cast, 'member1', dead));
      await expect(nginx).runsOn('member1');
      await admin.updates(policy('pp', { ...one, scope }));
      await expect(nginx).runsOn('member2');
    },
    failover,
  );
});

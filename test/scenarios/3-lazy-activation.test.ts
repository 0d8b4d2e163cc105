import { describe } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { configMap, configMaps, deployment, deployments, policy as anyPolicy } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const others = [deployments({ name: 'something-else' })];
const paused = { burst: false } as const;
const select = [deployments({ namespace: 'default' })];

describe('Proposal 3: lazy activation, the behaviour case by case', () => {
  scenario('policy first: the template is propagated at once', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: 'member1', lazy: true }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
  });

  scenario(
    'Case 1: policy still matches',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: 'member1', lazy: true }));
      await user.creates(nginx);
      await unchanged(() =>
        admin.updates(policy('pp', { to: 'member2', lazy: true, conflictResolution: 'Overwrite' })),
      );
      await expect(nginx).isManagedBy('pp');
    },
    paused,
  );

  scenario(
    'Case 2: policy no longer matches, or is deleted, and no other does',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: 'member1', lazy: true }));
      await user.creates(nginx);
      await unchanged(() => admin.updates(policy('pp', { to: 'member1', lazy: true, select: others })));
      await expect(nginx).isUnclaimed();
      await unchanged(() => admin.deletes(policy('pp')));
      await expect(policy('pp')).isGone();
      await expect(nginx).runsOn('member1');
    },
    paused,
  );

  scenario('Case 2: the successor is not lazy', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp1', { to: 'member1', lazy: true, priority: 2 }), policy('pp2', { to: 'member2' }));
    await user.creates(nginx);
    await admin.deletes(policy('pp1'));
    await expect(nginx).runsOn('member2');
  });

  scenario(
    'Case 3: preemption by a lazy policy moves the claim alone',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp1', { to: 'member1', select }));
      await user.creates(nginx);
      await unchanged(() =>
        admin.creates(policy('pp2', { to: 'member2', lazy: true, priority: 2, preemption: 'Always', select })),
      );
      await expect(nginx).isManagedBy('pp2');
      await user.touches(nginx);
      await expect(nginx).runsOn('member2');
    },
    paused,
  );

  scenario(
    'Case 4: a lazy policy hits an unclaimed template: claimed, not propagated',
    async ({ admin, user, policy, expect }) => {
      await user.creates(nginx);
      await admin.creates(policy('pp', { to: 'member1', lazy: true }));
      await expect(nginx).isManagedBy('pp');
      await expect(nginx).runsNowhere();
    },
  );
});

describe('Proposal 3: lazy activation, test plan', () => {
  scenario(
    'Simple Case 1 (Policy created before resource)',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: 'member1', lazy: true }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1');
      await unchanged(() => admin.deletes(policy('pp')));
      await expect(nginx).runsOn('member1');
    },
    paused,
  );

  scenario('Simple Case 2 (Policy created after resource)', async ({ admin, user, policy, expect }) => {
    await user.creates(nginx);
    await admin.creates(policy('pp', { to: 'member1', lazy: true }));
    await expect(nginx).runsNowhere();
    await user.touches(nginx);
    await expect(nginx).runsOn('member1');
  });

  scenario('Simple Case 3 (Lazy to immediate)', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: 'member1', lazy: true }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await admin.updates(policy('pp', { to: 'member2' }));
    await expect(nginx).runsOn('member2');
  });

  scenario('Simple Case 4 (Immediate to lazy)', async ({ admin, user, policy, expect, unchanged }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await unchanged(() => admin.updates(policy('pp', { to: 'member2', lazy: true })));
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  scenario('Combined Case 1 (Policy deleted)', async ({ admin, user, policy, expect, unchanged }) => {
    await admin.creates(policy('pp1', { to: 'member1', lazy: true }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await unchanged(() => admin.creates(policy('pp2', { to: 'member2', lazy: true })));
    await unchanged(() => admin.deletes(policy('pp1')));
    await expect(nginx).isManagedBy('pp2');
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  scenario('Combined Case 2 (Policy no longer match)', async ({ admin, user, policy, expect, unchanged }) => {
    await admin.creates(policy('cpp1', { to: 'member1', lazy: true }));
    await user.creates(nginx);
    await unchanged(() => admin.creates(policy('cpp2', { to: 'member2', lazy: true })));
    await unchanged(() => admin.updates(policy('cpp1', { to: 'member1', lazy: true, select: others })));
    await expect(nginx).isManagedBy('cpp2');
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  scenario(
    'Combined Case 3 (Policy preemption)',
    async ({ admin, user, expect }) => {
      await admin.creates(anyPolicy('cpp1', { scope: 'cluster', to: 'member1', lazy: true }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1');
      await admin.creates(anyPolicy('pp2', { to: 'member2', priority: 2, preemption: 'Always', select }));
      await expect(nginx).runsOn('member2');
    },
    { scopes: ['namespace'] },
  );

  scenario('Combined Case 4 (Policy preemption)', async ({ admin, user, policy, expect, unchanged }) => {
    await admin.creates(policy('pp1', { to: 'member1', lazy: true, select }));
    await user.creates(nginx);
    await unchanged(() =>
      admin.creates(policy('pp2', { to: 'member2', lazy: true, priority: 2, preemption: 'Always', select })),
    );
    await expect(nginx).isManagedBy('pp2');
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  const mounting = deployment('nginx', { configMaps: ['settings'] });
  const settings = configMap('settings');

  scenario('Combined Case 5 (Propagate dependencies)', async ({ admin, user, policy, expect, unchanged }) => {
    await admin.creates(policy('pp', { to: 'member1', lazy: true, propagateDeps: true }));
    await user.creates(settings);
    await expect(settings).runsNowhere();
    await user.creates(mounting);
    await expect(mounting).runsOn('member1');
    await expect(settings).runsOn('member1');

    await unchanged(() => admin.updates(policy('pp', { to: 'member2', lazy: true, propagateDeps: true })));
    await user.touches(mounting);
    await expect(mounting).runsOn('member2');
    await expect(settings).runsOn('member2');
  });

  scenario(
    'Combined Case 6 (Propagate dependencies)',
    async ({ admin, user, policy, expect, unchanged }) => {
      const both = [deployments(), configMaps()];
      await user.creates(mounting, settings);
      await admin.creates(policy('pp', { to: 'member1', lazy: true, select: both }));
      await expect(mounting).runsNowhere();
      await expect(settings).runsNowhere();

      await user.touches(mounting);
      await expect(mounting).runsOn('member1');
      await expect(settings).runsNowhere();

      await unchanged(() =>
        admin.updates(policy('pp', { to: 'member2', lazy: true, propagateDeps: true, select: both })),
      );
      await user.touches(mounting);
      await expect(mounting).runsOn('member2');
      await expect(settings).runsOn('member2');
    },
    paused,
  );
});

describe('Proposal 3: resource and policy in one apply', () => {
  scenario('the policy stands first in the file: propagated', async ({ admin, policy, expect }) => {
    await admin.appliesTogether(policy('pp', { to: 'member1', lazy: true }), nginx);
    await expect(nginx).runsOn('member1');
  });

  scenario(
    'the resource stands first in the file: it waits',
    async ({ admin, user, policy, expect }) => {
      await admin.appliesTogether(nginx, policy('pp', { to: 'member1', lazy: true }));
      await expect(nginx).isManagedBy('pp');
      await expect(nginx).runsNowhere();
      await user.touches(nginx);
      await expect(nginx).runsOn('member1');
    },
    paused,
  );
});

/** A lazy policy has moved on to member2; the template has not been touched. */
async function pending({ admin, user, policy }: Cast): Promise<void> {
  await admin.creates(policy('pp', { to: 'member1', lazy: true }));
  await user.creates(nginx);
  await admin.updates(policy('pp', { to: 'member2', lazy: true }));
}

describe('Proposal 3: what counts as a change of the template', () => {
  type Edit = (live: KubeObject) => KubeObject;
  const meta =
    (change: (metadata: KubeObject['metadata']) => object): Edit =>
    (live) => ({
      ...live,
      metadata: { ...live.metadata, ...change(live.metadata) },
    });

  const counts: Readonly<Record<string, Edit>> = {
    'a label': meta(({ labels }) => ({ labels: { ...labels, team: 'a' } })),
    'an annotation': meta(({ annotations }) => ({ annotations: { ...annotations, note: 'a' } })),
    'a label that only looks like the system’s': meta(({ labels }) => ({
      labels: { ...labels, 'foo.karmada.io.example.com/x': '1' },
    })),
    'a finalizer of somebody else': meta(() => ({ finalizers: ['example.com/guard'] })),
    'the replicas, changed by an autoscaler': (live) =>
      ({ ...live, spec: { ...(live as { spec?: object }).spec, replicas: 9 } }) as KubeObject,
  };
  for (const [what, edit] of Object.entries(counts)) {
    scenario(
      `${what} counts`,
      async (cast) => {
        await pending(cast);
        await cast.user.edits(nginx, edit);
        await cast.expect(nginx).runsOn('member2');
      },
      paused,
    );
  }

  const excepted: Readonly<Record<string, Edit>> = {
    'metadata.managedFields': meta(() => ({ managedFields: [{ manager: 'kubectl', operation: 'Update' }] })),
    'metadata.resourceVersion': meta(() => ({ resourceVersion: '999999' })),
    'metadata.generation': meta(() => ({ generation: 42 })),
    'metadata.ownerReferences': meta(() => ({
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' }],
    })),
    'a label of the system': meta(({ labels }) => ({ labels: { ...labels, 'x.karmada.io/y': '1' } })),
    'an annotation of the system': meta(({ annotations }) => ({
      annotations: { ...annotations, 'karmada.io/y': '1', 'sluice.dev/z': '1' },
    })),
    'a finalizer of the system': meta(() => ({ finalizers: ['karmada.io/anything'] })),
  };
  for (const [what, edit] of Object.entries(excepted)) {
    scenario(
      `${what} does not count`,
      async (cast) => {
        await pending(cast);
        await cast.unchanged(() => cast.user.edits(nginx, edit));
        await cast.expect(nginx).runsOn('member1');
      },
      paused,
    );
  }

  scenario(
    'status does not count',
    async (cast) => {
      await pending(cast);
      await cast.unchanged(() => cast.user.reports(nginx, { replicas: 9 }));
      await cast.expect(nginx).runsOn('member1');
    },
    paused,
  );

  scenario(
    'a restart does not count',
    async (cast) => {
      await pending(cast);
      await cast.unchanged(cast.restart);
      await cast.expect(nginx).runsOn('member1');
    },
    paused,
  );

  scenario(
    'there and back again: each way is a change',
    async (cast) => {
      await pending(cast);
      const { user, admin, policy, expect } = cast;
      await user.updates(deployment('nginx', { image: 'nginx:1.26' }));
      await expect(nginx).runsOn('member2');
      await admin.updates(policy('pp', { to: 'member3', lazy: true }));
      await user.updates(nginx);
      await expect(nginx).runsImage({ member3: 'nginx:1.25' });
    },
    paused,
  );
});

describe('Proposal 3: claims that wait', () => {
  scenario(
    'claimed while waiting, released, claimed by another lazy policy: still waits',
    async ({ admin, user, policy, expect }) => {
      await user.creates(nginx);
      await admin.creates(policy('pp1', { to: 'member1', lazy: true }));
      await admin.deletes(policy('pp1'));
      await expect(nginx).isUnclaimed();
      await admin.creates(policy('pp2', { to: 'member2', lazy: true }));
      await expect(nginx).isManagedBy('pp2');
      await expect(nginx).runsNowhere();
      await user.touches(nginx);
      await expect(nginx).runsOn('member2');
    },
  );

  scenario(
    'changed while no policy matches, then a lazy policy: it waits for the next change',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp1', { to: 'member1' }));
      await user.creates(deployment('nginx', { replicas: 2 }));
      await admin.deletes(policy('pp1'));
      await unchanged(() => user.updates(deployment('nginx', { replicas: 5 })));
      await unchanged(() => admin.creates(policy('pp2', { to: 'member2', lazy: true })));
      await expect(nginx).hasReplicas({ member1: 2 });
      await user.touches(nginx);
      await expect(nginx).hasReplicas({ member2: 5 });
    },
    paused,
  );

  scenario(
    'a policy deleted and made again under the same name is another policy',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: 'member1', lazy: true }));
      await user.creates(nginx);
      await admin.deletes(policy('pp'));
      await unchanged(() => admin.creates(policy('pp', { to: 'member2', lazy: true })));
      await expect(nginx).isManagedBy('pp');
      await user.touches(nginx);
      await expect(nginx).runsOn('member2');
    },
    paused,
  );

  scenario('a waiting claim becomes immediate with its policy', async ({ admin, user, policy, expect }) => {
    await user.creates(nginx);
    await admin.creates(policy('pp', { to: 'member1', lazy: true }));
    await expect(nginx).runsNowhere();
    await admin.updates(policy('pp', { to: 'member1' }));
    await expect(nginx).runsOn('member1');
  });

  scenario(
    'a request takes up what is pending, once',
    async (cast) => {
      await pending(cast);
      const { user, admin, policy, expect, unchanged } = cast;
      const ask = (token: string): Promise<void> =>
        user.edits(nginx, (live) => ({
          ...live,
          metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, 'sluice.dev/reconcile': token } },
        }));
      await ask('one');
      await expect(nginx).runsOn('member2');
      await unchanged(() => admin.updates(policy('pp', { to: 'member3', lazy: true })));
      await unchanged(() => ask('one'));
      await ask('two');
      await expect(nginx).runsOn('member3');
    },
    paused,
  );
});

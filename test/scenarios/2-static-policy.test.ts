import { describe } from 'vitest';
import { deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast, ScenarioWords } from '../kit/scenario.ts';

const gates = { StaticPolicy: true };
const nginx = deployment('nginx');
const others = [deployments({ name: 'something-else' })];

/** A story under static policies. Pauses matter in most: what is seen between the steps decides. */
function told(name: string, play: (cast: Cast) => Promise<void>, words: ScenarioWords = {}): void {
  scenario(name, play, { gates, burst: false, ...words });
}

describe('Proposal 2: static policies, general cases', () => {
  told(
    'Case 1: the template waits for a policy and is propagated at once',
    async ({ user, admin, policy, expect }) => {
      await user.creates(nginx);
      await admin.creates(policy('policy1', { to: 'member1' }));
      await expect(nginx).runsOn('member1');
    },
    { burst: true },
  );

  told('Case 2: an update of the policy waits for the template', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('policy1', { to: 'member1' }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await unchanged(() => admin.updates(policy('policy1', { to: 'member2' })));
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  told('Case 3: a better policy waits for the template', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('policy1', { to: 'member1', priority: 1 }));
    await user.creates(nginx);
    await unchanged(() => admin.creates(policy('policy2', { to: 'member2', priority: 2 })));
    await expect(nginx).isManagedBy('policy1');
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
    await expect(nginx).isManagedBy('policy2');
  });

  told('Case 4: both wait, and the better one is taken', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('policy1', { to: 'member1', priority: 1 }));
    await user.creates(nginx);
    await unchanged(() => admin.updates(policy('policy1', { to: 'member3', priority: 1 })));
    await unchanged(() => admin.creates(policy('policy2', { to: 'member2', priority: 2 })));
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  told(
    'Case 5: a policy that no longer matches gives way, once the template changes',
    async ({ user, admin, policy, expect, unchanged }) => {
      await admin.creates(policy('policy1', { to: 'member1', priority: 2 }));
      await user.creates(nginx);
      await unchanged(() => admin.creates(policy('policy2', { to: 'member2', priority: 1 })));
      await unchanged(() => admin.updates(policy('policy1', { to: 'member1', priority: 2, select: others })));
      await expect(nginx).isUnclaimed();
      await user.touches(nginx);
      await expect(nginx).runsOn('member2');
    },
  );
});

describe('Proposal 2: static policies, corner cases', () => {
  told(
    'Case 1: without a policy a change waits, then all of it goes at once',
    async ({ user, admin, policy, expect, unchanged, restart }) => {
      await admin.creates(policy('policy1', { to: 'member1' }));
      await user.creates(deployment('nginx', { replicas: 2 }));
      await unchanged(() => admin.deletes(policy('policy1')));
      await unchanged(() => user.updates(deployment('nginx', { replicas: 5 })));
      await expect(nginx).hasReplicas({ member1: 2 });
      await unchanged(restart);
      await admin.creates(policy('policy2', { to: 'member2' }));
      await expect(nginx).hasReplicas({ member2: 5 });
    },
  );

  told(
    'Case 1, with labels of a cluster changing while it waits: nothing leaks',
    async ({ user, admin, policy, stage, expect, unchanged }) => {
      await admin.creates(policy('policy1', { to: 'member1' }));
      await user.creates(deployment('nginx', { replicas: 2 }));
      await admin.deletes(policy('policy1'));
      await user.updates(deployment('nginx', { replicas: 5 }));
      await unchanged(async () => {
        const cluster = await stage.get({
          apiVersion: 'cluster.karmada.io/v1alpha1',
          kind: 'Cluster',
          name: 'member1',
        });
        if (cluster)
          await admin.edits(cluster, (live) => ({ ...live, metadata: { ...live.metadata, labels: { zone: 'a' } } }));
      });
      await expect(nginx).hasReplicas({ member1: 2 });
    },
  );

  told(
    'Case 2: restarts at the drawn places change nothing and lose nothing',
    async ({ user, admin, policy, stage, expect, unchanged, restart }) => {
      await admin.creates(policy('policy1', { to: 'member1' }));
      await stage.apply(nginx);
      await restart();
      await expect(nginx).runsOn('member1');

      await unchanged(() => admin.updates(policy('policy1', { to: 'member2' })));
      await unchanged(restart);

      await stage.edit({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' }, (live) => ({
        ...live,
        metadata: { ...live.metadata, labels: { ...live.metadata.labels, changed: 'yes' } },
      }));
      await restart();
      await expect(nginx).runsOn('member2');
      await user.deletes(nginx);
      await expect(nginx).runsNowhere();
    },
  );
});

/** The six test cases of the plan; each runs as PropagationPolicy and as ClusterPropagationPolicy. */
describe('Proposal 2: static policies, test plan', () => {
  told('Test Case 1', async ({ user, admin, policy, expect }) => {
    await user.creates(nginx);
    await admin.creates(policy('pp1', { to: 'member1' }));
    await expect(nginx).runsOn('member1');
    await expect(nginx).isManagedBy('pp1');
  });

  told('Test Case 2', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('pp1', { to: 'member1' }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await unchanged(() => admin.updates(policy('pp1', { to: 'member2' })));
    await user.updates(deployment('nginx', { image: 'nginx:1.26' }));
    await expect(nginx).runsImage({ member2: 'nginx:1.26' });
  });

  told('Test Case 3', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('pp1', { to: 'member1', priority: 1 }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await unchanged(() => admin.creates(policy('pp2', { to: 'member2', priority: 2 })));
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  told('Test Case 4', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('pp1', { to: 'member1', priority: 1 }));
    await user.creates(nginx);
    await unchanged(() => admin.updates(policy('pp1', { to: 'member3', priority: 1 })));
    await unchanged(() => admin.creates(policy('pp2', { to: 'member2', priority: 2 })));
    await user.touches(nginx);
    await expect(nginx).runsOn('member2');
  });

  told('Test Case 5', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('pp1', { to: 'member1', priority: 1 }), policy('pp2', { to: 'member2', priority: 2 }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member2');
    await unchanged(() => admin.updates(policy('pp2', { to: 'member2', priority: 2, select: others })));
    await expect(nginx).isUnclaimed();
    await user.touches(nginx);
    await expect(nginx).runsOn('member1');
    await expect(nginx).isManagedBy('pp1');
  });

  told('Test Case 6', async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('pp1', { to: 'member1' }));
    await user.creates(deployment('nginx', { replicas: 2 }));
    await expect(nginx).hasReplicas({ member1: 2 });
    await unchanged(() => admin.deletes(policy('pp1')));
    await expect(nginx).isUnclaimed();
    await unchanged(() => user.updates(deployment('nginx', { replicas: 5 })));
    await admin.creates(policy('pp2', { to: 'member2' }));
    await expect(nginx).hasReplicas({ member2: 5 });
  });
});

describe('Proposal 2: what does not trigger', () => {
  const pending = async ({ user, admin, policy }: Cast): Promise<void> => {
    await admin.creates(policy('pp1', { to: 'member1' }));
    await user.creates(nginx);
    await admin.updates(policy('pp1', { to: 'member2' }));
  };

  told('labels and annotations of the system', async (cast) => {
    await pending(cast);
    await cast.unchanged(() =>
      cast.user.edits(nginx, (live) => ({
        ...live,
        metadata: {
          ...live.metadata,
          labels: { ...live.metadata.labels, 'anything.karmada.io/x': '1', 'karmada.io/y': '2' },
          annotations: { ...live.metadata.annotations, 'policy.karmada.io/z': '3' },
        },
      })),
    );
    await cast.expect(nginx).runsOn('member1');
  });

  told('updates of status', async (cast) => {
    await pending(cast);
    await cast.unchanged(() => cast.user.reports(nginx, { observedGeneration: 1, replicas: 7 }));
    await cast.expect(nginx).runsOn('member1');
  });

  told('a restart', async (cast) => {
    await pending(cast);
    await cast.unchanged(cast.restart);
    await cast.expect(nginx).runsOn('member1');
  });

  told('another policy, even one that preempts', async (cast) => {
    await pending(cast);
    const { admin, policy, unchanged, expect } = cast;
    const select = [deployments({ namespace: 'default' })];
    await unchanged(() => admin.creates(policy('pp2', { to: 'member3', priority: 9, preemption: 'Always', select })));
    await expect(nginx).isManagedBy('pp1');
    await unchanged(() => admin.deletes(policy('pp1')));
    await unchanged(() => admin.deletes(policy('pp2')));
    await expect(nginx).isUnclaimed();
  });
});

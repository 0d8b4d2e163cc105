import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { clusterRole, configMap, configMaps, deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx', { labels: { tier: 'web' } });
const settings = configMap('settings');
const paused = { burst: false } as const;
const byName = [deployments({ name: 'nginx' })];
const byLabel = [deployments({ labelSelector: { matchLabels: { tier: 'web' } } })];
const roles = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];
const service = (port: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { app: 'web' }, ports: [{ port, protocol: 'TCP', targetPort: port }] },
  }) as KubeObject;

/** The scenarios of Karmada's end-to-end catalogue, one for each line. */
describe('Policies as everybody knows them', () => {
  scenario('a Deployment reaches every member, and its edits do', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: {} }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1', 'member2', 'member3', 'member4');
    await user.updates(deployment('nginx', { replicas: 7, labels: { tier: 'web' } }));
    await expect(nginx).hasReplicas({ member1: 7, member2: 7, member3: 7, member4: 7 });
  });

  scenario('a Service reaches the members, and a changed port does', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: ['member1', 'member2'], select: [{ apiVersion: 'v1', kind: 'Service' }] }));
    await user.creates(service(80));
    await expect(service(80)).runsOn('member1', 'member2');
    await user.updates(service(8080));
    for (const member of ['member1', 'member2']) {
      await expect(service(80)).work(member, (work) => {
        const [manifest] = (work?.spec.workload.manifests ?? []) as readonly {
          spec?: { ports?: { port: number }[] };
        }[];
        check(manifest?.spec?.ports?.[0]?.port).toBe(8080);
      });
    }
  });

  scenario('a policy with a name longer than a label may be', async ({ admin, user, policy, expect }) => {
    const name = `a${'-long'.repeat(18)}`;
    await admin.creates(policy(name, { to: 'member1' }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await expect(nginx).isManagedBy(name);
  });

  scenario(
    'by name before by labels before all, down the chain as the winners go',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(
        policy('all', { to: 'member1' }),
        policy('labels', { to: 'member2', select: byLabel }),
        policy('name', { to: 'member3', select: byName }),
      );
      await user.creates(nginx);
      await expect(nginx).runsOn('member3');
      await admin.deletes(policy('name'));
      await expect(nginx).runsOn('member2');
      await admin.deletes(policy('labels'));
      await expect(nginx).runsOn('member1');
    },
  );

  scenario(
    'explicit priority before precision; of equal ones the first by name',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(
        policy('high', { to: 'member1', priority: 2, select: byLabel }),
        policy('low', { to: 'member2', priority: 1, select: byName }),
      );
      await user.creates(nginx);
      await expect(nginx).isManagedBy('high');
      await admin.creates(policy('b', { to: 'member3', priority: 9 }), policy('a', { to: 'member4', priority: 9 }));
      await user.creates(deployment('other'));
      await expect(deployment('other')).isManagedBy('a');
    },
    paused,
  );

  scenario(
    'a selector that is added takes up, one that is replaced lets go',
    async ({ admin, user, policy, expect }) => {
      const two = deployment('two');
      await admin.creates(policy('pp', { to: 'member1', select: byName }));
      await user.creates(nginx, two);
      await expect(two).runsNowhere();
      await admin.updates(policy('pp', { to: 'member1', select: [...byName, deployments({ name: 'two' })] }));
      await expect(two).runsOn('member1');
      await admin.updates(policy('pp', { to: 'member1', select: [deployments({ name: 'two' })] }));
      await expect(nginx).isUnclaimed();
      await expect(nginx).runsOn('member1');
    },
    paused,
  );

  scenario('the placement moves', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await admin.updates(policy('pp', { to: 'member2' }));
    await expect(nginx).runsOn('member2');
  });

  scenario(
    'a deleted policy leaves everything; the next one takes over',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('first', { to: 'member1', select: [configMaps()] }));
      await user.creates(settings);
      await unchanged(() => admin.deletes(policy('first')));
      await expect(settings).isUnclaimed();
      await admin.creates(policy('second', { to: 'member2', select: [configMaps()] }));
      await expect(settings).runsOn('member2');
    },
    paused,
  );

  scenario(
    'a cluster-scoped template, managed by a cluster policy',
    async ({ admin, user, policy, expect }) => {
      const role = clusterRole('system:reader');
      await admin.creates(policy('cpp', { to: 'member1', select: roles }));
      await user.creates(role);
      await expect(role).runsOn('member1');
      await admin.updates(policy('cpp', { to: 'member2', select: roles }));
      await expect(role).runsOn('member2');
      await expect(role).work('member2', (work) => {
        const id = work?.metadata.labels?.['clusterresourcebinding.karmada.io/permanent-id'];
        check(id).toBeTruthy();
        check(
          work?.spec.workload.manifests[0]?.metadata.labels?.['clusterresourcebinding.karmada.io/permanent-id'],
        ).toBe(id);
      });
      await user.deletes(role);
      await expect(role).runsNowhere();
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'replicas are divided by static weights, and stay divided when scaled',
    async ({ admin, user, policy, expect }) => {
      const weights = [1, 2].map((weight) => ({ targetCluster: { clusterNames: [`member${weight}`] }, weight }));
      const replicaScheduling = {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { staticWeightList: weights },
      } as const;
      await admin.creates(policy('pp', { to: ['member1', 'member2'], placement: { replicaScheduling } }));
      await user.creates(deployment('nginx', { replicas: 6 }));
      await expect(nginx).hasReplicas({ member1: 2, member2: 4 });
      await user.updates(deployment('nginx', { replicas: 9 }));
      await expect(nginx).hasReplicas({ member1: 3, member2: 6 });
    },
  );
});

describe('An object that already exists in a member', () => {
  const foreign = deployment('nginx', { image: 'foreign:1' });

  scenario(
    'is not touched by default, and the others go on',
    async ({ admin, user, policy, stage, expect }) => {
      await stage.plant('member1', foreign);
      await admin.creates(policy('pp', { to: ['member1', 'member2'] }));
      await user.creates(nginx);
      await expect(nginx).runsImage({ member1: 'foreign:1', member2: 'nginx:1.25' });
      await expect(nginx).binding((binding) => {
        const item = binding?.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === 'member1');
        check(item?.applied).toBe(false);
        check(item?.appliedMessage).toContain('already exists in member1');
      });
      await user.edits(nginx, (live) => ({
        ...live,
        metadata: {
          ...live.metadata,
          annotations: { ...live.metadata.annotations, 'work.karmada.io/conflict-resolution': 'overwrite' },
        },
      }));
      await user.touches(nginx);
      await expect(nginx).runsImage({ member1: 'nginx:1.25', member2: 'nginx:1.25' });
    },
    paused,
  );

  scenario(
    'is taken over where the policy says so, and left in peace when the template goes, if preserved',
    async ({ admin, user, policy, stage, expect }) => {
      await stage.plant('member1', foreign);
      await admin.creates(
        policy('pp', { to: 'member1', conflictResolution: 'Overwrite', preserveResourcesOnDeletion: true }),
      );
      await user.creates(nginx);
      await expect(nginx).runsImage({ member1: 'nginx:1.25' });
      await user.deletes(nginx);
      await expect(nginx).runsOn('member1');
      await expect(nginx).says('metadata.labels', { member1: { app: 'nginx', tier: 'web' } });
    },
    paused,
  );

  scenario(
    'so is a Service, which keeps its address in the member',
    async ({ admin, user, policy, stage, expect }) => {
      const theirs = service(80) as KubeObject & { readonly spec: object };
      await stage.plant('member1', { ...theirs, spec: { ...theirs.spec, clusterIP: '10.96.7.7' } } as KubeObject);
      const select = [{ apiVersion: 'v1', kind: 'Service' }];
      await admin.creates(
        policy('pp', { to: 'member1', select, conflictResolution: 'Overwrite', preserveResourcesOnDeletion: true }),
      );
      await user.creates(service(8080));
      await expect(service(80)).says('spec.ports', { member1: [check.objectContaining({ port: 8080 }) as unknown] });
      await expect(service(80)).says('spec.clusterIP', { member1: '10.96.7.7' });
      await user.deletes(service(80));
      await expect(service(80)).runsOn('member1');
      await expect(service(80)).says('metadata.labels', { member1: undefined });
      await user.tampers('member1', service(80), () => undefined);
    },
    paused,
  );
});

describe('Deletion protection', () => {
  scenario(
    'a protected object is not deleted until its label goes',
    async ({ admin, user, policy, stage, expect }) => {
      const guarded = deployment('nginx', { labels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' } });
      await admin.creates(policy('pp', { to: 'member1' }));
      await user.creates(guarded);
      await check(
        stage.delete({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' }),
      ).rejects.toThrow('This resource is protected');
      await expect(guarded).runsOn('member1');
      await user.edits(guarded, (live) => ({ ...live, metadata: { ...live.metadata, labels: { app: 'nginx' } } }));
      await user.deletes(guarded);
      await expect(guarded).runsNowhere();
    },
    paused,
  );
});

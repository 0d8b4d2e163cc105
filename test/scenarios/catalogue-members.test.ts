import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const paused = { burst: false } as const;
const place = { namespace: 'default' };
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', ...place }, data: {} } as KubeObject;
const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', ...place } } as KubeObject;
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'disk', ...place },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
} as KubeObject;

/** nginx with this in the spec of its Pods. */
function needing(spec: object): KubeObject {
  const plain = deployment('nginx') as KubeObject & { readonly spec: { readonly template: { readonly spec: object } } };
  const template = { ...plain.spec.template, spec: { ...plain.spec.template.spec, ...spec } };
  return { ...plain, spec: { ...plain.spec, template } } as KubeObject;
}

describe('A dependency follows its workload, and leaves when it is needed no more', () => {
  const needs: readonly (readonly [string, KubeObject, object])[] = [
    ['a Secret', secret, { volumes: [{ name: 'v', secret: { secretName: 'key' } }] }],
    ['a PersistentVolumeClaim', claim, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'disk' } }] }],
    ['a ServiceAccount', account, { serviceAccountName: 'robot' }],
  ];
  for (const [what, object, spec] of needs) {
    scenario(
      what,
      async ({ admin, user, policy, expect }) => {
        await admin.creates(policy('pp', { to: ['member1', 'member2'], propagateDeps: true }));
        await user.creates(object, needing(spec));
        await expect(object).runsOn('member1', 'member2');
        await user.updates(deployment('nginx'));
        await expect(object).runsNowhere();
        await expect(deployment('nginx')).runsOn('member1', 'member2');
      },
      paused,
    );
  }
});

describe('A dependency that already exists in a member', () => {
  scenario(
    'is taken over and left in peace as the policy of the workload says',
    async ({ admin, user, policy, stage, expect }) => {
      await stage.plant('member1', secret);
      await admin.creates(
        policy('pp', {
          to: 'member1',
          propagateDeps: true,
          conflictResolution: 'Overwrite',
          preserveResourcesOnDeletion: true,
        }),
      );
      const nginx = needing({ volumes: [{ name: 'v', secret: { secretName: 'key' } }] });
      await user.creates(secret, nginx);
      await expect(secret).binding((binding) => {
        check(binding?.spec).toMatchObject({ conflictResolution: 'Overwrite', preserveResourcesOnDeletion: true });
      });
      await expect(secret).says('metadata.labels', {
        member1: check.objectContaining({ 'karmada.io/managed': 'true' }) as unknown,
      });
      await user.deletes(nginx);
      await user.deletes(secret);
      await expect(secret).runsOn('member1');
      await expect(secret).says('metadata.labels', { member1: undefined });
      await user.tampers('member1', secret, () => undefined);
      await user.tampers('member1', nginx, () => undefined);
    },
    paused,
  );
});

describe('A label of ours that somebody removes in a member', () => {
  scenario(
    'by removing our label is left alone, and the binding says so',
    async ({ admin, user, policy, expect }) => {
      const nginx = deployment('nginx');
      await admin.creates(policy('pp', { to: ['member1', 'member2'] }));
      await user.creates(nginx);
      await user.tampers('member1', nginx, (live) => {
        const { 'karmada.io/managed': _managed, ...labels } = live.metadata.labels ?? {};
        return { ...live, metadata: { ...live.metadata, labels } };
      });
      await expect(nginx).binding((binding) => {
        check(binding?.status?.aggregatedStatus).toMatchObject([
          {
            clusterName: 'member1',
            applied: false,
            appliedMessage: check.stringContaining('is not managed') as unknown,
          },
          { clusterName: 'member2', applied: true },
        ]);
      });
      await user.tampers('member1', nginx, (live) => {
        const labels = { ...live.metadata.labels, 'karmada.io/managed': 'true' };
        return { ...live, metadata: { ...live.metadata, labels } };
      });
      await expect(nginx).binding((binding) => {
        check(binding?.status?.aggregatedStatus).toMatchObject([{ applied: true }, { applied: true }]);
      });
    },
    paused,
  );
});

describe('Deletion protection of a namespace', () => {
  const guarded = (labels: Readonly<Record<string, string>>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'guarded', labels },
  });

  scenario(
    'a protected namespace is not deleted until its label goes',
    async ({ user, stage }) => {
      const object = guarded({ 'resourcetemplate.karmada.io/deletion-protected': 'Always' });
      await user.creates(object);
      await check(stage.delete(refOf(object))).rejects.toThrow('This resource is protected');
      await user.edits(object, (live) => ({ ...live, metadata: { ...live.metadata, labels: {} } }));
      await user.deletes(object);
    },
    { ...paused, scopes: ['namespace'] },
  );
});

import { describe, expect as check } from 'vitest';
import type { KubeObject, Placement } from '../../src/api/index.ts';
import { at } from '../../src/base/index.ts';
import { deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const web = deployment('web', { replicas: 4, outcome: 'NeverReady' });
const scaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', namespace: 'default' },
  spec: { minReplicas: 2, maxReplicas: 9, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
} as KubeObject;
const select = [deployments(), { apiVersion: scaler.apiVersion, kind: scaler.kind }];
const both = ['member1', 'member2'];
const divided: Placement = { replicaScheduling: { replicaSchedulingType: 'Divided' } };
const settings = { hpaScaleTargetMarker: true, deploymentReplicasSyncer: true } as const;
const stepwise = { settings, burst: false, scopes: ['namespace'] } as const;

/** The autoscaler of a member has scaled the Deployment there. */
async function scales({ admin }: Cast, member: string, replicas: number): Promise<void> {
  await admin.tampers(
    member,
    web,
    (live) => ({ ...live, spec: { ...(live as { spec?: object }).spec, replicas } }) as KubeObject,
  );
  await admin.readies(member, web, replicas);
}

const wants = (replicas: number) => (object: KubeObject | undefined) =>
  check(at(object, ['spec', 'replicas'])).toBe(replicas);
const isMarked = (mark: string | undefined) => (object: KubeObject | undefined) =>
  check(object?.metadata.labels?.['resourcetemplate.karmada.io/retain-replicas']).toBe(mark);

describe('Members scale a template', () => {
  scenario(
    'a propagated autoscaler marks its target, and its end takes the mark off',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: both, placement: divided, select }));
      await user.creates(web);
      await expect(web).onHub(isMarked(undefined));
      await user.creates(scaler);
      await expect(web).onHub(isMarked('true'));
      await user.deletes(scaler);
      await expect(web).onHub(isMarked(undefined));
    },
    stepwise,
  );

  scenario(
    'divided replicas of the template follow its members',
    async (cast) => {
      const { admin, user, policy, expect } = cast;
      await admin.creates(policy('pp', { to: both, placement: divided, select }));
      await user.creates(web, scaler);
      for (const member of both) await scales(cast, member, 3);
      await expect(web).onHub(wants(6));
      await expect(web).hasReplicas({ member1: 3, member2: 3 });
    },
    stepwise,
  );

  scenario(
    'copies of a duplicated template scale apart from it',
    async (cast) => {
      const { admin, user, policy, expect } = cast;
      await admin.creates(policy('pp', { to: both, select }));
      await user.creates(web, scaler);
      for (const member of both) await scales(cast, member, 3);
      await expect(web).onHub(wants(4));
      await expect(web).hasReplicas({ member1: 3, member2: 3 });
    },
    stepwise,
  );

  scenario(
    'a pending change of a lazy policy stays pending while members scale',
    async (cast) => {
      const { admin, user, policy, expect } = cast;
      await admin.creates(policy('pp', { to: both, placement: divided, select, lazy: true }));
      await user.creates(web, scaler);
      await admin.updates(policy('pp', { to: 'member3', placement: divided, select, lazy: true }));
      for (const member of both) await scales(cast, member, 3);
      await expect(web).runsOn(...both);
      await expect(web).onHub(wants(4));
    },
    stepwise,
  );

  scenario(
    'nothing is marked or taken over while the controllers are off',
    async (cast) => {
      const { admin, user, policy, expect } = cast;
      await admin.creates(policy('pp', { to: both, placement: divided, select }));
      await user.creates(web, scaler);
      await expect(web).onHub(isMarked(undefined));
    },
    { ...stepwise, settings: {} },
  );
});

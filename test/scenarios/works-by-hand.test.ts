import { describe, expect as check } from 'vitest';
import type { KubeObject, Work } from '../../src/api/index.ts';
import { withAt } from '../../src/base/index.ts';
import { configMap, deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const paused = { burst: false } as const;
const web = deployment('web');
const settings = configMap('settings');
const place = 'karmada-es-member1';

function workWith(...manifests: readonly KubeObject[]): KubeObject {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'by-hand', namespace: place, finalizers: ['karmada.io/execution-controller'] },
    spec: { workload: { manifests } },
  } as KubeObject;
}

describe('A Work that a user made', () => {
  scenario(
    'brings its manifests to the member, and has the status of each',
    async (cast) => {
      await cast.admin.creates(workWith(settings, web));
      await cast.expect(settings).runsOn('member1');
      await cast.expect(web).runsOn('member1');
      await cast.expect(workWith()).onHub((work) => {
        const { conditions, manifestStatuses } = (work as Work).status ?? {};
        check(conditions?.find(({ type }) => type === 'Applied')?.status).toBe('True');
        check(manifestStatuses).toMatchObject([
          { identifier: { ordinal: 0, kind: 'ConfigMap', name: 'settings' } },
          { identifier: { ordinal: 1, kind: 'Deployment', name: 'web' }, status: { readyReplicas: 2 } },
        ]);
      });
    },
    paused,
  );

  scenario(
    'is followed when it changes, and repaired in the member',
    async ({ admin, user, expect }) => {
      await admin.creates(workWith(settings, web));
      await user.tampers('member1', web, (live) => withAt(live, ['spec', 'replicas'], 9));
      await expect(web).hasReplicas({ member1: 2 });
      await user.tampers('member1', settings, () => undefined);
      await expect(settings).runsOn('member1');
      await admin.updates(workWith(configMap('settings', { value: 'two' }), deployment('web', { replicas: 4 })));
      await expect(web).hasReplicas({ member1: 4 });
      await expect(settings).says('data', { member1: { value: 'two' } });
    },
    paused,
  );

  scenario(
    'says which manifest a member refuses, and brings the others',
    async (cast) => {
      await cast.stage.plant('member1', settings);
      await cast.admin.creates(workWith(settings, web));
      await cast.expect(web).runsOn('member1');
      await cast.expect(workWith()).onHub((work) => {
        const applied = (work as Work).status?.conditions?.find(({ type }) => type === 'Applied');
        check(applied?.status).toBe('False');
        check(applied?.message).toContain(
          'Failed to apply all manifests (1/2): ConfigMap default/settings already exists',
        );
      });
      await cast.user.tampers('member1', settings, () => undefined);
    },
    paused,
  );

  scenario(
    'takes all its objects along when it is deleted',
    async ({ admin, expect }) => {
      await admin.creates(workWith(settings, web));
      await admin.deletes(workWith());
      await expect(settings).runsNowhere();
      await expect(web).runsNowhere();
      await expect(workWith()).isGone();
    },
    paused,
  );
});

import { describe, expect as check } from 'vitest';
import type { Binding } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

/** No replica of it becomes ready by itself: each scenario says what its member reports. */
const web = deployment('web', { replicas: 2, outcome: 'NeverReady' });

/** The state of its template that the binding reports, in all members. */
const isIn =
  (reason: string, message: string | RegExp = '') =>
  (binding: Binding | undefined) => {
    const said = binding?.status?.conditions?.find(({ type }) => type === 'InEffect');
    check(said).toMatchObject({ status: reason === 'InEffect' ? 'True' : 'False', reason });
    check(said?.message).toMatch(message);
  };

const condition = (type: string, status: string, reason: string, message: string): object => ({
  type,
  status,
  reason,
  message,
});
const unavailable = condition('Available', 'False', 'MinimumReplicasUnavailable', 'no minimum availability');
const late = condition('Progressing', 'False', 'ProgressDeadlineExceeded', 'ReplicaSet "web-2" has timed out');

/** Readiness in a member is set between the steps. */
const stepwise = { burst: false } as const;

describe('The state of a template is what its members report', () => {
  scenario(
    'it is progressing inside its deadline, then unhealthy, and in effect when it is ready',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: 'member1' }));
      await user.creates(web);
      await expect(web).binding(isIn('Progressing', /^member1: /));
      await admin.waits(500);
      await expect(web).binding(isIn('Progressing'));
      await admin.waits(200);
      await expect(web).binding(isIn('Unhealthy', /^member1: .*not healthy within its deadline/));
      await admin.readies('member1', web, 2);
      await expect(web).binding(isIn('InEffect'));
    },
    stepwise,
  );

  scenario(
    'a member that gives up before the deadline is believed, and the binding has its words',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: ['member1', 'member2'] }));
      await user.creates(web);
      await admin.readies('member2', web, 2);
      const counts = { replicas: 2, updatedReplicas: 2, unavailableReplicas: 2 };
      await admin.memberReports('member1', web, { ...counts, conditions: [unavailable, late] });
      const words = /^member1: .*ProgressDeadlineExceeded: ReplicaSet "web-2" has timed out/;
      await expect(web).binding(isIn('Unhealthy', words));
    },
    stepwise,
  );

  scenario(
    'a rollout that fails behind an old ReplicaSet is not in effect, although as many replicas are ready as before',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: 'member1' }));
      await user.creates(web);
      await admin.readies('member1', web, 2);
      await expect(web).binding(isIn('InEffect'));
      await user.updates(deployment('web', { replicas: 2, outcome: 'NeverReady', image: 'nginx:broken' }));
      const counts = {
        replicas: 3,
        updatedReplicas: 1,
        readyReplicas: 2,
        availableReplicas: 2,
        unavailableReplicas: 1,
      };
      await admin.memberReports('member1', web, counts);
      await expect(web).binding(isIn('Progressing'));
      await admin.memberReports('member1', web, { ...counts, conditions: [late] });
      await expect(web).binding(isIn('Unhealthy', /ProgressDeadlineExceeded/));
    },
    stepwise,
  );
});

import { describe, expect, test } from 'vitest';
import type { Condition, KubeObject } from '../../api/index.ts';
import { healthOf } from '../interpret/index.ts';
import { deliveryOf } from './delivery.ts';
import { judgeHealth } from './health.ts';
import type { HealthFacts } from './health.ts';

const start = '2026-01-01T12:00:00Z';
const later = (seconds: number): string =>
  `${new Date(Date.parse(start) + seconds * 1000).toISOString().slice(0, 19)}Z`;

/** A Deployment of one replica as its member reports it. */
function deployed(status: object, spec: object = {}, generation = 1): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', generation },
    spec: { replicas: 1, ...spec },
    status: { observedGeneration: generation, ...status },
  } as KubeObject;
}

const says = (type: string, status: string, reason: string, message = ''): object => ({
  type,
  status,
  reason,
  message,
});
const well = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
const ill = { replicas: 1, updatedReplicas: 1 };
const rolling = says('Progressing', 'True', 'ReplicaSetUpdated');
const complete = says('Progressing', 'True', 'NewReplicaSetAvailable');
const late = says('Progressing', 'False', 'ProgressDeadlineExceeded', 'ReplicaSet "web" has timed out progressing.');
const stateful = (availableReplicas: number): KubeObject => ({
  ...deployed({ replicas: 1, updatedReplicas: 1, availableReplicas }),
  kind: 'StatefulSet',
});

const judged = (facts: Partial<HealthFacts> & Pick<HealthFacts, 'present'>): Condition | undefined =>
  judgeHealth({ before: undefined, now: start, health: healthOf(facts.present), ...facts }).condition;

const crash = { reason: 'CrashLoopBackOff', message: 'container web: back-off', failed: true };

describe('the health of an object in its member', () => {
  test.each<[string, KubeObject, string | undefined, string]>([
    ['a Deployment that is rolled out', deployed(well), undefined, ''],
    ['one that rolls out', deployed({ ...ill, conditions: [rolling] }), 'Unknown', 'Progressing'],
    ['one past its deadline', deployed({ ...ill, conditions: [late] }), 'False', 'ProgressDeadlineExceeded'],
    [
      'one whose pods cannot be created',
      deployed({ ...ill, conditions: [rolling, says('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota')] }),
      'False',
      'FailedCreate',
    ],
    ['new replicas that crash behind old ones', deployed({ ...well, replicas: 2 }), 'Unknown', 'Progressing'],
    ['a StatefulSet that is not available', stateful(0), 'Unknown', 'Progressing'],
    ['a StatefulSet that is', stateful(1), undefined, ''],
    [
      'a failed Job',
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'once' },
        status: { conditions: [says('Failed', 'True', 'BackoffLimitExceeded', 'gave up')] },
      } as KubeObject,
      'False',
      'BackoffLimitExceeded',
    ],
    ['a ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }, undefined, ''],
  ])('%s', (_, present, status, reason) => {
    const condition = judged({ present });
    expect([condition?.status, condition?.reason ?? '']).toEqual([status, reason]);
  });

  test('a crash loop fails at once, in the words of the pods', () => {
    const condition = judged({ present: deployed({ ...ill, conditions: [rolling] }), pods: crash });
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'CrashLoopBackOff',
      message: 'CrashLoopBackOff: container web: back-off',
    });
  });

  test('a failure stays a failure between two crashes', () => {
    const present = deployed({ ...ill, conditions: [rolling] });
    const before = judged({ present, pods: crash });
    expect(judged({ present, before, now: later(60) })).toEqual(before);
  });

  test('an edit starts a new deadline', () => {
    const before = judged({ present: deployed(ill), pods: crash });
    expect(judged({ present: deployed(ill, {}, 2), before, now: later(60) })).toMatchObject({
      status: 'Unknown',
      lastTransitionTime: later(60),
    });
  });

  test('a Deployment that breaks after its rollout has its own deadline, then it is unhealthy', () => {
    const present = deployed({ ...ill, conditions: [complete] }, { progressDeadlineSeconds: 30 });
    const first = judgeHealth({ present, health: healthOf(present), before: undefined, now: start });
    expect(first.again).toBe(later(30));
    const before = first.condition;
    expect(judged({ present, before, now: later(29) })?.status).toBe('Unknown');
    expect(judged({ present, before, now: later(30) })).toMatchObject({ status: 'False', reason: 'DeadlineExceeded' });
  });

  test('kinds without a deadline of their own have ten minutes', () => {
    expect(judgeHealth({ present: stateful(0), health: 'Unhealthy', before: undefined, now: start }).again).toBe(
      later(600),
    );
  });
});

describe('the state of a template in a member', () => {
  const condition = (type: string, status: 'True' | 'False' | 'Unknown', message = ''): Omit<Condition, 'reason'> => ({
    type,
    status,
    message,
    lastTransitionTime: start,
  });
  const applied = condition('Applied', 'True');
  test.each([
    ['nothing is said yet', [], false, 'progressing'],
    ['it is applied', [applied], false, 'inEffect'],
    ['the member refused it', [condition('Applied', 'False', 'no')], false, 'failing'],
    ['it is inside its deadline', [applied, condition('Healthy', 'Unknown', 'soon')], false, 'progressing'],
    ['it is past it', [applied, condition('Healthy', 'False', 'crash')], false, 'unhealthy'],
    ['it is suspended', [applied], true, 'suspended'],
    ['it is suspended and crashes', [applied, condition('Healthy', 'False', 'crash')], true, 'unhealthy'],
  ] as const)('%s: %s', (_, conditions, suspendDispatching, state) => {
    expect(deliveryOf({ metadata: {}, spec: { suspendDispatching }, status: { conditions } }).state).toBe(state);
  });
});

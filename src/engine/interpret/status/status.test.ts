import { describe, expect, test } from 'vitest';
import type { AggregatedStatusItem, KubeObject } from '../../../api/index.ts';
import { aggregateStatus, healthOf, reflectStatus } from './status.ts';

const noon = '2026-01-01T12:00:00Z';
const later = '2026-01-01T13:00:00Z';

function object(type: string, parts: object = {}): KubeObject {
  const [apiVersion = '', kind = ''] = type.split(' ');
  return { apiVersion, kind, metadata: { name: 'it', generation: 1 }, ...parts };
}

/** Reports of member1, member2 …; undefined for a member that has not reported yet. */
function reports(...statuses: readonly (object | undefined)[]): readonly AggregatedStatusItem[] {
  return statuses.map((status, i) => ({
    clusterName: `member${i + 1}`,
    applied: true,
    ...(status && { status }),
  }));
}

const over = (type: string, time = noon): object => ({ type, status: 'True', lastTransitionTime: time });
const done = (time: string): object => ({
  succeeded: 1,
  startTime: noon,
  completionTime: time,
  conditions: [over('SuccessCriteriaMet', time), over('Complete', time)],
});

describe('the status of a Job', () => {
  const job = (status: object = {}): KubeObject => object('batch/v1 Job', { status });

  test('is complete when it is in every member, at the time of the last', () => {
    const status = aggregateStatus(job(), reports(done(later), done(noon)));
    expect(status).toMatchObject({ succeeded: 2, active: 0, failed: 0, startTime: noon, completionTime: later });
    expect(status).toMatchObject({
      conditions: [
        { type: 'SuccessCriteriaMet', status: 'True' },
        { type: 'Complete', status: 'True', lastTransitionTime: later },
      ],
    });
  });

  test.each([
    ['runs', { active: 1, startTime: noon }],
    ['has said nothing', undefined],
  ])('is not complete while one member %s', (_, other) => {
    const status = aggregateStatus(job(), reports(done(noon), other));
    expect(status).toMatchObject({ succeeded: 1 });
    expect(status).not.toHaveProperty('conditions');
    expect(status).not.toHaveProperty('completionTime');
  });

  test('is failed when it is in one, and names it', () => {
    const failed = { failed: 1, startTime: noon, conditions: [over('Failed')] };
    expect(aggregateStatus(job(), reports(done(noon), failed))).toMatchObject({
      conditions: [{ type: 'Failed', status: 'True', message: 'it failed in member2' }],
    });
  });

  test('says what was to be, as an API server asks of one that failed', () => {
    const failed = { failed: 1, startTime: noon, conditions: [over('FailureTarget'), over('Failed', later)] };
    expect(aggregateStatus(job(), reports(done(noon), failed))).toMatchObject({
      conditions: [
        { type: 'FailureTarget', status: 'True', message: 'it failed in member2', lastTransitionTime: noon },
        { type: 'Failed', status: 'True', message: 'it failed in member2', lastTransitionTime: later },
      ],
    });
  });

  test('a status that is over stays as it is', () => {
    expect(aggregateStatus(job({ conditions: [over('Complete')] }), reports({ active: 1 }))).toBeUndefined();
  });

  test('is nothing while it is nowhere', () => {
    expect(aggregateStatus(job(), [])).toBeUndefined();
  });
});

test('a CronJob says what runs anywhere, and when it last ran', () => {
  const [one, two] = [{ name: 'one' }, { name: 'two' }];
  const status = aggregateStatus(
    object('batch/v1 CronJob', { status: { active: [{ name: 'old' }] } }),
    reports({ active: [one], lastScheduleTime: later }, { active: [two], lastScheduleTime: noon }),
  );
  expect(status).toEqual({ active: [one, two], lastScheduleTime: later });
});

describe('the phase', () => {
  test.each<[string, string, readonly (object | undefined)[], string | undefined]>([
    ['of Pods that run', 'v1 Pod', [{ phase: 'Running' }, { phase: 'Running' }], 'Running'],
    ['of Pods of which one waits', 'v1 Pod', [{ phase: 'Running' }, { phase: 'Pending' }], 'Pending'],
    ['of Pods of which one is not heard of', 'v1 Pod', [{ phase: 'Running' }, undefined], 'Pending'],
    ['of Pods of which one failed', 'v1 Pod', [{ phase: 'Failed' }, { phase: 'Pending' }], 'Failed'],
    ['of Pods of which one is done', 'v1 Pod', [{ phase: 'Succeeded' }, { phase: 'Running' }], 'Running'],
    ['of a Pod that is nowhere', 'v1 Pod', [], undefined],
    ['of claims that are bound', 'v1 PersistentVolumeClaim', [{ phase: 'Bound' }, { phase: 'Bound' }], 'Bound'],
    ['of claims of which one waits', 'v1 PersistentVolumeClaim', [{ phase: 'Bound' }, { phase: 'Pending' }], 'Pending'],
    ['of claims of which one is lost', 'v1 PersistentVolumeClaim', [{ phase: 'Lost' }, { phase: 'Pending' }], 'Lost'],
    ['of volumes', 'v1 PersistentVolume', [{ phase: 'Released' }, { phase: 'Bound' }], 'Bound'],
  ])('%s', (_, type, statuses, expected) => {
    const status = aggregateStatus(object(type, { status: { phase: 'Pending' } }), reports(...statuses));
    expect((status as { phase?: string } | undefined)?.phase).toBe(expected);
  });

  test('the status of a Pod comes with its containers in every member', () => {
    const container = { name: 'c', ready: true, restartCount: 1, state: { running: {} } };
    const running = { phase: 'Running', containerStatuses: [{ ...container, containerID: 'x' }] };
    expect(aggregateStatus(object('v1 Pod'), reports(running, running))).toEqual({
      phase: 'Running',
      containerStatuses: [container, container],
    });
  });
});

describe('addresses', () => {
  const service = (type: string): KubeObject => object('v1 Service', { spec: { type } });
  const at = (...ips: readonly string[]): object => ({ loadBalancer: { ingress: ips.map((ip) => ({ ip })) } });

  test('the conditions of all members are listed, each once and in order', () => {
    expect(aggregateStatus(service('LoadBalancer'), reports(at('10.0.0.2', '10.0.0.1'), at('10.0.0.2')))).toEqual(
      at('10.0.0.1', '10.0.0.2'),
    );
    expect(aggregateStatus(object('networking.k8s.io/v1 Ingress'), reports(at('10.0.0.2')))).toEqual(at('10.0.0.2'));
    expect(aggregateStatus(service('LoadBalancer'), reports(undefined))).toEqual({ loadBalancer: {} });
  });

  test('are asked of balanced Services only', () => {
    const status = { ...at('10.0.0.1'), conditions: [] };
    expect(reflectStatus({ ...service('ClusterIP'), status } as KubeObject)).toBeUndefined();
    expect(reflectStatus({ ...service('LoadBalancer'), status } as KubeObject)).toEqual(at('10.0.0.1'));
    expect(aggregateStatus(service('ClusterIP'), reports(undefined))).toBeUndefined();
  });
});

test('budgets and autoscalers add up, and a disrupted Pod says where it is', () => {
  const budget = object('policy/v1 PodDisruptionBudget');
  const report = { disruptionsAllowed: 1, expectedPods: 3, desiredHealthy: 2, currentHealthy: 3 };
  expect(aggregateStatus(budget, reports({ ...report, disruptedPods: { a: noon } }, report))).toEqual({
    disruptionsAllowed: 2,
    expectedPods: 6,
    desiredHealthy: 4,
    currentHealthy: 6,
    disruptedPods: { 'member1/a': noon },
  });
  const scaler = object('autoscaling/v2 HorizontalPodAutoscaler', { status: { observedGeneration: 1 } });
  expect(aggregateStatus(scaler, reports({ currentReplicas: 2, desiredReplicas: 3 }))).toEqual({
    observedGeneration: 1,
    currentReplicas: 2,
    desiredReplicas: 3,
  });
});

const inPart = ({ updated, available }: { readonly updated: number; readonly available: number }): KubeObject =>
  object('apps/v1 StatefulSet', {
    spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
    status: { observedGeneration: 1, updatedReplicas: updated, availableReplicas: available },
  });

describe('health', () => {
  const ready = { phase: 'Running', conditions: [over('Ready')] };
  const counts = { observedGeneration: 1, availableReplicas: 1 };
  test.each<[string, KubeObject, 'Healthy' | 'Unhealthy']>([
    ['a Pod that is ready', object('v1 Pod', { status: ready }), 'Healthy'],
    ['a Pod that runs and is not ready', object('v1 Pod', { status: { phase: 'Running' } }), 'Unhealthy'],
    ['a Pod that is done', object('v1 Pod', { status: { phase: 'Succeeded' } }), 'Healthy'],
    ['a claim that waits', object('v1 PersistentVolumeClaim', { status: { phase: 'Pending' } }), 'Unhealthy'],
    ['a claim that is bound', object('v1 PersistentVolumeClaim', { status: { phase: 'Bound' } }), 'Healthy'],
    ['a Service', object('v1 Service', { spec: { type: 'ClusterIP' } }), 'Healthy'],
    [
      'a Service without the address it asks for',
      object('v1 Service', { spec: { type: 'LoadBalancer' } }),
      'Unhealthy',
    ],
    ['a ReplicaSet', object('apps/v1 ReplicaSet', { spec: { replicas: 1 }, status: counts }), 'Healthy'],
    [
      'a ReplicaSet that lacks one',
      object('apps/v1 ReplicaSet', { spec: { replicas: 2 }, status: counts }),
      'Unhealthy',
    ],
    [
      'a budget that is overdrawn',
      object('policy/v1 PodDisruptionBudget', { status: { currentHealthy: 1, desiredHealthy: 2 } }),
      'Unhealthy',
    ],
    ['a StatefulSet of which a part is to be updated, and is', inPart({ updated: 1, available: 3 }), 'Healthy'],
    ['one of which that part is not updated yet', inPart({ updated: 0, available: 3 }), 'Unhealthy'],
    ['one that lacks a Pod of the other part', inPart({ updated: 1, available: 2 }), 'Unhealthy'],
    ['a kind of which nothing is known', object('example.com/v1 Thing'), 'Healthy'],
  ])('%s: %s', (_, one, expected) => {
    expect(healthOf(one)).toBe(expected);
  });
});

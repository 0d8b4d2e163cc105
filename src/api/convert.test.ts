import { describe, expect, it } from 'vitest';
import { convertObject, storedFieldLabel } from './convert.ts';
import type { KubeObject } from './meta.ts';

const target = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
const metadata = { name: 'web', namespace: 'default', annotations: { team: 'red' } };

function v2(spec: object, status?: object): KubeObject {
  const whole = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata };
  return {
    ...whole,
    spec: { scaleTargetRef: target, maxReplicas: 9, ...spec },
    ...(status && { status }),
  } as KubeObject;
}

const cpu = (utilization: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: utilization } },
});

describe('autoscalers', () => {
  it('show their CPU target as a field of v1', () => {
    expect(convertObject(v2({ minReplicas: 2, metrics: [cpu(70)] }), 'autoscaling/v1')).toEqual({
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: { scaleTargetRef: target, minReplicas: 2, maxReplicas: 9, targetCPUUtilizationPercentage: 70 },
    });
  });

  it('keep everything else in the annotations that kubectl knows', () => {
    const pods = {
      type: 'Pods',
      pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '100' } },
    };
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
    const old = convertObject(v2({ metrics: [pods, cpu(50)], behavior }), 'autoscaling/v1');
    expect(old.metadata.annotations).toEqual({
      team: 'red',
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Pods","pods":{"metricName":"rps","targetAverageValue":"100"}}]',
      'autoscaling.alpha.kubernetes.io/behavior': '{"ScaleDown":{"StabilizationWindowSeconds":60}}',
    });
    expect(old).toHaveProperty('spec.targetCPUUtilizationPercentage', 50);
  });

  const selector = { matchLabels: { queue: 'a' } };
  const metrics: readonly (readonly [string, object])[] = [
    [
      'memory by value',
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    ],
    [
      'a container',
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'app', target: { type: 'Utilization', averageUtilization: 40 } },
      },
    ],
    [
      'pods',
      {
        type: 'Pods',
        pods: { metric: { name: 'rps', selector }, target: { type: 'AverageValue', averageValue: '5' } },
      },
    ],
    [
      'an object',
      {
        type: 'Object',
        object: { describedObject: target, metric: { name: 'hits' }, target: { type: 'Value', value: '10k' } },
      },
    ],
    [
      'an external value',
      { type: 'External', external: { metric: { name: 'lag', selector }, target: { type: 'Value', value: '30' } } },
    ],
    [
      'an external average',
      { type: 'External', external: { metric: { name: 'lag' }, target: { type: 'AverageValue', averageValue: '3' } } },
    ],
  ];
  it.each(metrics)('come back from v1 as they were: %s', (_, metric) => {
    const behavior = { scaleUp: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] } };
    const object = v2(
      { minReplicas: 1, metrics: [metric, cpu(60)], behavior },
      {
        currentReplicas: 2,
        desiredReplicas: 3,
        lastScaleTime: '2026-01-01T00:00:00Z',
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 55, averageValue: '550m' } } },
          { type: 'External', external: { metric: { name: 'lag' }, current: { value: '12' } } },
        ],
        conditions: [{ type: 'AbleToScale', status: 'True', reason: 'ReadyForNewScale', message: 'm' }],
      },
    );
    const old = convertObject(object, 'autoscaling/v1');
    expect(old).toHaveProperty('status.currentCPUUtilizationPercentage', 55);
    expect(old).not.toHaveProperty('status.conditions');
    expect(convertObject(old, 'autoscaling/v2')).toEqual(object);
  });

  it('mean 80 % of CPU when v1 names no metric, and ignore annotations that are not JSON', () => {
    const old = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', annotations: { 'autoscaling.alpha.kubernetes.io/metrics': 'nonsense{' } },
      spec: { scaleTargetRef: target, maxReplicas: 9 },
    } as KubeObject;
    expect(convertObject(old, 'autoscaling/v2')).toEqual({ ...v2({ metrics: [cpu(80)] }), metadata: { name: 'web' } });
  });
});

describe('events', () => {
  const core = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'default' },
    involvedObject: { kind: 'Pod', name: 'p' },
    reason: 'Started',
    message: 'Started container',
    source: { component: 'kubelet', host: 'n1' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:01:00Z',
    count: 3,
    type: 'Normal',
    reportingComponent: 'kubelet',
  };
  const events = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'default' },
    regarding: { kind: 'Pod', name: 'p' },
    reason: 'Started',
    note: 'Started container',
    deprecatedSource: { component: 'kubelet', host: 'n1' },
    deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
    deprecatedLastTimestamp: '2026-01-01T00:01:00Z',
    deprecatedCount: 3,
    type: 'Normal',
    reportingController: 'kubelet',
  };

  it('have two spellings of one object', () => {
    expect(convertObject(core, 'events.k8s.io/v1')).toEqual(events);
    expect(convertObject(events, 'v1')).toEqual(core);
    expect(convertObject(core, 'v1')).toBe(core);
  });

  it.each([
    ['events.k8s.io/v1', 'Event', 'regarding.name', 'involvedObject.name'],
    ['events.k8s.io/v1', 'Event', 'reportingController', 'reportingComponent'],
    ['events.k8s.io/v1', 'Event', 'metadata.name', 'metadata.name'],
    ['v1', 'Event', 'involvedObject.name', 'involvedObject.name'],
    ['example.com/v1', 'Thing', 'regarding.name', 'regarding.name'],
  ])('%s %s is selected by %s through %s', (apiVersion, kind, label, expected) => {
    expect(storedFieldLabel(apiVersion, kind, label)).toBe(expected);
  });
});

it('serves a custom kind in every version under its name', () => {
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
  expect(convertObject(widget, 'example.com/v2')).toEqual({ ...widget, apiVersion: 'example.com/v2' });
});

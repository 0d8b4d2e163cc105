import { expect, test } from 'vitest';
import type { Autoscaler, Metric, Pod } from '../cluster/objects.ts';
import { decide, loadAnnotation } from './autoscalers.ts';
import { countsOf } from './budgets.ts';
import { completedText, indexAnnotation, nextIndexes } from './indexes.ts';
import { templateHash } from './revision.ts';

const indexed = (...indexes: readonly number[]): readonly Pod[] =>
  indexes.map((index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${index}`, annotations: { [indexAnnotation]: String(index) } },
    spec: { containers: [] },
  }));

test.each([
  [[], ''],
  [[0, 1, 2], '0-2'],
  [[4, 0, 1, 1, 6], '0-1,4,6'],
])('completed indexes %j', (indexes, text) => expect(completedText(indexed(...indexes))).toBe(text));

test('the lowest free indexes come next', () => {
  expect(nextIndexes({ completions: 6, active: indexed(0, 3), succeeded: indexed(1) }, 2)).toEqual([2, 4]);
  expect(nextIndexes({ completions: 2, active: indexed(0), succeeded: indexed(1) }, 2)).toEqual([]);
});

test.each([
  [{ minAvailable: 2 }, 3, 3, 2, 1],
  [{ minAvailable: '50%' }, 3, 3, 2, 1],
  [{ maxUnavailable: 1 }, 3, 2, 2, 0],
  [{ maxUnavailable: '34%' }, 3, 3, 1, 2],
  [{ maxUnavailable: 5 }, 3, 3, 0, 3],
  [{ minAvailable: 0 }, 0, 0, 0, 0],
])('a budget %j of %i pods, %i of them healthy', (spec, expected, healthy, desiredHealthy, disruptionsAllowed) =>
  expect(countsOf({ spec }, { expected, healthy })).toEqual({
    expectedPods: expected,
    currentHealthy: healthy,
    desiredHealthy,
    disruptionsAllowed,
  }),
);

const autoscaler = (metrics: readonly Metric[]): Autoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'a' }, minReplicas: 2, maxReplicas: 6, metrics },
});

const target = (
  replicas: number,
  loads: Readonly<Record<string, string>>,
): NonNullable<Parameters<typeof decide>[1]> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'a',
    annotations: Object.fromEntries(Object.entries(loads).map(([name, load]) => [loadAnnotation + name, load])),
  },
  spec: { replicas },
});

const cpu: Metric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};
const requests: Metric = {
  type: 'Pods',
  pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '100' } },
};

test.each([
  ['grows with the load', [cpu], 2, { cpu: '200' }, { desired: 4 }],
  ['shrinks with it', [cpu], 6, { cpu: '120' }, { desired: 3 }],
  ['follows the neediest metric', [cpu, requests], 2, { cpu: '100', requests: '450' }, { desired: 5 }],
  ['does not exceed its limit', [cpu], 2, { cpu: '900' }, { desired: 6, limited: 'TooManyReplicas' }],
  ['does not fall below its limit', [cpu], 4, { cpu: '10' }, { desired: 2, limited: 'TooFewReplicas' }],
  ['stays where nothing is known', [cpu], 3, {}, { desired: 3 }],
  ['leaves what is switched off', [cpu], 0, { cpu: '900' }, { desired: 0 }],
])('an autoscaler %s', (_, metrics, replicas, loads, expected) => {
  const { current, desired, limited, blind } = decide(autoscaler(metrics), target(replicas, loads));
  expect({ current, desired, ...(limited && { limited }) }).toEqual({ current: replicas, ...expected });
  expect(blind === undefined).toBe(replicas > 0 && Object.keys(loads).length > 0);
});

test('a template has one name whatever the order of its keys, and another after a collision', () => {
  const one = { metadata: { labels: { a: '1', b: '2' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const same = { spec: { containers: [{ image: 'i', name: 'c' }] }, metadata: { labels: { b: '2', a: '1' } } };
  expect(templateHash(same)).toBe(templateHash(one));
  expect(templateHash(one, 1)).not.toBe(templateHash(one));
});

import { expect, test } from 'vitest';
import type { Cluster } from '../../api/index.ts';
import { binding, cluster } from '../../../test/kit/fleet.ts';
import { capacityFor, quotaFor, setsFor } from './available.ts';

const asking = (resourceRequest?: Readonly<Record<string, string>>, replicas = 5) =>
  binding({}, { replicas, ...(resourceRequest && { replicaRequirements: { resourceRequest } }) }).spec;

const used: Cluster = {
  ...cluster('used'),
  status: {
    resourceSummary: {
      allocatable: { pods: '10', cpu: '4' },
      allocated: { pods: '4', cpu: '1500m' },
      allocating: { pods: '1', cpu: '500m' },
    },
  },
};

test.each<[string, ReturnType<typeof asking>, Cluster, number]>([
  ['no account', asking(), cluster('a'), 0],
  ['pods alone', asking(), cluster('a', { free: { pods: '7' } }), 7],
  [
    'the scarcest counts',
    asking({ cpu: '500m', memory: '1Gi' }),
    cluster('a', { free: { pods: '99', cpu: '4', memory: '3Gi' } }),
    3,
  ],
  ['a resource it lacks', asking({ gpu: '1' }), cluster('a', { free: { pods: '7' } }), 0],
  ['what is used is not free', asking({ cpu: '1' }), used, 2],
  ['a tenth goes into one ten times', asking({ cpu: '100m' }), cluster('a', { free: { pods: '99', cpu: '1' } }), 10],
  [
    'a full cluster',
    asking(),
    { ...used, status: { resourceSummary: { allocatable: { pods: '1' }, allocated: { pods: '2' } } } },
    0,
  ],
  ['a request of nothing', asking({ cpu: '0' }), cluster('a', { free: { pods: '7' } }), 7],
  ['nothing to place', asking(undefined, 0), cluster('a'), Number.MAX_SAFE_INTEGER],
])('%s', (_, spec, where, capacity) => expect(capacityFor(spec, where)).toBe(capacity));

test.each<[string, { hard: Record<string, string>; used: Record<string, string> }, number, number]>([
  ['what is left, and what runs', { hard: { 'requests.cpu': '50m' }, used: { 'requests.cpu': '20m' } }, 2, 5],
  ['nothing more', { hard: { cpu: '20m' }, used: { cpu: '20m' } }, 2, 2],
  ['no more than the whole, when the report is older than what runs', { hard: { cpu: '20m' }, used: {} }, 2, 2],
  ['the fewest of several resources', { hard: { cpu: '1', pods: '3' }, used: { pods: '1' } }, 0, 2],
  ['nothing, when more is used than allowed', { hard: { cpu: '10m' }, used: { cpu: '50m' } }, 0, 0],
  ['any number, when no resource is limited', { hard: { secrets: '1' }, used: {} }, 0, Number.MAX_SAFE_INTEGER],
])('under a ResourceQuota: %s', (_, quota, present, most) => {
  const spec = binding({}, { replicas: 9, replicaRequirements: { resourceRequest: { cpu: '10m' } } }).spec;
  expect(quotaFor(spec, [quota], present)).toBe(most);
});

test.each<[string, readonly (readonly [replicas: number, cpu: string])[], Record<string, string>, number]>([
  [
    'bounded by CPU',
    [
      [1, '200m'],
      [3, '100m'],
    ],
    { cpu: '1', pods: '100' },
    2,
  ],
  [
    'bounded by pods',
    [
      [1, '200m'],
      [3, '100m'],
    ],
    { cpu: '10', pods: '9' },
    2,
  ],
  [
    'nowhere whole',
    [
      [1, '200m'],
      [3, '100m'],
    ],
    { cpu: '10', pods: '3' },
    0,
  ],
])('sets of components: %s', (_, parts, free, sets) => {
  const components = parts.map(([replicas, cpu], i) => ({
    name: `part${i}`,
    replicas,
    replicaRequirements: { resourceRequest: { cpu } },
  }));
  expect(setsFor(components, cluster('a', { free }))).toBe(sets);
});

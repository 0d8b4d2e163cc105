import { expect, test } from 'vitest';
import type { Cluster } from '../../api/index.ts';
import { binding, cluster } from '../../../test/kit/fleet.ts';
import { capacityFor } from './available.ts';

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

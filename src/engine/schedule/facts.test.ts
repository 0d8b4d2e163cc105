import { describe, expect, test } from 'vitest';
import type { Cluster, KubeObject, View } from '../../api/index.ts';
import { defaultGates, defaultSettings } from '../../api/index.ts';
import { binding, cluster, members, noon } from '../../../test/kit/fleet.ts';
import { deployment } from '../../../test/kit/objects.ts';
import { worksKey } from '../match/index.ts';
import { gatherSchedule } from './gather.ts';
import { isFleetChange, isWorkload, strategyOf } from './facts.ts';

describe('isFleetChange', () => {
  const base = cluster('a', { labels: { tier: 'gold' }, region: 'eu' });
  test.each<[string, Cluster | undefined, boolean]>([
    ['nothing', { ...base }, false],
    ['a heartbeat', { ...base, status: { ...base.status, conditions: [] } }, false],
    ['room', cluster('a', { labels: { tier: 'gold' }, region: 'eu', free: { pods: '1' } }), false],
    ['a label', cluster('a', { region: 'eu' }), true],
    ['a taint', { ...base, spec: { ...base.spec, taints: [{ key: 'x', effect: 'NoExecute' }] } }, true],
    ['a kind that it serves', { ...base, status: { apiEnablements: [] } }, true],
    ['that it leaves', { ...base, metadata: { ...base.metadata, deletionTimestamp: noon } }, true],
    ['that it is gone', undefined, true],
  ])('%s', (_, after, changed) => {
    expect(isFleetChange(base, after)).toBe(changed);
    expect(isFleetChange(after, base)).toBe(changed);
  });
});

function viewOf(clusters: readonly Cluster[]): View {
  return {
    now: noon,
    gates: defaultGates,
    settings: defaultSettings,
    clusters,
    get: (key) => (key === 'the binding' ? binding({}) : undefined),
    each: () => undefined,
    unreadable: new Map(),
    has: () => false,
    namespaces: () => undefined,
    member: () => 'absent',
  };
}

test('facts are gathered for a binding that exists', () => {
  const view = viewOf(members(1));
  expect(gatherSchedule(view, 'the binding')).toEqual({
    binding: binding({}),
    clusters: members(1),
    failover: false,
    isFleetGoing: false,
    graceful: true,
    gates: defaultGates,
    neighbours: undefined,
    excess: undefined,
    reportedQuotas: undefined,
    now: noon,
    lastReadyIn: expect.any(Function),
    suspendedIn: expect.any(Function),
  });
  expect(gatherSchedule(view, 'another')).toBeUndefined();
});

test('a suspended Work keeps a copy, unless the Work is being deleted', () => {
  const object = binding({}, { replicas: 2 });
  const copy = deployment('web', { replicas: 2 });
  const workIn = (member: string, deletionTimestamp?: string): KubeObject =>
    ({
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name: 'web', namespace: `karmada-es-${member}`, ...(deletionTimestamp && { deletionTimestamp }) },
      spec: { workload: { manifests: [copy] }, suspendDispatching: true },
    }) as KubeObject;
  const view: View = {
    ...viewOf(members(2)),
    get: (key) => (key === 'the binding' ? object : undefined),
    each: (key, visit) => {
      if (key === worksKey('')) [workIn('member1', noon), workIn('member2')].forEach((work) => visit(work, ''));
    },
    member: () => copy,
  };
  expect(gatherSchedule(view, 'the binding')?.suspendedIn?.()).toEqual(new Map([['member2', 2]]));
});

test.each([
  ['copies when nothing is said', undefined, 'duplicated'],
  ['copies', { replicaSchedulingType: 'Duplicated' as const }, 'duplicated'],
  ['division is meant when only the rest is said', {}, 'byWeight'],
  ['by room', { weightPreference: { dynamicWeight: 'AvailableReplicas' as const } }, 'byAvailability'],
  ['together', { replicaDivisionPreference: 'Aggregated' as const }, 'byAvailability'],
])('the strategy: %s', (_, replicaScheduling, strategy) => {
  expect(strategyOf(replicaScheduling ? { replicaScheduling } : {})).toBe(strategy);
});

test('a workload that is scaled to 0 is still one', () => {
  expect(isWorkload(binding({}, { replicas: 0 }).spec)).toBe(true);
  expect(isWorkload(binding({}, { replicaRequirements: {} }).spec)).toBe(true);
  expect(isWorkload(binding({}).spec)).toBe(false);
});

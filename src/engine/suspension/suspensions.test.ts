import { describe, expect, test } from 'vitest';
import type { Condition, KubeObject, RolloutPolicy, Suspension, View } from '../../api/index.ts';
import { clusterRole, deployment, deployments, rollout } from '../../../test/kit/objects.ts';
import type { RolloutWords } from '../../../test/kit/objects.ts';
import { emptyWorld } from '../world/index.ts';
import { decideExpiry } from './expire.ts';
import { suspends, suspensionsOn, isSuspendedOn, rolloutSuspensions, suspendedClusters } from './suspensions.ts';
import type { Suspensions, Clusters, ActiveSuspension, PlacedBy } from './suspensions.ts';

test.each<[Suspension | undefined, Clusters | undefined]>([
  [undefined, undefined],
  [{}, undefined],
  [{ suspendDispatching: true }, 'all'],
  [{ dispatching: true }, 'all'],
  [{ suspendDispatching: false }, undefined],
  [{ dispatching: false }, undefined],
  [{ suspendDispatchingOnClusters: { clusterNames: ['a'] } }, ['a']],
  [{ dispatchingOnClusters: { clusterNames: ['a', 'b'] } }, ['a', 'b']],
  [{ dispatchingOnClusters: { clusterNames: [] } }, undefined],
  [{ dispatchingOnClusters: {} }, undefined],
])('%j suspends %j', (suspension, expected) => {
  expect(suspendedClusters(suspension)).toEqual(expected);
});

const suspending = (clusters: Clusters): ActiveSuspension => ({ by: 'x', clusters });
const cause = (clusters: readonly string[], ...all: readonly ActiveSuspension[]): PlacedBy => ({
  clusters: new Set(clusters),
  suspensions: all,
});

test('a suspension covers the clusters that it names, or all', () => {
  expect(suspends([suspending(['a'])], 'a')).toBe(true);
  expect(suspends([suspending(['a'])], 'b')).toBe(false);
  expect(suspends([suspending('all')], 'b')).toBe(true);
  expect(suspends([], 'a')).toBe(false);
});

describe('sending to a waits', () => {
  test.each<[string, Suspensions, boolean]>([
    ['when nothing is suspended', { own: [], placedBy: [cause(['a'])] }, false],
    ['when its policy is suspended', { own: [], placedBy: [cause(['a'], suspending(['a']))] }, true],
    ['when its policy suspends another cluster', { own: [], placedBy: [cause(['a'], suspending(['b']))] }, false],
    [
      'when the object itself is suspended, for every cause',
      { own: [suspending('all')], placedBy: [cause(['a'])] },
      true,
    ],
    [
      'when one of two causes is suspended',
      { own: [], placedBy: [cause(['a'], suspending('all')), cause(['a'])] },
      false,
    ],
    [
      'when both causes are suspended',
      { own: [], placedBy: [cause(['a'], suspending('all')), cause(['a'], suspending(['a']))] },
      true,
    ],
    [
      'when the cause for that cluster is suspended',
      { own: [], placedBy: [cause(['a'], suspending('all')), cause(['b'])] },
      true,
    ],
    [
      'when no cause is left and the own policy is suspended',
      { own: [], placedBy: [cause(['b'], suspending('all'))] },
      true,
    ],
    [
      'when a suspended workload never needed it there',
      { own: [], placedBy: [cause(['b']), { ...cause(['b'], suspending('all')), isReferrer: true }] },
      false,
    ],
    ['when no cause is left and nothing is suspended', { own: [], placedBy: [cause(['b'])] }, false],
    ['when there is no cause at all', { own: [], placedBy: [] }, false],
  ])('%s', (_, gathered, expected) => {
    expect(isSuspendedOn(gathered, 'a')).toBe(expected);
  });

  test('names every suspension of the cluster', () => {
    const gathered = { own: [suspending(['a'])], placedBy: [cause(['a'], suspending('all'), suspending(['b']))] };
    expect(suspensionsOn(gathered, 'a').map(({ clusters }) => clusters)).toEqual([['a'], 'all']);
  });
});

const noon = '2026-01-01T12:00:00Z';
const nginx = deployment('nginx', { labels: { tier: 'front' } });
const all: Suspension = { suspendDispatching: true };

/** The suspensions of a template under these rollout policies. */
function suspendersOf(template: KubeObject, ...objects: readonly RolloutPolicy[]): readonly string[] {
  const world = emptyWorld({ now: noon });
  for (const object of objects) world.write({ verb: 'create', object });
  return rolloutSuspensions(world, template).map(({ by }) => by);
}

describe.each([
  ['namespace', 'RolloutPolicy/default/r'],
  ['cluster', 'ClusterRolloutPolicy/r'],
] as const)('a rollout policy of a %s', (scope, by) => {
  const rolloutWith = (suspension: Suspension | undefined, words: RolloutWords = {}): RolloutPolicy =>
    rollout('r', suspension, { scope, ...words });
  const named = [by];

  test.each<[string, RolloutPolicy, readonly string[]]>([
    ['suspends the template that it names', rolloutWith(all), named],
    [
      'suspends by labels',
      rolloutWith(all, { resourceSelectors: [deployments({ labelSelector: { matchLabels: { tier: 'front' } } })] }),
      named,
    ],
    ['does not suspend another name', rolloutWith(all, { resourceSelectors: [deployments({ name: 'other' })] }), []],
    [
      'does not suspend another kind',
      rolloutWith(all, { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }),
      [],
    ],
    [
      'suspends in its namespace',
      rolloutWith(all, { resourceSelectors: [deployments({ namespace: 'default' })] }),
      named,
    ],
    ['does not suspend in another', rolloutWith(all, { resourceSelectors: [deployments({ namespace: 'other' })] }), []],
    ['suspends nothing without a suspension', rolloutWith(undefined), []],
    ['suspends until its time', rolloutWith(all, { until: '2026-01-01T12:00:01Z' }), named],
    ['suspends nothing from its time on', rolloutWith(all, { until: noon }), []],
  ])('%s', (_, object, expected) => {
    expect(suspendersOf(nginx, object)).toEqual(expected);
  });

  test('a rollout policy that is being deleted suspends nothing', () => {
    const leaving = rolloutWith(all);
    expect(suspendersOf(nginx, { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: noon } })).toEqual([]);
  });

  test('says who suspends, why and until when', () => {
    const world = emptyWorld({ now: noon });
    const words = { reason: 'audit', owner: 'ann', until: '2026-01-02T00:00:00Z' };
    world.write({ verb: 'create', object: rolloutWith(all, words) });
    expect(rolloutSuspensions(world, nginx)).toEqual([{ by, clusters: 'all', ...words }]);
  });

  test.each<[string, RolloutPolicy, string]>([
    ['suspended', rolloutWith(all), 'Suspended'],
    ['suspends nothing', rolloutWith(undefined), 'SuspensionOver'],
    ['is over', rolloutWith(all, { until: noon }), 'SuspensionOver'],
    ['ends later', rolloutWith(all, { until: '2026-01-01T13:00:00Z' }), 'Suspended again 2026-01-01T13:00:00Z'],
  ])('a rollout policy that %s: %s', (_, object, expected) => {
    const { because, again } = decideExpiry({ rollout: object, now: noon });
    expect(again ? `${because} again ${again}` : because).toBe(expected);
  });

  const later = '2026-01-01T13:00:00Z';
  /** A suspension after the decision at noon was performed; undefined when it comes to nothing. */
  const afterwards = (object: RolloutPolicy): RolloutPolicy | undefined => {
    const write = decideExpiry({ rollout: object, now: noon }).actions[0]?.write;
    return write?.verb === 'updateStatus' ? (write.object as RolloutPolicy) : undefined;
  };
  /** The condition of a suspension with this past at noon, if it is new. */
  const said = (words: RolloutWords, past: Pick<Condition, 'status' | 'message'> | undefined): string | undefined => {
    const conditions = past && [{ type: 'Suspended', reason: 'x', lastTransitionTime: noon, ...past }];
    const object = { ...rolloutWith(all, words), ...(conditions && { status: { conditions } }) };
    const now = afterwards(object)?.status?.conditions ?? [];
    return now.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`)[0];
  };
  const over = { status: 'False', message: `the suspension ended at ${noon}` } as const;

  test.each<[string, RolloutWords, Pick<Condition, 'status' | 'message'> | undefined, string | undefined]>([
    ['that ended', { until: noon }, undefined, `Suspended False SuspensionOver: ${over.message}`],
    [
      'that ended once more',
      { until: noon },
      { ...over, message: 'earlier' },
      `Suspended False SuspensionOver: ${over.message}`,
    ],
    ['that has not ended yet', { until: later }, undefined, undefined],
    ['that has no end', {}, undefined, undefined],
    ['that was given more time', { until: later }, over, 'Suspended True Suspended: the suspension is active again'],
    ['that was given all time', {}, over, 'Suspended True Suspended: the suspension is active again'],
  ])('%s has this to record', (_, words, past, expected) => {
    expect(said(words, past)).toBe(expected);
  });

  test('a rollout policy that has recorded its end has nothing to add, nor has one that is being deleted', () => {
    const object = afterwards(rolloutWith(all, { until: noon })) ?? rolloutWith(undefined);
    expect(decideExpiry({ rollout: object, now: later })).toEqual({ actions: [], because: 'SuspensionOver' });
    const leaving = { ...object, metadata: { ...object.metadata, deletionTimestamp: noon } };
    expect(decideExpiry({ rollout: { ...leaving, status: {} }, now: later }).actions).toEqual([]);
  });
});

describe('rollout policies of both scopes', () => {
  const wide = (words: RolloutWords): RolloutPolicy => rollout('wide', all, { scope: 'cluster', ...words });
  const role = clusterRole('reader');
  const roles = { apiVersion: role.apiVersion, kind: role.kind };
  const anywhere = [deployments()];

  test.each<[string, KubeObject, RolloutPolicy, boolean]>([
    ['one of another namespace does not', nginx, rollout('r', all, { namespace: 'other' }), false],
    ['a cluster-scoped one suspends in all namespaces', nginx, wide({ resourceSelectors: anywhere }), true],
    ['by a list', nginx, wide({ resourceSelectors: [deployments({ namespace: 'shop,default' })] }), true],
    ['by a prefix', nginx, wide({ resourceSelectors: [deployments({ namespace: 'def*' })] }), true],
    ['not by another', nginx, wide({ resourceSelectors: [deployments({ namespace: 'shop*' })] }), false],
    ['what has no namespace', role, wide({ resourceSelectors: [roles] }), true],
    ['what has no namespace, by its name', role, wide({ resourceSelectors: [{ ...roles, name: 'reader' }] }), true],
    ['not of another name', role, wide({ resourceSelectors: [{ ...roles, name: 'writer' }] }), false],
    ['no pattern means it', role, wide({ resourceSelectors: [{ ...roles, namespace: 'default' }] }), false],
    [
      'a namespaced one suspends nothing cluster-scoped',
      role,
      rollout('r', all, { resourceSelectors: [roles] }),
      false,
    ],
  ])('%s', (_, template, object, expected) => {
    expect(suspendersOf(template, object)).toHaveLength(expected ? 1 : 0);
  });

  test('reach no further than their namespace, even if the index shows more than it must', () => {
    const { now, gates, settings, clusters } = emptyWorld({ now: noon });
    const elsewhere = rollout('r', all, { namespace: 'other' });
    const lavish: View = {
      now,
      gates,
      settings,
      clusters,
      get: () => undefined,
      each: (_, visit) => visit(elsewhere, ''),
      unreadable: new Map(),
      has: () => true,
      namespaces: () => {},
      member: () => 'absent',
    };
    expect(rolloutSuspensions(lavish, nginx)).toEqual([]);
    expect(rolloutSuspensions(lavish, deployment('nginx', { namespace: 'other' }))).toHaveLength(2);
  });

  test('are listed side by side, once each', () => {
    const twice = wide({ resourceSelectors: [...anywhere, deployments({ name: 'nginx' })] });
    expect([...suspendersOf(nginx, rollout('r', all), twice)].sort()).toEqual([
      'ClusterRolloutPolicy/wide',
      'RolloutPolicy/default/r',
    ]);
  });
});

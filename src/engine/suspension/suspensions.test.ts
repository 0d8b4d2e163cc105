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
])('%j holds %j', (suspension, expected) => {
  expect(suspendedClusters(suspension)).toEqual(expected);
});

const hold = (clusters: Clusters): ActiveSuspension => ({ by: 'x', clusters });
const puller = (clusters: readonly string[], ...all: readonly ActiveSuspension[]): PlacedBy => ({
  clusters: new Set(clusters),
  suspensions: all,
});

test('a suspension covers the clusters that it names, or all', () => {
  expect(suspends([hold(['a'])], 'a')).toBe(true);
  expect(suspends([hold(['a'])], 'b')).toBe(false);
  expect(suspends([hold('all')], 'b')).toBe(true);
  expect(suspends([], 'a')).toBe(false);
});

describe('sending to a waits', () => {
  test.each<[string, Suspensions, boolean]>([
    ['when nobody holds', { own: [], pullers: [puller(['a'])] }, false],
    ['when its policy holds', { own: [], pullers: [puller(['a'], hold(['a']))] }, true],
    ['when its policy holds another cluster', { own: [], pullers: [puller(['a'], hold(['b']))] }, false],
    ['when the object itself is held, whoever pulls', { own: [hold('all')], pullers: [puller(['a'])] }, true],
    ['when one of two that pull holds', { own: [], pullers: [puller(['a'], hold('all')), puller(['a'])] }, false],
    ['when both that pull hold', { own: [], pullers: [puller(['a'], hold('all')), puller(['a'], hold(['a']))] }, true],
    ['when the one that pulls there holds', { own: [], pullers: [puller(['a'], hold('all')), puller(['b'])] }, true],
    ['when nobody pulls there any more and somebody holds', { own: [], pullers: [puller(['b'], hold('all'))] }, true],
    [
      'when a workload holds there that never pulled it there',
      { own: [], pullers: [puller(['b']), { ...puller(['b'], hold('all')), isReferrer: true }] },
      false,
    ],
    ['when nobody pulls there and nobody holds', { own: [], pullers: [puller(['b'])] }, false],
    ['when nobody pulls at all', { own: [], pullers: [] }, false],
  ])('%s', (_, brakes, expected) => {
    expect(isSuspendedOn(brakes, 'a')).toBe(expected);
  });

  test('and everybody who holds there is named', () => {
    const brakes = { own: [hold(['a'])], pullers: [puller(['a'], hold('all'), hold(['b']))] };
    expect(suspensionsOn(brakes, 'a').map(({ clusters }) => clusters)).toEqual([['a'], 'all']);
  });
});

const noon = '2026-01-01T12:00:00Z';
const nginx = deployment('nginx', { labels: { tier: 'front' } });
const all: Suspension = { suspendDispatching: true };

/** The suspensions of a template under these rollout policies. */
function holding(template: KubeObject, ...objects: readonly RolloutPolicy[]): readonly string[] {
  const world = emptyWorld({ now: noon });
  for (const object of objects) world.write({ verb: 'create', object });
  return rolloutSuspensions(world, template).map(({ by }) => by);
}

describe.each([
  ['namespace', 'RolloutPolicy/default/r'],
  ['cluster', 'ClusterRolloutPolicy/r'],
] as const)('a rollout policy of a %s', (scope, by) => {
  const brake = (suspension: Suspension | undefined, words: RolloutWords = {}): RolloutPolicy =>
    rollout('r', suspension, { scope, ...words });
  const named = [by];

  test.each<[string, RolloutPolicy, readonly string[]]>([
    ['holds what it names', brake(all), named],
    [
      'holds by labels',
      brake(all, { resourceSelectors: [deployments({ labelSelector: { matchLabels: { tier: 'front' } } })] }),
      named,
    ],
    ['does not hold another name', brake(all, { resourceSelectors: [deployments({ name: 'other' })] }), []],
    ['does not hold another kind', brake(all, { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }), []],
    ['holds in its namespace', brake(all, { resourceSelectors: [deployments({ namespace: 'default' })] }), named],
    ['does not hold in another', brake(all, { resourceSelectors: [deployments({ namespace: 'other' })] }), []],
    ['holds nothing without a suspension', brake(undefined), []],
    ['holds until its time', brake(all, { until: '2026-01-01T12:00:01Z' }), named],
    ['holds nothing from its time on', brake(all, { until: noon }), []],
  ])('%s', (_, object, expected) => {
    expect(holding(nginx, object)).toEqual(expected);
  });

  test('a rollout policy that is being deleted suspends nothing', () => {
    const leaving = brake(all);
    expect(holding(nginx, { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: noon } })).toEqual([]);
  });

  test('says who holds, why and until when', () => {
    const world = emptyWorld({ now: noon });
    const words = { reason: 'audit', owner: 'ann', until: '2026-01-02T00:00:00Z' };
    world.write({ verb: 'create', object: brake(all, words) });
    expect(rolloutSuspensions(world, nginx)).toEqual([{ by, clusters: 'all', ...words }]);
  });

  test.each<[string, RolloutPolicy, string]>([
    ['held', brake(all), 'Suspended'],
    ['holds nothing', brake(undefined), 'SuspensionOver'],
    ['is over', brake(all, { until: noon }), 'SuspensionOver'],
    ['ends later', brake(all, { until: '2026-01-01T13:00:00Z' }), 'Suspended again 2026-01-01T13:00:00Z'],
  ])('a rollout policy that %s: %s', (_, object, expected) => {
    const { because, again } = decideExpiry({ rollout: object, now: noon });
    expect(again ? `${because} again ${again}` : because).toBe(expected);
  });

  const later = '2026-01-01T13:00:00Z';
  /** A hold as it is once the decision at noon was performed; undefined when it comes to nothing. */
  const afterwards = (object: RolloutPolicy): RolloutPolicy | undefined => {
    const write = decideExpiry({ rollout: object, now: noon }).actions[0]?.write;
    return write?.verb === 'updateStatus' ? (write.object as RolloutPolicy) : undefined;
  };
  /** The condition of a suspension with this past at noon, if it is new. */
  const said = (words: RolloutWords, past: Pick<Condition, 'status' | 'message'> | undefined): string | undefined => {
    const conditions = past && [{ type: 'Suspended', reason: 'x', lastTransitionTime: noon, ...past }];
    const object = { ...brake(all, words), ...(conditions && { status: { conditions } }) };
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
    ['that was given more time', { until: later }, over, 'Suspended True Suspended: the hold counts again'],
    ['that was given all time', {}, over, 'Suspended True Suspended: the hold counts again'],
  ])('%s has this to record', (_, words, past, expected) => {
    expect(said(words, past)).toBe(expected);
  });

  test('a rollout policy that has recorded its end has nothing to add, nor has one that is being deleted', () => {
    const object = afterwards(brake(all, { until: noon })) ?? brake(undefined);
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
    ['one of the cluster holds in all namespaces', nginx, wide({ resourceSelectors: anywhere }), true],
    ['by a list', nginx, wide({ resourceSelectors: [deployments({ namespace: 'shop,default' })] }), true],
    ['by a prefix', nginx, wide({ resourceSelectors: [deployments({ namespace: 'def*' })] }), true],
    ['not by another', nginx, wide({ resourceSelectors: [deployments({ namespace: 'shop*' })] }), false],
    ['what has no namespace', role, wide({ resourceSelectors: [roles] }), true],
    ['what has no namespace, by its name', role, wide({ resourceSelectors: [{ ...roles, name: 'reader' }] }), true],
    ['not of another name', role, wide({ resourceSelectors: [{ ...roles, name: 'writer' }] }), false],
    ['no pattern means it', role, wide({ resourceSelectors: [{ ...roles, namespace: 'default' }] }), false],
    ['a namespace holds nothing of the cluster', role, rollout('r', all, { resourceSelectors: [roles] }), false],
  ])('%s', (_, template, object, expected) => {
    expect(holding(template, object)).toHaveLength(expected ? 1 : 0);
  });

  test('reach no further than their namespace, even if the index shows more than it must', () => {
    const { now, gates, clusters } = emptyWorld({ now: noon });
    const elsewhere = rollout('r', all, { namespace: 'other' });
    const lavish: View = {
      now,
      gates,
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

  test('hold side by side, once each', () => {
    const twice = wide({ resourceSelectors: [...anywhere, deployments({ name: 'nginx' })] });
    expect([...holding(nginx, rollout('r', all), twice)].sort()).toEqual([
      'ClusterRolloutPolicy/wide',
      'RolloutPolicy/default/r',
    ]);
  });
});

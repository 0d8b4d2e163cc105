import { describe, expect, test } from 'vitest';
import type { RolloutPolicy, Suspension } from '../../api/index.ts';
import { deployment, deployments, rollout } from '../../../test/kit/objects.ts';
import { emptyWorld } from '../world/index.ts';
import { decideHold } from './expire.ts';
import { holds, holdsOn, isHeldOn, rolloutHolds, suspendedClusters } from './holds.ts';
import type { Brakes, Clusters, Hold, Puller } from './holds.ts';

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

const hold = (clusters: Clusters): Hold => ({ by: 'x', clusters });
const puller = (clusters: readonly string[], ...all: readonly Hold[]): Puller => ({
  clusters: new Set(clusters),
  holds: all,
});

test('a hold covers the clusters that it names, or all', () => {
  expect(holds([hold(['a'])], 'a')).toBe(true);
  expect(holds([hold(['a'])], 'b')).toBe(false);
  expect(holds([hold('all')], 'b')).toBe(true);
  expect(holds([], 'a')).toBe(false);
});

describe('sending to a waits', () => {
  test.each<[string, Brakes, boolean]>([
    ['when nobody holds', { own: [], pullers: [puller(['a'])] }, false],
    ['when its policy holds', { own: [], pullers: [puller(['a'], hold(['a']))] }, true],
    ['when its policy holds another cluster', { own: [], pullers: [puller(['a'], hold(['b']))] }, false],
    ['when the object itself is held, whoever pulls', { own: [hold('all')], pullers: [puller(['a'])] }, true],
    ['when one of two that pull holds', { own: [], pullers: [puller(['a'], hold('all')), puller(['a'])] }, false],
    ['when both that pull hold', { own: [], pullers: [puller(['a'], hold('all')), puller(['a'], hold(['a']))] }, true],
    ['when the one that pulls there holds', { own: [], pullers: [puller(['a'], hold('all')), puller(['b'])] }, true],
    ['when nobody pulls there any more and somebody holds', { own: [], pullers: [puller(['b'], hold('all'))] }, true],
    ['when nobody pulls there and nobody holds', { own: [], pullers: [puller(['b'])] }, false],
    ['when nobody pulls at all', { own: [], pullers: [] }, false],
  ])('%s', (_, brakes, expected) => {
    expect(isHeldOn(brakes, 'a')).toBe(expected);
  });

  test('and everybody who holds there is named', () => {
    const brakes = { own: [hold(['a'])], pullers: [puller(['a'], hold('all'), hold(['b']))] };
    expect(holdsOn(brakes, 'a').map(({ clusters }) => clusters)).toEqual([['a'], 'all']);
  });
});

describe('a RolloutPolicy', () => {
  const noon = '2026-01-01T12:00:00Z';
  const nginx = deployment('nginx', { labels: { tier: 'front' } });
  const all: Suspension = { suspendDispatching: true };
  const holding = (...objects: readonly RolloutPolicy[]): readonly string[] => {
    const world = emptyWorld({ now: noon });
    for (const object of objects) world.write({ verb: 'create', object });
    return rolloutHolds(world, nginx).map(({ by }) => by);
  };
  const named = ['RolloutPolicy/default/r'];

  test.each<[string, RolloutPolicy, readonly string[]]>([
    ['holds what it names', rollout('r', all), named],
    [
      'holds by labels',
      rollout('r', all, { resourceSelectors: [deployments({ labelSelector: { matchLabels: { tier: 'front' } } })] }),
      named,
    ],
    ['does not hold another name', rollout('r', all, { resourceSelectors: [deployments({ name: 'other' })] }), []],
    [
      'does not hold another kind',
      rollout('r', all, { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }),
      [],
    ],
    ['does not hold in another namespace', rollout('r', all, { namespace: 'other' }), []],
    ['holds nothing without a suspension', rollout('r', undefined), []],
    ['holds until its time', rollout('r', all, { until: '2026-01-01T12:00:01Z' }), named],
    ['holds nothing from its time on', rollout('r', all, { until: noon }), []],
  ])('%s', (_, object, expected) => {
    expect(holding(object)).toEqual(expected);
  });

  test('that is being deleted holds nothing', () => {
    const leaving = rollout('r', all);
    expect(holding({ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: noon } })).toEqual([]);
  });

  test('says who holds, why and until when', () => {
    const world = emptyWorld({ now: noon });
    const words = { reason: 'audit', owner: 'ann', until: '2026-01-02T00:00:00Z' };
    world.write({ verb: 'create', object: rollout('r', all, words) });
    expect(rolloutHolds(world, nginx)).toEqual([{ by: 'RolloutPolicy/default/r', clusters: 'all', ...words }]);
  });

  test.each<[string, RolloutPolicy, string]>([
    ['held', rollout('r', all), 'Held'],
    ['holds nothing', rollout('r', undefined), 'HoldOver'],
    ['is over', rollout('r', all, { until: noon }), 'HoldOver'],
    ['ends later', rollout('r', all, { until: '2026-01-01T13:00:00Z' }), 'Held again 2026-01-01T13:00:00Z'],
  ])('that %s: %s', (_, object, expected) => {
    const { because, again } = decideHold({ rollout: object, now: noon });
    expect(again ? `${because} again ${again}` : because).toBe(expected);
  });
});

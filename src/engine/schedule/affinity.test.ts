import { describe, expect, test } from 'vitest';
import { cluster } from '../../../test/kit/fleet.ts';
import { groupsOf, selectsCluster } from './affinity.ts';

const east = cluster('east', { labels: { tier: 'gold' }, provider: 'aws', region: 'eu', zones: ['a', 'b'] });
const bare = cluster('bare');

describe('selectsCluster', () => {
  test.each([
    ['nothing said', {}, true, true],
    ['named', { clusterNames: ['east'] }, true, false],
    ['an empty list of names', { clusterNames: [] }, true, true],
    ['excluded', { exclude: ['east'] }, false, true],
    ['named and excluded', { clusterNames: ['east'], exclude: ['east'] }, false, false],
    ['by label', { labelSelector: { matchLabels: { tier: 'gold' } } }, true, false],
    ['by an empty label selector', { labelSelector: {} }, true, true],
    [
      'by name and label',
      { clusterNames: ['east', 'bare'], labelSelector: { matchLabels: { tier: 'gold' } } },
      true,
      false,
    ],
    ['provider In', field('provider', 'In', 'aws', 'gcp'), true, false],
    ['provider NotIn', field('provider', 'NotIn', 'aws'), false, true],
    ['region NotIn another', field('region', 'NotIn', 'us'), true, true],
    ['region Exists', field('region', 'Exists'), true, false],
    ['region DoesNotExist', field('region', 'DoesNotExist'), false, true],
    ['zone In, one of several', field('zone', 'In', 'b', 'c'), true, false],
    ['zone NotIn, one of several', field('zone', 'NotIn', 'b', 'c'), false, true],
  ] as const)('%s', (_, affinity, selectsEast, selectsBare) => {
    expect(selectsCluster(affinity, east)).toBe(selectsEast);
    expect(selectsCluster(affinity, bare)).toBe(selectsBare);
  });

  test('reads the single zone of old clusters', () => {
    expect(selectsCluster(field('zone', 'In', 'a'), cluster('old', { zone: 'a' }))).toBe(true);
  });

  test('wants every expression to hold', () => {
    const [aws] = field('provider', 'In', 'aws').fieldSelector.matchExpressions;
    const [us] = field('region', 'In', 'us').fieldSelector.matchExpressions;
    expect(selectsCluster({ fieldSelector: { matchExpressions: [aws, us] } }, east)).toBe(false);
  });
});

function field<K extends 'provider' | 'region' | 'zone', O extends 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'>(
  key: K,
  operator: O,
  ...values: readonly string[]
) {
  return { fieldSelector: { matchExpressions: [{ key, operator, values }] as const } };
}

describe('groupsOf', () => {
  const affinity = { clusterNames: ['east'] };
  const group = { affinityName: 'first', clusterNames: ['east'] };
  test.each([
    ['one affinity is one group', { clusterAffinity: affinity }, [affinity]],
    ['groups are tried in order', { clusterAffinities: [group] }, [group]],
    ['no affinity is one group of all', {}, [{}]],
    ['no groups are one group of all', { clusterAffinities: [] }, [{}]],
  ])('%s', (_, placement, groups) => expect(groupsOf(placement)).toEqual(groups));
});

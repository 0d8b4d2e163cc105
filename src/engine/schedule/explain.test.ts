import { describe, expect, test } from 'vitest';
import type { Cluster, Placement } from '../../api/index.ts';
import { binding, cluster, members, noon, settled } from '../../../test/kit/fleet.ts';
import type { BindingWords } from '../../../test/kit/fleet.ts';
import { decideSchedule } from './decide.ts';
import { verdicts } from './explain.ts';

const say = (placement: Placement | undefined, words: BindingWords, clusters: readonly Cluster[]): readonly string[] =>
  verdicts({ binding: binding(placement, words), clusters, now: noon }).map(
    ({ cluster: name, chosen, because, detail }) =>
      `${name} ${chosen ? 'yes' : 'no'} ${because}${detail ? ` (${detail})` : ''}`,
  );

const taints = [{ key: 'gpu', effect: 'NoSchedule' as const }];

describe('verdicts', () => {
  test('every cluster has one, with its reason', () => {
    const fleet = [
      cluster('g-tainted', { taints }),
      cluster('a-fits'),
      cluster('b-excluded'),
      cluster('c-leaving', { leaving: true }),
      cluster('d-mute', { serves: [] }),
      cluster('e-evicted'),
      cluster('f-kept', { taints }),
    ];
    const words: BindingWords = {
      on: ['f-kept:2'],
      replicas: 2,
      gracefulEvictionTasks: [{ fromCluster: 'e-evicted', reason: 'TaintUntolerated', producer: 'x' }],
    };
    expect(say({ clusterAffinity: { exclude: ['b-excluded'] } }, words, fleet)).toEqual([
      'a-fits yes Chosen (2 replicas)',
      'b-excluded no AffinityDiffers',
      'c-leaving no ClusterDeleting',
      'd-mute no ApiMissing (apps/v1 Deployment)',
      'e-evicted no BeingEvicted (TaintUntolerated)',
      'f-kept yes Chosen (2 replicas; stays despite gpu:NoSchedule)',
      'g-tainted no TaintUntolerated (gpu:NoSchedule)',
    ]);
  });

  const divided: Placement = { replicaScheduling: { replicaSchedulingType: 'Divided' } };
  const spread: Placement = { spreadConstraints: [{ spreadByField: 'region', minGroups: 1, maxGroups: 1 }] };
  test.each<[string, Placement | undefined, BindingWords, readonly string[]]>([
    [
      'left out of the division',
      divided,
      { replicas: 1, name: 'a' },
      ['member1 yes Chosen (1 replica)', 'member2 no NotSelected'],
    ],
    [
      'no region to spread by',
      spread,
      {},
      ['member1 no PropertyMissing (region)', 'member2 no PropertyMissing (region)'],
    ],
    ['no placement', undefined, { on: ['member2'] }, ['member1 no NoPlacement', 'member2 yes Chosen']],
    [
      'cannot be placed as wished',
      { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3 }] },
      { on: ['member2'] },
      ['member1 no SchedulingFailed (2 clusters fit, and 3 are asked for)', 'member2 yes Chosen'],
    ],
  ])('%s', (_, placement, words, lines) => expect(say(placement, words, members(2))).toEqual(lines));

  test('a newcomer is told that the division stands', () => {
    const now = noon;
    const clusters = members(1);
    const done = settled(binding(divided, { replicas: 2 }), (it) => decideSchedule({ binding: it, clusters, now }));
    expect(verdicts({ binding: done, clusters: members(2), now })[1]).toEqual({
      cluster: 'member2',
      chosen: false,
      because: 'AlreadyScheduled',
    });
  });
});

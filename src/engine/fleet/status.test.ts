import { expect, test } from 'vitest';
import type { Cluster, Condition } from '../../api/index.ts';
import { conditionStatus } from '../conditions.ts';
import { memberCluster } from '../../../test/kit/objects.ts';
import { clusterStatusAfter, statusAfterSilence, usualPatience, usualSilence } from './status.ts';
import type { Doubt } from './status.ts';

const dead = { health: 'unreachable', message: 'connect ECONNREFUSED' } as const;
const alive = {
  health: 'healthy',
  kubernetesVersion: 'v1.34.0',
  apiEnablements: [{ groupVersion: 'v1', resources: [{ name: 'pods', kind: 'Pod' }] }],
  complete: true,
  nodeSummary: { totalNum: 1, readyNum: 1 },
  resourceSummary: {},
} as const;

const at = (seconds: number): string => new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000).toISOString();
const fresh = (): Cluster => ({ ...memberCluster('member1'), status: {} });

test('the first look counts at once, in both directions', () => {
  const up = clusterStatusAfter(fresh(), alive, { doubt: undefined, patience: usualPatience, now: at(0) });
  expect(conditionStatus(up.status.conditions, 'Ready')).toBe('True');
  expect(conditionStatus(up.status.conditions, 'CompleteAPIEnablements')).toBe('True');
  const down = clusterStatusAfter(fresh(), dead, { doubt: undefined, patience: usualPatience, now: at(0) });
  expect(down.status.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'ClusterNotReachable' }]);
});

test('a change of mind counts when it lasts', () => {
  let cluster = memberCluster('member1');
  let doubt: Doubt | undefined;
  const seen: (Condition['status'] | undefined)[] = [];
  for (const [seconds, probe] of [
    [0, dead],
    [10, dead],
    [20, alive],
    [30, dead],
    [40, dead],
    [61, dead],
  ] as const) {
    const verdict = clusterStatusAfter(cluster, probe, { doubt, patience: usualPatience, now: at(seconds) });
    cluster = Object.assign({}, cluster, { status: verdict.status });
    ({ doubt } = verdict);
    seen.push(conditionStatus(cluster.status?.conditions, 'Ready'));
  }
  expect(seen).toEqual(['True', 'True', 'True', 'True', 'True', 'False']);
});

test('a member that stops answering keeps what was known of it', () => {
  const known = clusterStatusAfter(fresh(), alive, { doubt: undefined, patience: usualPatience, now: at(0) }).status;
  const lost = clusterStatusAfter({ ...fresh(), status: known }, dead, {
    doubt: { status: 'False', since: at(-60) },
    patience: usualPatience,
    now: at(0),
  });
  expect(lost.status.apiEnablements).toEqual(alive.apiEnablements);
  expect(conditionStatus(lost.status.conditions, 'Ready')).toBe('False');
});

test('credentials that cannot work are said as such', () => {
  const verdict = clusterStatusAfter(
    fresh(),
    { fault: 'spec.secretRef is empty' },
    { doubt: undefined, patience: usualPatience, now: at(0) },
  );
  expect(verdict.status.conditions).toMatchObject([
    { reason: 'StatusCollectionFailed', message: 'spec.secretRef is empty' },
  ]);
});

test.each([
  ['a Push member', 'Push', 'True', 1e9, undefined],
  ['an agent that is heard', 'Pull', 'True', 39_999, undefined],
  ['an agent that is silent', 'Pull', 'True', 40_000, 'ClusterStatusUnknown'],
  ['an agent that is silent about a member that is not ready', 'Pull', 'False', 40_000, 'ClusterStatusUnknown'],
  ['an agent that was called silent', 'Pull', 'Unknown', 1e9, undefined],
  ['an agent that may still start', 'Pull', undefined, 59_999, undefined],
  ['an agent that never came', 'Pull', undefined, 60_000, 'ClusterStatusNeverUpdated'],
] as const)('the silence of %s', (_, syncMode, ready, silent, reason) => {
  const known = memberCluster('member1', { syncMode });
  const status =
    ready && clusterStatusAfter(fresh(), alive, { doubt: undefined, patience: usualPatience, now: at(0) }).status;
  const conditions = status?.conditions?.map((one) =>
    one.type === 'Ready' && ready ? { ...one, status: ready } : one,
  );
  const cluster = { ...known, status: { ...status, ...(conditions && { conditions }) } };
  const after = statusAfterSilence(cluster, { silent, limits: usualSilence, now: at(60) });
  expect(after?.conditions?.find(({ type }) => type === 'Ready')?.reason).toBe(reason);
  if (after) expect(after.kubernetesVersion).toBe(cluster.status.kubernetesVersion);
});

test('a member whose agent was silent is ready with its first report', () => {
  const silent = statusAfterSilence(memberCluster('m', { syncMode: 'Pull' }), {
    silent: 1e9,
    limits: usualSilence,
    now: at(0),
  });
  const cluster = { ...memberCluster('m', { syncMode: 'Pull' }), status: silent ?? {} };
  const back = clusterStatusAfter(cluster, alive, { doubt: undefined, patience: usualPatience, now: at(1) });
  expect(conditionStatus(back.status.conditions, 'Ready')).toBe('True');
});

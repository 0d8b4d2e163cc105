import { describe, expect, test } from 'vitest';
import { defaultGates } from '../../api/index.ts';
import type { Cluster, Condition, KubeObject, MemberObject, Work } from '../../api/index.ts';
import { deployment, memberCluster } from '../../../test/kit/objects.ts';
import { told } from '../../../test/kit/worlds.ts';
import { nativeInterpreter } from '../interpret/index.ts';
import { covers } from './covers.ts';
import { decideDispatch } from './decide.ts';
import type { DispatchFacts } from './facts.ts';
import type { RemovalsSuspension } from './removals.ts';
import { created, merged } from './merge.ts';
import { unmanaged } from './preserve.ts';

const manifest: KubeObject = {
  ...deployment('nginx', {
    labels: { 'karmada.io/managed': 'true' },
    annotations: {
      'work.karmada.io/name': 'nginx-1',
      'work.karmada.io/namespace': 'karmada-es-member1',
      'resourcetemplate.karmada.io/managed-labels': 'app,dropped,karmada.io/managed',
    },
  }),
};
const ours = created(manifest);
const over = (wanted: KubeObject, present: KubeObject): KubeObject => merged(wanted, present, nativeInterpreter).value;
const now = '2026-01-01T00:00:00Z';

interface Words {
  readonly present?: MemberObject;
  readonly suspended?: boolean;
  readonly preserve?: boolean;
  readonly leaving?: boolean;
  readonly finalizers?: readonly string[];
  readonly cluster?: Cluster | undefined;
  readonly conditions?: readonly Condition[];
  readonly wish?: string;
  readonly removals?: RemovalsSuspension;
}

const removals = { since: now, reason: 'restored' };

function factsOf(words: Words): DispatchFacts {
  const { present = 'absent', suspended, preserve, leaving, conditions, wish } = words;
  const finalizers = words.finalizers ?? ['karmada.io/execution-controller'];
  const annotations = {
    ...manifest.metadata.annotations,
    ...(wish && { 'work.karmada.io/conflict-resolution': wish }),
  };
  const sent = { ...manifest, metadata: { ...manifest.metadata, annotations } };
  const work = {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      name: 'nginx-1',
      namespace: 'karmada-es-member1',
      finalizers,
      ...(leaving && { deletionTimestamp: now }),
    },
    spec: {
      workload: { manifests: [sent] },
      ...(suspended && { suspendDispatching: true }),
      ...(preserve && { preserveResourcesOnDeletion: true }),
    },
    ...(conditions && { status: { conditions } }),
  } as unknown as Work;
  const cluster = 'cluster' in words ? words.cluster : memberCluster('member1');
  const deletion = leaving ? 'wish' : undefined;
  return {
    work,
    member: 'member1',
    cluster,
    manifest: sent,
    others: [],
    present,
    deletion,
    removals: words.removals,
    interpreter: nativeInterpreter,
    gates: defaultGates,
    now,
  };
}

const withMeta = (object: KubeObject, metadata: Partial<KubeObject['metadata']>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});
const foreign = withMeta(deployment('nginx'), { uid: 'theirs' });
const anothers = withMeta(ours, { annotations: { ...ours.metadata.annotations, 'work.karmada.io/name': 'other' } });
const drifted = { ...ours, spec: { replicas: 9 } } as KubeObject;
const older = created(withMeta(deployment('nginx', { replicas: 1 }), manifest.metadata));
const richer = created(withMeta(manifest, { labels: { ...manifest.metadata.labels, dropped: 'since' } }));
const unready: Condition = { type: 'Ready', status: 'False', reason: 'r', message: '', lastTransitionTime: now };
const notReady: Cluster = { ...memberCluster('member1'), status: { conditions: [unready] } };
const unprobed = { ...memberCluster('member1'), status: {} } as Cluster;
const complete: Condition = { ...unready, type: 'CompleteAPIEnablements', status: 'True' };
const other = { groupVersion: 'v1', resources: [{ name: 'pods', kind: 'Pod' }] };
const without: Cluster = { ...memberCluster('member1'), status: { conditions: [complete], apiEnablements: [other] } };
const partly: Cluster = {
  ...without,
  status: { conditions: [{ ...complete, status: 'False' }], apiEnablements: [other] },
};
const pull = (cluster: Cluster): Cluster => ({ ...cluster, spec: { ...cluster.spec, syncMode: 'Pull' } });
const leavingCluster = withMeta(notReady, { deletionTimestamp: now }) as Cluster;
const before: readonly Condition[] = [
  { type: 'Applied', status: 'True', reason: 'AppliedSuccessful', message: '', lastTransitionTime: now },
];

describe('changes in the member', () => {
  test.each<[string, Words, string]>([
    ['nothing there: it is created', {}, 'Created apply@member1 report'],
    ['it was there and is gone: it is put back', { conditions: before }, 'Recreated apply@member1 report'],
    ['it is as it should be', { present: ours }, 'UpToDate report'],
    ['it was changed there: it is put back', { present: drifted }, 'DriftRepaired apply@member1 report'],
    ['the manifest lost a label', { present: richer }, 'Updated apply@member1 report'],
    ['the manifest changed', { present: older }, 'Updated apply@member1 report'],
    ['something foreign is there', { present: foreign }, 'AlreadyThere report'],
    [
      'something foreign is there and may be taken',
      { present: foreign, wish: 'overwrite' },
      'Adopted apply@member1 report',
    ],
    ['something foreign is there and must not be taken', { present: foreign, wish: 'abort' }, 'AlreadyThere report'],
    ['another Work owns it', { present: anothers }, 'OwnedByAnotherWork report'],
    ['another Work owns it, overwrite or not', { present: anothers, wish: 'overwrite' }, 'OwnedByAnotherWork report'],
    ['suspended: nothing is created', { suspended: true }, 'Suspended report'],
    ['suspended: nothing is updated', { suspended: true, present: older }, 'Suspended report'],
    ['suspended: no drift is repaired', { suspended: true, present: drifted }, 'Suspended report'],
    ['the member is not ready', { cluster: notReady }, 'ClusterNotReady report'],
    ['the member was never probed: it is tried', { cluster: unprobed }, 'Created apply@member1 report'],
    ['the member is unknown', { cluster: undefined }, 'ClusterNotReady report'],
    ['the member has not answered', { present: 'unknown' }, 'MemberUnknown'],
    ['the member does not serve the kind', { present: 'unknown', cluster: without }, 'ApiMissing report'],
    ['the member has not said all that it serves', { present: 'unknown', cluster: partly }, 'MemberUnknown'],
  ])('%s', (_, words, expected) => {
    expect(told(decideDispatch(factsOf(words)))).toBe(expected);
  });
});

describe('a Work that is being deleted', () => {
  const finalize = 'Deleted finalize';
  test.each<[string, Words, string]>([
    ['takes its object along', { present: ours }, 'Deleted delete@member1'],
    ['deletes it also while suspended', { present: ours, suspended: true }, 'Deleted delete@member1'],
    ['goes when the object is gone', {}, finalize],
    ['waits while the object is going', { present: withMeta(ours, { deletionTimestamp: now }) }, 'Deleted'],
    ['leaves what is foreign', { present: foreign }, finalize],
    ['leaves what another Work owns', { present: anothers }, finalize],
    [
      'leaves the object when it is to be preserved',
      { present: ours, preserve: true },
      'Preserved abandon@member1 finalize',
    ],
    [
      'waits for a member that is not ready, and says so',
      { present: ours, cluster: notReady },
      'ClusterNotReady report',
    ],
    ['does not wait for a member that is leaving', { present: ours, cluster: leavingCluster }, finalize],
    ['does not wait for a member that is gone', { present: ours, cluster: undefined }, finalize],
    ['waits for an answer', { present: 'unknown' }, 'MemberUnknown'],
    ['does not wait for what the member does not serve', { present: 'unknown', cluster: without }, finalize],
    ['waits when the member has not said all that it serves', { present: 'unknown', cluster: partly }, 'MemberUnknown'],
    [
      'does not wait for a member that leaves and was never seen',
      { present: 'unknown', cluster: withMeta(unprobed, { deletionTimestamp: now }) as Cluster },
      finalize,
    ],
    ['waits while removals are suspended', { present: ours, removals }, 'RemovalsSuspended report'],
    [
      'waits while removals are suspended in a member that leaves, too',
      {
        present: ours,
        removals,
        cluster: withMeta(memberCluster('member1'), { deletionTimestamp: now }) as Cluster,
      },
      'RemovalsSuspended report',
    ],
    ['goes when the object is gone while removals are suspended', { removals }, finalize],
    [
      'lets go what it preserves while removals are suspended',
      { present: ours, removals, preserve: true },
      'Preserved abandon@member1 finalize',
    ],
    ['is done when its finalizer is gone', { present: ours, finalizers: ['other'] }, 'Deleted'],
  ])('%s', (_, words, expected) => {
    expect(told(decideDispatch(factsOf({ ...words, leaving: true })))).toBe(expected);
  });

  test('deletes the very object that it knows', () => {
    const { actions } = decideDispatch(factsOf({ leaving: true, present: withMeta(ours, { uid: 'u' }) }));
    expect(actions[0]?.write).toMatchObject({ verb: 'delete', uid: 'u', at: 'member1' });
  });
});

test.each([
  [false, true, 'True SuspendDispatching'],
  [false, false, 'False Dispatching'],
  [true, true, 'False SuspendDispatching'],
  [true, false, 'True Dispatching'],
])('with KarmadaDispatchingCondition %s, suspended %s: %s', (gate, suspended, expected) => {
  const facts = { ...factsOf({ suspended }), gates: { ...defaultGates, KarmadaDispatchingCondition: gate } };
  const { write } = decideDispatch(facts).actions.at(-1) ?? {};
  const work = write && 'object' in write ? (write.object as Work) : undefined;
  const condition = work?.status?.conditions?.find(({ type }) => type === 'Dispatching');
  expect(`${condition?.status} ${condition?.reason}`).toBe(expected);
});

describe('while a member is not ready since noon', () => {
  const noon = '2026-01-01T12:00:00Z';
  const lost: Condition = { ...unready, message: 'it does not answer', lastTransitionTime: noon };
  const cluster: Cluster = { ...memberCluster('member1'), status: { conditions: [lost] } };
  const done = {
    type: 'Applied',
    status: 'True',
    reason: 'AppliedSuccessful',
    message: '',
    lastTransitionTime: now,
  } as const;
  const flows = {
    type: 'Dispatching',
    status: 'False',
    reason: 'Dispatching',
    message: 'Work is being dispatched to member clusters.',
    lastTransitionTime: now,
  } as const;
  const words =
    'Failed to apply all manifests (0/1): member1 is not ready since 2026-01-01T12:00:00Z: it does not answer';
  const messageOf = ({ actions: [action] }: ReturnType<typeof decideDispatch>): string | undefined => {
    const work = action && 'object' in action.write ? (action.write.object as Work) : undefined;
    return work?.status?.conditions?.find(({ type }) => type === 'Applied')?.message;
  };
  const said = (more: Words, fields: readonly object[]): string | undefined => {
    const facts = factsOf({ cluster, present: 'unknown', ...more });
    const metadata = { ...facts.work.metadata, creationTimestamp: now, managedFields: fields };
    return messageOf(decideDispatch({ ...facts, work: { ...facts.work, metadata } }));
  };
  const spec = (time: string): object => ({ manager: 'sluice', time });

  test.each<[string, string, string | undefined]>([
    ['what was changed before it says nothing', '2026-01-01T11:59:59Z', undefined],
    ['what was changed since then says that it waits', '2026-01-01T12:00:01Z', words],
  ])('%s, as the Work itself tells', (_name, changedAt, expected) => {
    const facts = factsOf({ cluster, present: 'unknown', conditions: [done, flows] });
    const annotations = { ...facts.work.metadata.annotations, 'sluice.dev/changed-at': changedAt };
    const work = { ...facts.work, metadata: { ...facts.work.metadata, creationTimestamp: now, annotations } };
    expect(messageOf(decideDispatch({ ...facts, work }))).toBe(expected);
  });

  test.each<[string, Words, readonly object[], string | undefined]>([
    ['what was sent before says nothing', { conditions: [done, flows] }, [spec('2026-01-01T11:59:59Z')], undefined],
    ['a change since then says that it waits', { conditions: [done, flows] }, [spec('2026-01-01T12:00:01Z')], words],
    [
      'a status that was written since then is no change',
      { conditions: [done, flows] },
      [{ ...spec('2026-01-01T13:00:00Z'), subresource: 'status' }],
      undefined,
    ],
    ['what never arrived says so', { conditions: [flows] }, [spec('2026-01-01T11:59:59Z')], words],
    [
      'what is to be removed says so',
      { conditions: [done, flows], leaving: true },
      [spec('2026-01-01T11:59:59Z')],
      words,
    ],
  ])('%s', (_, more, fields, expected) => {
    expect(said(more, fields)).toBe(expected);
  });
});

describe('objects of the member that are overwritten', () => {
  const living = withMeta(ours, {
    uid: 'u',
    finalizers: ['member/keep'],
    labels: { ...ours.metadata.labels, dropped: 'ours once', local: 'theirs' },
    annotations: { ...ours.metadata.annotations, local: 'theirs' },
  });
  const result = over(manifest, { ...living, status: { replicas: 2 } } as KubeObject);

  test('keeps what is the member’s, and drops what we put there and the template has no more', () => {
    expect(result.metadata.uid).toBe('u');
    expect(result.metadata.finalizers).toEqual(['member/keep']);
    expect(result.metadata.labels).toEqual({ app: 'nginx', 'karmada.io/managed': 'true', local: 'theirs' });
    expect(result.metadata.annotations).toMatchObject({ local: 'theirs' });
    expect(result).toHaveProperty('status', { replicas: 2 });
  });

  test('keeps the replicas of the member when the template says so', () => {
    const retained = withMeta(manifest, { labels: { 'resourcetemplate.karmada.io/retain-replicas': 'true' } });
    expect(over(retained, { ...living, spec: { replicas: 7 } } as KubeObject)).toHaveProperty('spec.replicas', 7);
    expect(over(manifest, { ...living, spec: { replicas: 7 } } as KubeObject)).toHaveProperty('spec.replicas', 2);
  });

  test('leaves no trace of us when it is given back', () => {
    const keys = unmanaged(living).metadata;
    expect(keys.labels).toEqual({ app: 'nginx', dropped: 'ours once', local: 'theirs' });
    expect(keys.annotations).toEqual({ local: 'theirs' });
  });
});

test.each<[string, unknown, unknown, boolean]>([
  ['what only the member has', { a: 1, b: 2 }, { a: 1 }, true],
  ['another value', { a: 1 }, { a: 2 }, false],
  ['a missing value', {}, { a: 1 }, false],
  ['lists of other length', { a: [1, 2] }, { a: [1] }, false],
  ['lists in another order', { a: [1, 2] }, { a: [2, 1] }, false],
  ['items with defaults', { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, true],
  ['an empty map that was dropped', {}, { a: {} }, true],
  ['an empty list that was dropped', {}, { a: [] }, true],
  ['null that was dropped', {}, { a: null }, true],
  ['quantities spelt differently', { cpu: '1' }, { cpu: '1000m' }, true],
  ['other quantities', { cpu: '1' }, { cpu: '900m' }, false],
  ['a map where a list should be', { a: {} }, { a: [1] }, false],
])('covers: %s', (_, present, wanted, expected) => {
  expect(covers(present, wanted)).toBe(expected);
});

describe('the hub leaves a Pull member to its agent', () => {
  const handed = { 'sluice.dev/removal': 'wanted' };
  const handover = (words: Words, deletion?: DispatchFacts['deletion'], annotations = {}) => {
    const facts = factsOf({ cluster: pull(memberCluster('member1')), present: 'unknown', ...words });
    const work = withMeta(facts.work, { annotations }) as Work;
    const { because, actions } = decideDispatch({ ...facts, work, deletion, isLeftToAgent: true });
    return [because, ...actions.map((action) => action.do)];
  };
  const gone = pull(leavingCluster);

  test.each<[string, Words, DispatchFacts['deletion'], Record<string, string>, string[]]>([
    ['does nothing while the agent answers', {}, undefined, {}, ['LeftToAgent']],
    ['does nothing about drift', { present: 'absent' }, undefined, {}, ['LeftToAgent']],
    ['says that the member is not ready', { cluster: pull(notReady) }, undefined, {}, ['ClusterNotReady', 'report']],
    ['tells the agent to remove', { leaving: true }, 'wish', {}, ['HandedToAgent', 'hand']],
    ['tells it once', { leaving: true }, 'wish', handed, ['LeftToAgent']],
    ['keeps what is still wanted', { leaving: true }, 'slip', {}, ['PutBack', 'finalize']],
    ['takes the removal back', { leaving: true }, 'wait', handed, ['WithdrawnFromAgent', 'hand']],
    ['waits with suspended removals', { leaving: true, removals }, 'wish', {}, ['RemovalsSuspended', 'report']],
    ['suspends a removal that was told', { leaving: true, removals }, 'wish', handed, ['WithdrawnFromAgent', 'hand']],
    ['lets go of a member that left silently', { leaving: true, cluster: gone }, 'wish', {}, ['Deleted', 'finalize']],
  ])('%s', (_, words, deletion, annotations, expected) => {
    expect(handover(words, deletion, annotations)).toEqual(expected);
  });
});

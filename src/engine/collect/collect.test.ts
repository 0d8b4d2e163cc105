import { describe, expect, test } from 'vitest';
import { defaultGates } from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, Work } from '../../api/index.ts';
import { deployment, memberCluster, policy } from '../../../test/kit/objects.ts';
import { atRest, decided, told } from '../../../test/kit/worlds.ts';
import { bindingRefOf } from '../claim/index.ts';
import type { DispatchFacts } from '../dispatch/index.ts';
import { nativeInterpreter } from '../interpret/index.ts';
import { worldOf } from '../world/index.ts';
import { decideCollect } from './aggregate.ts';
import type { CollectFacts } from './aggregate.ts';
import { decideReflect } from './reflect.ts';

const now = '2026-01-01T00:00:00Z';
const nginx = deployment('nginx');

function work(
  applied: 'True' | 'False' | undefined,
  words: { readonly replicas?: number; readonly leaving?: boolean } = {},
): Work {
  const { replicas, leaving } = words;
  const conditions = applied && [
    {
      type: 'Applied',
      status: applied,
      reason: 'r',
      message: applied === 'False' ? 'refused' : '',
      lastTransitionTime: now,
    },
  ];
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'nginx', namespace: 'karmada-es-member1', ...(leaving && { deletionTimestamp: now }) },
    spec: { workload: { manifests: [nginx] } },
    status: {
      ...(conditions && { conditions }),
      ...(replicas !== undefined && {
        manifestStatuses: [
          { identifier: { ordinal: 0 }, status: { replicas, readyReplicas: replicas }, health: 'Healthy' },
        ],
      }),
    },
  } as unknown as Work;
}

function collecting(on: readonly string[], works: Readonly<Record<string, Work>>, leaving = false): CollectFacts {
  const binding = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'nginx-deployment', namespace: 'default', ...(leaving && { deletionTimestamp: now }) },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' },
      clusters: on.map((name) => ({ name })),
    },
    status: {
      conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', message: '', lastTransitionTime: now }],
    },
  } as unknown as Binding;
  const placed = new Map(Object.entries(works));
  return { binding, template: nginx, works: placed, interpreter: nativeInterpreter, unready: [], now };
}

function reported(facts: CollectFacts): { readonly binding: Binding; readonly template: KubeObject | undefined } {
  const objects = decideCollect(facts).actions.flatMap(({ write }) => ('object' in write ? [write.object] : []));
  const find = (kind: string): KubeObject | undefined => objects.find((object) => object.kind === kind);
  return { binding: (find('ResourceBinding') ?? facts.binding) as Binding, template: find('Deployment') };
}

const fully = ({ status }: Binding): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'FullyApplied')?.status;

describe('the status collected from the fleet', () => {
  const good = work('True', { replicas: 2 });
  test.each<[string, CollectFacts, string]>([
    ['everybody has it', collecting(['a', 'b'], { a: good, b: good }), 'True'],
    ['one lacks it', collecting(['a', 'b'], { a: good }), 'False'],
    ['one refused it', collecting(['a', 'b'], { a: good, b: work('False') }), 'False'],
    ['one has not heard of it', collecting(['a', 'b'], { a: good, b: work(undefined) }), 'False'],
    ['somebody else still has it', collecting(['a'], { b: good }), 'False'],
    ['nobody is to have it', collecting([], {}), 'False'],
  ])('%s: fully applied is %s', (_, facts, expected) => {
    expect(fully(reported(facts).binding)).toBe(expected);
  });

  test('is added up, in the order of names, without those that are going', () => {
    const facts = collecting(['a', 'b'], {
      b: work('True', { replicas: 3 }),
      a: work('True', { replicas: 2 }),
      c: work('True', { replicas: 9, leaving: true }),
    });
    const { binding, template } = reported(facts);
    expect(
      binding.status?.aggregatedStatus?.map(
        ({ clusterName, applied, health }) => `${clusterName} ${applied} ${health}`,
      ),
    ).toEqual(['a true Healthy', 'b true Healthy']);
    expect(template).toMatchObject({ status: { replicas: 5, readyReplicas: 5 } });
  });

  test('a refused object reports the message of the refusal', () => {
    const { binding } = reported(collecting(['a'], { a: work('False', { replicas: 2 }) }));
    expect(binding.status?.aggregatedStatus).toEqual([
      { clusterName: 'a', applied: false, appliedMessage: 'refused', health: 'Unknown' },
    ]);
  });

  test('is not said of an object that only has the name', () => {
    const world = atRest({}, policy('pp', { to: 'member1' }), nginx);
    const another = (object: KubeObject): KubeObject =>
      object.kind === 'Deployment' ? { ...nginx, metadata: { ...object.metadata, uid: 'another' } } : object;
    const objects = [...world.entries()].filter(([key]) => !key.startsWith('@')).map(([, object]) => object);
    const binding = bindingRefOf(nginx);
    expect(told(decided(worldOf({ objects: objects.map(another), now }), 'collect', binding))).toBe('UpToDate');
    const bare = objects.map((object) => (object.kind === 'Deployment' ? { ...object, status: {} } : object));
    expect(told(decided(worldOf({ objects: bare, now }), 'collect', binding))).toBe('Collected report');
  });

  test('a binding that is being deleted reports nothing', () => {
    expect(told(decideCollect(collecting(['a'], { a: good }, true)))).toBe('BindingDeleting');
  });
});

describe('the status reported by a member', () => {
  const named = { ...nginx, status: { replicas: 2, readyReplicas: 2 } } as KubeObject;
  const written = (name: string): KubeObject => {
    const labels = { ...nginx.metadata.labels, 'karmada.io/managed': 'true' };
    const annotations = { 'work.karmada.io/namespace': 'karmada-es-member1', 'work.karmada.io/name': name };
    return { ...named, metadata: { ...nginx.metadata, labels, annotations } };
  };
  const [ours, anothers] = [written('nginx'), written('other')];
  const facts = (words: Partial<DispatchFacts>): DispatchFacts => ({
    work: work('True'),
    member: 'member1',
    cluster: undefined,
    manifest: nginx,
    others: [],
    present: ours,
    interpreter: nativeInterpreter,
    deletion: undefined,
    gates: defaultGates,
    now,
    ...words,
  });
  test.each<[string, DispatchFacts, string]>([
    ['is noted on the Work', facts({}), 'Collected report'],
    ['is not asked of one that does not answer', facts({ present: 'unknown' }), 'MemberUnknown'],
    ['is nothing when the object is not there', facts({ present: 'absent' }), 'UpToDate'],
    ['is not ours before the object is', facts({ work: work('False') }), 'UpToDate'],
    ['is not ours when the object only has the name', facts({ present: named }), 'AlreadyThere'],
    ['is not ours when another Work wrote it', facts({ present: anothers }), 'AlreadyThere'],
  ])('%s', (_, given, expected) => {
    expect(told(decideReflect(given))).toBe(expected);
  });

  test('is noted once', () => {
    const [write] = decideReflect(facts({})).actions.map((action) => action.write);
    if (!write || !('object' in write)) throw new Error('nothing was written');
    expect(told(decideReflect(facts({ work: write.object as Work })))).toBe('UpToDate');
  });
});

test('a member that is not ready is progressing, and unhealthy after ten minutes, whatever it reported before', () => {
  const since = (seconds: number): string =>
    new Date(Date.parse(now) - seconds * 1000).toISOString().slice(0, 19) + 'Z';
  const down = (seconds: number): Cluster => {
    const ready = {
      type: 'Ready',
      status: 'False',
      reason: 'x',
      message: 'no answer',
      lastTransitionTime: since(seconds),
    } as const;
    return { ...memberCluster('member1'), status: { conditions: [ready] } };
  };
  const facts = collecting(['member1'], { member1: work('True', { replicas: 1 }) });
  const said = (cluster: Cluster) => {
    const asked = { ...facts, unready: [{ name: 'member1', cluster }] };
    const condition = reported(asked).binding.status?.conditions?.find(({ type }) => type === 'InEffect');
    return [condition?.reason, condition?.message, decideCollect(asked).again];
  };
  const words = (seconds: number): string => `member1: member1 is not ready since ${since(seconds)}: no answer`;
  expect(said(down(60))).toEqual(['Progressing', words(60), since(-540)]);
  expect(said(down(600))).toEqual(['Unhealthy', words(600), undefined]);
});

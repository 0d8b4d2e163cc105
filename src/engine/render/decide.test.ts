import { describe, expect, test } from 'vitest';
import { executionNamespace, keyOf, refOf } from '../../api/index.ts';
import type { Binding, BindingSpec, KubeObject, TargetCluster, Work } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import { deployment, memberCluster, policy, rollout } from '../../../test/kit/objects.ts';
import { atRest, decided, liveOf, told } from '../../../test/kit/worlds.ts';
import { bindingFor, bindingRefOf, fingerprintOf } from '../claim/index.ts';
import type { Suspensions } from '../suspension/index.ts';
import { decideRender } from './decide.ts';
import { existingClusters, targetsOf } from './targets.ts';
import { nativeInterpreter } from '../interpret/index.ts';
import type { RenderFacts } from './facts.ts';
import { prune } from './prune.ts';

const template = deployment('nginx');
const now = '2026-01-01T00:00:00Z';
const free: Suspensions = { own: [], placedBy: [] };
const suspendedOn = (...clusters: readonly string[]): Suspensions => ({ own: [{ by: 'x', clusters }], placedBy: [] });

function bound(on: readonly (string | TargetCluster)[], spec: Partial<BindingSpec> = {}): Binding {
  const made = bindingFor(
    { template, policy: policy('pp', {}), size: { replicas: 2 }, content: fingerprintOf(template) },
    undefined,
  );
  const clusters = on.map((target) => (typeof target === 'string' ? { name: target } : target));
  return { ...made, spec: { ...made.spec, clusters, ...spec } };
}

const leaving = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: now },
});

function factsOf(binding: Binding, words: Partial<RenderFacts> = {}): RenderFacts {
  return {
    binding,
    template,
    works: new Map(),
    suspensions: free,
    isDeletedByHand: false,
    isUnsettled: false,
    interpreter: nativeInterpreter,
    overrides: { overrides: [], record: undefined, pending: [] },
    clusters: new Map(),
    isInStep: () => true,
    now,
    ...words,
  };
}

/** The Works that a binding gets, by member. */
function worksOf(binding: Binding): ReadonlyMap<string, Work> {
  const works = decideRender(factsOf(binding)).actions.flatMap(({ write }) =>
    'object' in write ? [write.object as Work] : [],
  );
  return new Map(works.map((work) => [work.metadata.namespace?.slice('karmada-es-'.length) ?? '', work]));
}

const both = bound(['member1', 'member2']);
const present = worksOf(both);
const tasks = (purgeMode: 'Directly' | 'Immediately' | 'Gracefully'): Partial<BindingSpec> => ({
  gracefulEvictionTasks: [{ fromCluster: 'member1', reason: 'r', producer: 'p', purgeMode }],
});
const changed = deployment('nginx', { image: 'nginx:2' });

describe('the Works of a binding', () => {
  test.each<[string, RenderFacts, string]>([
    ['one per cluster', factsOf(both), 'Rendered render render'],
    ['none when they are there', factsOf(both, { works: present }), 'UpToDate'],
    [
      'the one of a cluster that is no longer named goes',
      factsOf(bound(['member1']), { works: present }),
      'Removed remove',
    ],
    [
      'unless it is suspended: then it says so',
      factsOf(bound(['member1']), { works: present, suspensions: suspendedOn('member2') }),
      'RemovalSuspended render',
    ],
    [
      'one that is going already is left alone',
      factsOf(bound(['member1']), {
        works: new Map([...present].map(([name, work]) => [name, name === 'member2' ? leaving(work) : work])),
      }),
      'UpToDate',
    ],
    [
      'one that is going is not written to',
      factsOf(both, { works: new Map([...present].map(([name, work]) => [name, leaving(work)])) }),
      'UpToDate',
    ],
    [
      'a suspension is written into the Work',
      factsOf(both, { works: present, suspensions: suspendedOn('member2') }),
      'Rendered render',
    ],
    [
      'content that nobody has taken up is not rendered',
      factsOf(both, { template: changed, works: present }),
      'ContentNotHandled',
    ],
    [
      'but it can be suspended',
      factsOf(both, { template: changed, works: present, suspensions: suspendedOn('member1') }),
      'ContentNotHandled render',
    ],
    ['and no cluster is left for it', factsOf(bound([]), { template: changed, works: present }), 'ContentNotHandled'],
    ['none without a template', factsOf(both, { template: undefined, works: present }), 'TemplateGone'],
    [
      'all are deleted with their binding, suspended or not',
      factsOf(leaving(both), { works: present, suspensions: suspendedOn('member1', 'member2') }),
      'BindingDeleting remove remove finalize',
    ],
    [
      'those that are going are not deleted twice',
      factsOf(leaving(both), { works: new Map([...present].map(([name, work]) => [name, leaving(work)])) }),
      'BindingDeleting finalize',
    ],
    [
      'the old one is purged first',
      factsOf(bound(['member2'], tasks('Directly')), { works: new Map([...present].slice(0, 1)) }),
      'PurgeFirst remove',
    ],
    [
      'unless its replacement is suspended: no copy would be left',
      factsOf(bound(['member2'], tasks('Directly')), {
        works: new Map([...present].slice(0, 1)),
        suspensions: suspendedOn('member2'),
      }),
      'RemovalSuspended',
    ],
    [
      'or the old one itself is',
      factsOf(bound(['member2'], tasks('Directly')), {
        works: new Map([...present].slice(0, 1)),
        suspensions: suspendedOn('member1'),
      }),
      'RemovalSuspended render',
    ],
    [
      'in the old words too',
      factsOf(bound(['member2'], tasks('Immediately')), { works: new Map([...present].slice(0, 1)) }),
      'PurgeFirst remove',
    ],
    [
      'or stays until the new one is healthy',
      factsOf(bound(['member2'], tasks('Gracefully')), { works: present }),
      'UpToDate',
    ],
  ])('%s', (_, facts, expected) => {
    expect(told(decideRender(facts))).toBe(expected);
  });

  test('a suspended removal is recorded once, and the binding waits for it', () => {
    const first = decideRender(factsOf(bound(['member1']), { works: present, suspensions: suspendedOn('member2') }));
    const [kept] = first.actions.map(({ write }) => ('object' in write ? (write.object as Work) : undefined));
    expect(kept?.spec.suspendDispatching).toBe(true);
    expect(kept?.metadata.annotations).toHaveProperty(['sluice.dev/removal-held']);
    const works = new Map(present);
    if (kept) works.set('member2', kept);
    expect(told(decideRender(factsOf(bound(['member1']), { works, suspensions: suspendedOn('member2') })))).toBe(
      'RemovalSuspended',
    );
    const back = decideRender(factsOf(both, { works }));
    const again = back.actions.map(({ write }) => ('object' in write ? write.object.metadata.annotations : {}));
    expect(again[0]).not.toHaveProperty(['sluice.dev/removal-held']);
  });

  const remove = { path: '/spec/none/at/all', operator: 'remove' } as const;

  test('an override that fails in one cluster stops the binding in all of them, and the binding says why', () => {
    const rules = [{ targetCluster: { clusterNames: ['member1'] }, overriders: { plaintext: [remove] } }];
    const overrides = [
      { kind: 'OverridePolicy', namespace: 'default', name: 'op', precision: 1, isLazy: false, rules },
    ] as const;
    const clusters = new Map(['member1', 'member2'].map((name) => [name, memberCluster(name)]));
    const facts = factsOf(both, { overrides: { overrides, record: undefined, pending: [] }, clusters });
    const decision = decideRender(facts);
    expect(told(decision)).toBe('OverrideFailed report');
    expect(decision.detail).toMatch(/^member1: OverridePolicy default\/op: plaintext: remove operation does not apply/);
    const [report] = decision.actions;
    const binding = report && 'object' in report.write ? (report.write.object as Binding) : both;
    expect(binding.status?.conditions).toMatchObject([
      {
        type: 'OverridesApplied',
        status: 'False',
        reason: 'OverrideFailed',
        message: expect.stringContaining('default/op'),
      },
    ]);
    expect(told(decideRender({ ...facts, binding }))).toBe('OverrideFailed');
    const fixed = { overrides: { overrides: [], record: undefined, pending: [] } };
    expect(told(decideRender({ ...facts, ...fixed, binding }))).toBe('Rendered report render render');
  });
});

describe('a Work', () => {
  const one = (spec: Partial<BindingSpec>, on: readonly (string | TargetCluster)[] = ['member1']): Work | undefined =>
    worksOf(bound(on, spec)).get('member1');

  test('says what its member needs to know', () => {
    const work = one({ preserveResourcesOnDeletion: true });
    expect(work?.metadata.namespace).toBe(executionNamespace('member1'));
    expect(work?.metadata.finalizers).toEqual(['karmada.io/execution-controller']);
    expect(work?.spec).toMatchObject({ suspendDispatching: false, preserveResourcesOnDeletion: true });
    const { labels, annotations } = work?.spec.workload.manifests[0]?.metadata ?? {};
    expect(labels).toMatchObject({ app: 'nginx', 'karmada.io/managed': 'true' });
    expect(annotations).toMatchObject({
      'work.karmada.io/namespace': 'karmada-es-member1',
      'work.karmada.io/conflict-resolution': 'abort',
      'propagationpolicy.karmada.io/name': 'pp',
    });
    expect(annotations?.['resourcetemplate.karmada.io/managed-annotations']).toContain('managed-annotations');
  });

  test('keeps the id that it was given', () => {
    const [work] = present.values();
    if (!work) throw new Error('no work');
    const older = {
      ...work,
      metadata: { ...work.metadata, labels: { ...work.metadata.labels, 'work.karmada.io/permanent-id': 'given' } },
    };
    const { actions } = decideRender(
      factsOf(bound(['member1'], { preserveResourcesOnDeletion: true }), { works: new Map([['member1', older]]) }),
    );
    const [write] = actions.map((action) => action.write);
    expect(write && 'object' in write && write.object.metadata.labels).toMatchObject({
      'work.karmada.io/permanent-id': 'given',
    });
  });

  test.each([
    [undefined, undefined, 'abort'],
    ['Overwrite', undefined, 'overwrite'],
    ['Abort', 'overwrite', 'overwrite'],
    ['Overwrite', 'abort', 'abort'],
    ['Overwrite', 'nonsense', 'overwrite'],
  ] as const)('a policy that says %s and a template that says %s: %s', (rule, wish, expected) => {
    const annotated = deployment('nginx', {
      ...(wish && { annotations: { 'work.karmada.io/conflict-resolution': wish } }),
    });
    const facts = factsOf(bound(['member1'], { ...(rule && { conflictResolution: rule }) }), { template: annotated });
    const [write] = decideRender(facts).actions.map((action) => action.write);
    expect(write && 'object' in write && write.object.metadata.annotations).toMatchObject({
      'work.karmada.io/conflict-resolution': expected,
    });
  });

  test('has the replicas of its cluster', () => {
    expect(one({}, [{ name: 'member1', replicas: 7 }])?.spec.workload.manifests[0]).toHaveProperty('spec.replicas', 7);
    expect(one({}, ['member1'])?.spec.workload.manifests[0]).toHaveProperty('spec.replicas', 2);
  });

  test('carries no key of the system but the one that members heed', () => {
    const marked = deployment('nginx', {
      labels: { 'resourcetemplate.karmada.io/retain-replicas': 'true', 'example.karmada.io/x': 'y' },
      annotations: { 'sluice.dev/waits-at': 'x' },
    });
    const [write] = decideRender(factsOf(bound(['member1']), { template: marked })).actions.map(
      (action) => action.write,
    );
    const { labels, annotations } =
      (write && 'object' in write ? (write.object as Work) : undefined)?.spec.workload.manifests[0]?.metadata ?? {};
    expect(labels).toMatchObject({ 'resourcetemplate.karmada.io/retain-replicas': 'true' });
    expect(labels).not.toHaveProperty(['example.karmada.io/x']);
    expect(annotations).not.toHaveProperty(['sluice.dev/waits-at']);
  });
});

test('a Work tells when it was changed, not when it was made', () => {
  const told = (facts: RenderFacts): readonly (string | undefined)[] =>
    decideRender(facts).actions.map(({ write }) =>
      'object' in write ? write.object.metadata.annotations?.['sluice.dev/changed-at'] : 'no object',
    );
  const later = '2026-06-01T00:00:00Z';
  expect(told(factsOf(both, { now: later }))).toEqual([undefined, undefined]);
  expect(told(factsOf(both, { now: later, works: present, suspensions: suspendedOn('member1') }))).toEqual([later]);
});

test('the last change that a Work records is no reason to change it', () => {
  const suspensions = suspendedOn('member1');
  const [first] = decideRender(factsOf(both, { works: present, suspensions })).actions;
  const work = first && 'object' in first.write ? (first.write.object as Work) : undefined;
  const works = new Map([...present, ['member1', work as Work]]);
  expect(decideRender(factsOf(both, { works, suspensions, now: '2026-06-01T00:00:00Z' })).because).toBe('UpToDate');
});

test('a Work that is going is left alone, whatever it should say', () => {
  const binding = bound(['member1', 'member2'], { preserveResourcesOnDeletion: true });
  const works = new Map([...present].map(([name, work]) => [name, leaving(work)]));
  expect(told(decideRender(factsOf(binding, { works })))).toBe('UpToDate');
});

test('the binding of an object that has the name of another is not rendered from it', () => {
  const world = atRest({}, policy('pp', { to: 'member1' }), template);
  const binding = liveOf(world, { ...bindingRefOf(template), metadata: bindingRefOf(template) });
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx', uid: 'another', controller: true };
  const ownerReferences = [{ ...owner, blockOwnerDeletion: true }];
  world.write({ verb: 'update', object: { ...binding, metadata: { ...binding.metadata, ownerReferences } } });
  expect(told(decided(world, 'render', binding))).toBe('TemplateGone');
});

test('its own clusters come first, then those of its referrers; their replicas are not its own', () => {
  const binding = bound([{ name: 'member1', replicas: 3 }], {
    requiredBy: [
      {
        namespace: 'default',
        name: 'web',
        clusters: [
          { name: 'member1', replicas: 9 },
          { name: 'member2', replicas: 9 },
        ],
      },
    ],
  });
  expect(targetsOf(binding)).toEqual([{ name: 'member1', replicas: 3 }, { name: 'member2' }]);
  expect([...existingClusters({ ...binding, spec: { ...binding.spec, ...tasks('Gracefully') } })]).toEqual([
    'member1',
    'member2',
  ]);
  expect([...existingClusters(bound(['member2'], tasks('Directly')))]).toEqual(['member2']);
});

test('fields of the API server are not sent to members', () => {
  const stored = {
    ...template,
    metadata: {
      ...template.metadata,
      uid: 'u',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: now,
      managedFields: [],
      selfLink: '/x',
      finalizers: ['a/b'],
      ownerReferences: [],
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 1,
    },
    status: { replicas: 1 },
  } as unknown as KubeObject;
  expect(prune(stored)).toEqual(template);
});

test('a copy that was to leave a member before the content changed is not sent there when the suspension ends', async () => {
  const stage = await modelStage({});
  const suspendedPolicy = (...to: readonly string[]): KubeObject =>
    policy('pp', { to, suspend: { dispatching: true } });
  const suspension = rollout('stop', { dispatching: true });
  for (const object of [suspendedPolicy('member1', 'member2'), template, suspendedPolicy('member2'), suspension]) {
    stage.applyNow(object);
    await stage.settle();
  }
  for (const write of [
    () => stage.world.write({ verb: 'delete', ref: refOf(suspendedPolicy()) }),
    () => stage.applyNow(deployment('nginx', { image: 'nginx:2' })),
    () => stage.applyNow(policy('later', { to: 'member3', lazy: true })),
    () => stage.world.write({ verb: 'delete', ref: refOf(suspension) }),
  ]) {
    write();
    await stage.settle();
  }
  const nginxIn = (member: string): boolean => stage.world.inMember(member, keyOf(refOf(template))) !== undefined;
  expect(['member1', 'member2', 'member3'].filter(nginxIn)).toEqual(['member2']);
});

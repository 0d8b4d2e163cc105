import { describe, expect, test } from 'vitest';
import { keyOf } from '../../api/index.ts';
import type { Binding, Gates, KubeObject, Suspension } from '../../api/index.ts';
import { clusterRole, configMap, deployment, deployments, policy } from '../../../test/kit/objects.ts';
import { atRest, decided, gone, liveOf, marked, rightAfter, told } from '../../../test/kit/worlds.ts';
import type { Doing } from '../../../test/kit/worlds.ts';
import { run } from '../world/index.ts';
import type { World } from '../world/index.ts';
import { bindingRefOf } from './facts.ts';
import { claimOf, inEffectOf } from './records.ts';

const nginx = deployment('nginx');
const named = [deployments({ name: 'nginx' })];
const pp = policy('pp', { to: 'member1' });
const lazy = policy('pp', { to: 'member1', lazy: true });
const cpp = policy('cpp', { scope: 'cluster', to: 'member2' });
const touched = marked(nginx, { labels: { touched: 'yes' } });
const asks = (token: string): Doing => marked(nginx, { annotations: { 'sluice.dev/reconcile': token } });

const unidentified =
  (object: KubeObject): Doing =>
  (world) =>
    world.write({ verb: 'create', object });

interface Case {
  readonly gates?: Partial<Gates>;
  readonly given: readonly Doing[];
  readonly when: readonly Doing[];
  readonly decides: string;
}

function tells(cases: Readonly<Record<string, Case>>): void {
  test.each(Object.entries(cases))('%s', (_, { gates = {}, given, when, decides }) => {
    const world = rightAfter(atRest(gates, ...given), ...when);
    expect(told(decided(world, 'claim', nginx))).toBe(decides);
  });
}

const better = (words: Parameters<typeof policy>[1]): KubeObject =>
  policy('better', { to: 'member3', priority: 5, preemption: 'Always', select: named, ...words });

test("a policy without an id stands in nobody's way, and takes part once it has one", () => {
  const first = policy('first', { to: 'member3', priority: 5, preemption: 'Always', select: named });
  const world = atRest({}, unidentified(first), pp, nginx);
  expect(claimOf(liveOf(world, nginx))?.name).toBe('pp');
  rightAfter(world, first);
  run(world);
  expect(claimOf(liveOf(world, nginx))?.name).toBe('first');
});

describe('the policy that manages a template', () => {
  tells({
    'the only policy that matches': { given: [pp], when: [nginx], decides: 'Elected claim' },
    'nobody when none matches': { given: [], when: [nginx], decides: 'NoPolicyMatches' },
    'nobody when another controller has claimed it': {
      given: [pp],
      when: [deployment('nginx', { labels: { 'resourcetemplate.karmada.io/claimed-by': 'MultiClusterService' } })],
      decides: 'ClaimedElsewhere',
    },
    'nobody when the only policy got past admission and has no id': {
      given: [unidentified(pp)],
      when: [nginx],
      decides: 'NoPolicyMatches',
    },
    'the managing policy keeps it from one that does not preempt': {
      given: [pp, nginx],
      when: [better({ preemption: 'Never' })],
      decides: 'UpToDate',
    },
    'a preempting policy of the same priority takes nothing': {
      given: [pp, nginx],
      when: [better({ priority: 0 })],
      decides: 'UpToDate',
    },
    'a preempting policy of a higher priority takes it': {
      given: [pp, nginx],
      when: [better({})],
      decides: 'Preempted claim',
    },
    'with the gate off nobody takes it': {
      gates: { PropagationPolicyPreemption: false },
      given: [pp, nginx],
      when: [better({})],
      decides: 'UpToDate',
    },
    'a cluster policy never takes it from a namespaced one': {
      given: [pp, nginx],
      when: [better({ scope: 'cluster', priority: 100 })],
      decides: 'UpToDate',
    },
    'a namespaced policy takes it from a cluster policy of any priority': {
      given: [policy('cpp', { scope: 'cluster', to: 'member2', priority: 100 }), nginx],
      when: [better({ priority: -1 })],
      decides: 'Preempted claim',
    },
    'the next best when the managing policy is deleted': {
      given: [pp, cpp, nginx],
      when: [gone(pp)],
      decides: 'Rematched claim',
    },
    'no policy when the managing one is deleted and none is left': {
      given: [pp, nginx],
      when: [gone(pp)],
      decides: 'PolicyGone release release',
    },
    'no policy when the managing one stops matching': {
      given: [pp, nginx],
      when: [policy('pp', { to: 'member1', exclude: [{ name: 'nginx' }] })],
      decides: 'PolicyNoLongerMatches release release',
    },
  });
});

describe('changes that wait', () => {
  tells({
    'the arrival of a lazy policy': { given: [nginx], when: [lazy], decides: 'Elected claim' },
    'an edit of a lazy managing policy': {
      given: [lazy, nginx],
      when: [policy('pp', { to: 'member2', lazy: true })],
      decides: 'WaitingForTemplateChange',
    },
    'not the suspension of a lazy managing policy': {
      given: [lazy, nginx],
      when: [policy('pp', { to: 'member1', lazy: true, suspend: { dispatching: true } })],
      decides: 'SuspensionChanged bind',
    },
    'not the edit of an immediate managing policy': {
      given: [pp, nginx],
      when: [policy('pp', { to: 'member2' })],
      decides: 'PolicyEdited bind',
    },
    'not the change of the template': {
      given: [lazy, nginx, policy('pp', { to: 'member2', lazy: true })],
      when: [touched],
      decides: 'Activated bind',
    },
    'not what a request asks for': {
      given: [lazy, nginx, policy('pp', { to: 'member2', lazy: true })],
      when: [asks('one')],
      decides: 'ActivatedOnRequest bind',
    },
    'what is asked for twice in the same words is done once': {
      given: [lazy, nginx, policy('pp', { to: 'member2', lazy: true }), asks('one')],
      when: [policy('pp', { to: 'member3', lazy: true }), asks('one')],
      decides: 'WaitingForTemplateChange',
    },
    'not a change back to what its members have, under another policy': {
      given: [
        pp,
        nginx,
        (world) => rightAfter(world, touched, gone(pp)),
        policy('later', { to: 'member2', lazy: true }),
      ],
      when: [nginx],
      decides: 'Activated bind claim',
    },
    'a change while nobody matches': { given: [pp, nginx, gone(pp)], when: [touched], decides: 'WaitingForPolicy' },
    'a change at the very moment when the managing policy is deleted': {
      given: [pp, nginx, (world) => rightAfter(world, touched, gone(pp))],
      when: [],
      decides: 'WaitingForPolicy',
    },
    'nothing when nobody matches and nothing changed': {
      given: [pp, nginx, gone(pp)],
      when: [],
      decides: 'NoPolicyMatches',
    },
    'a change of the template goes to the old policy before a lazy one takes the claim': {
      given: [lazy, nginx, policy('pp', { to: 'member2', lazy: true })],
      when: [touched, better({ lazy: true })],
      decides: 'Activated bind',
    },
  });
});

describe('with static policies', () => {
  const gates = { StaticPolicy: true };
  tells({
    'an edit waits': {
      gates,
      given: [pp, nginx],
      when: [policy('pp', { to: 'member2' })],
      decides: 'WaitingForTemplateChange',
    },
    'a better policy waits': { gates, given: [pp, nginx], when: [better({})], decides: 'WaitingForTemplateChange' },
    'a change of the template is a new election, whichever policy manages it': {
      gates,
      given: [pp, nginx, better({ preemption: 'Never' })],
      when: [touched],
      decides: 'Preempted claim',
    },
    'the next policy waits after the managing one is deleted': {
      gates,
      given: [pp, nginx, gone(pp)],
      when: [better({})],
      decides: 'WaitingForTemplateChange',
    },
    'the next policy takes at once what changed in between': {
      gates,
      given: [pp, nginx, gone(pp), touched],
      when: [better({})],
      decides: 'Elected claim',
    },
    'a template that was never handled is taken at once, also by a lazy policy that came later': {
      gates,
      given: [nginx, lazy, gone(lazy)],
      when: [policy('other', { to: 'member2' })],
      decides: 'Elected claim',
    },
    'one that has gone back to what it was waits, whoever else arrives': {
      gates,
      given: [pp, nginx, (world) => rightAfter(world, touched, gone(pp)), nginx],
      when: [policy('other', { to: 'member2' })],
      decides: 'WaitingForTemplateChange',
    },
    'a suspension takes effect at once': {
      gates,
      given: [pp, nginx],
      when: [policy('pp', { to: 'member1', suspend: { suspendDispatching: true } })],
      decides: 'SuspensionChanged bind',
    },
  });
});

describe('overrides that a policy depends on', () => {
  const needy = (scope: 'namespace' | 'cluster'): KubeObject =>
    policy('pp', { to: 'member1', scope, dependentOverrides: ['images'] });
  const override = (kind: string, namespace?: string): KubeObject =>
    ({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind,
      metadata: { name: 'images', ...(namespace && { namespace }) },
      spec: { overrideRules: [] },
    }) as KubeObject;
  tells({
    'are waited for': { given: [needy('namespace')], when: [nginx], decides: 'OverridesMissing' },
    'are looked for in the namespace of the policy': {
      given: [needy('namespace'), override('OverridePolicy', 'elsewhere')],
      when: [nginx],
      decides: 'OverridesMissing',
    },
    'when they are there the policy takes the template': {
      given: [needy('namespace'), override('OverridePolicy', 'default')],
      when: [nginx],
      decides: 'Elected claim',
    },
    'missing overrides do not delay the suspension of the managing policy': {
      given: [pp, nginx],
      when: [policy('pp', { to: 'member2', dependentOverrides: ['images'], suspend: { dispatching: true } })],
      decides: 'SuspensionChanged bind',
    },
    'are waited for by the rest': {
      given: [pp, nginx],
      when: [policy('pp', { to: 'member2', dependentOverrides: ['images'] })],
      decides: 'OverridesMissing',
    },
    'missing overrides of a challenger do not affect the managing policy': {
      given: [pp, nginx, better({ dependentOverrides: ['images'] })],
      when: [touched],
      decides: 'PolicyEdited bind',
    },
    'of a cluster policy are cluster overrides': {
      given: [needy('cluster'), override('ClusterOverridePolicy')],
      when: [nginx],
      decides: 'Elected claim',
    },
  });
});

test.each(['kube-system', 'kube-public', 'karmada-system', 'karmada-cluster', 'karmada-es-member1'])(
  'nothing of namespace %s is a template',
  (namespace) => {
    const world = atRest({}, policy('all', { scope: 'cluster', to: 'member1' }), deployment('nginx', { namespace }));
    expect(told(decided(world, 'claim', deployment('nginx', { namespace })))).toBe('NotATemplate');
  },
);

test.each([
  ['v1', 'Event', 'NotATemplate'],
  ['events.k8s.io/v1', 'Event', 'NotATemplate'],
  ['coordination.k8s.io/v1', 'Lease', 'NotATemplate'],
  ['apps.karmada.io/v1alpha1', 'WorkloadRebalancer', 'NotATemplate'],
  ['v1', 'ConfigMap', 'Elected claim'],
  ['example.com/v1', 'Event', 'Elected claim'],
])('%s %s: %s', (apiVersion, kind, expected) => {
  const object = { apiVersion, kind, metadata: { name: 'one', namespace: 'default' } };
  const world = rightAfter(atRest({}, policy('all', { to: 'member1', select: [{ apiVersion, kind }] })), (hub) =>
    hub.write({ verb: 'create', object }),
  );
  expect(told(decided(world, 'claim', object))).toBe(expected);
});

test('a claim that is only partly there counts as none and is cleaned away', () => {
  const world = rightAfter(
    atRest({}, nginx),
    marked(nginx, { labels: { 'propagationpolicy.karmada.io/permanent-id': 'x' } }),
  );
  expect(told(decided(world, 'claim', nginx))).toBe('PolicyGone release');
});

test('the claim of an earlier policy of the same name is not that of its successor', () => {
  const world = atRest({}, pp, nginx);
  const before = claimOf(liveOf(world, nginx));
  const successor = marked(pp, { labels: { 'propagationpolicy.karmada.io/permanent-id': 'another' } });
  expect(told(decided(rightAfter(world, successor), 'claim', nginx))).toBe('Rematched claim');
  expect(before?.name).toBe('pp');
});

test('a binding that belongs to another object of the same name is left alone', () => {
  const world = atRest({}, pp, nginx);
  const binding = world.get(keyOf(bindingRefOf(nginx))) as Binding;
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx', uid: 'another', controller: true };
  world.write({
    verb: 'update',
    object: {
      ...binding,
      metadata: { ...binding.metadata, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
    },
  });
  expect(told(decided(rightAfter(world, touched), 'claim', nginx))).toBe('BindingOfAnother');
});

describe('the claim of a deleted policy is released, also where nothing else is done', () => {
  const taken = marked(nginx, { labels: { 'resourcetemplate.karmada.io/claimed-by': 'MultiClusterService' } });
  const foreign = (world: World): void => {
    const binding = liveOf(world, world.get(keyOf(bindingRefOf(nginx))) as Binding);
    const [owner] = binding.metadata.ownerReferences ?? [];
    const ownerReferences = owner ? [{ ...owner, uid: 'another' }] : [];
    world.write({ verb: 'update', object: { ...binding, metadata: { ...binding.metadata, ownerReferences } } });
  };
  test.each<[string, Doing, string]>([
    ['another controller has claimed it', taken, 'PolicyGone release release'],
    ['its binding belongs to another', foreign, 'PolicyGone release'],
  ])('%s', (_, first, expected) => {
    const world = rightAfter(atRest({}, pp, nginx, first), gone(pp));
    expect(told(decided(world, 'claim', nginx))).toBe(expected);
  });
});

test('a claim that waits says at which content, and drops an older request', () => {
  const world = rightAfter(atRest({}, nginx, asks('old')), lazy);
  const [write] = decided(world, 'claim', nginx).actions.map((action) => action.write);
  const annotations = write && 'object' in write ? write.object.metadata.annotations : {};
  expect(Object.keys(annotations ?? {}).sort()).toEqual([
    'propagationpolicy.karmada.io/name',
    'propagationpolicy.karmada.io/namespace',
    'sluice.dev/waits-at',
  ]);
});

test.each<[string, Doing]>([
  ['a change', touched],
  ['a request', asks('one')],
])('a crash between binding and template leaves a note to wait, which goes before it can mislead: %s', (_, taken) => {
  const world = rightAfter(atRest({}, nginx, lazy), taken);
  const { actions } = decided(world, 'claim', nginx);
  expect(actions.map((action) => action.do)).toEqual(['bind', 'claim']);
  const [bind] = actions;
  if (bind) world.write(bind.write);
  expect(told(decided(world, 'claim', nginx))).toBe('Activated claim');
});

describe('content that was seen before a lazy policy came waits, although the system writes to the template since', () => {
  const later = policy('later', { to: 'member1', lazy: true });
  const note = marked(nginx, { labels: { 'example.karmada.io/note': 'one' } });
  const together =
    (...all: readonly Doing[]): Doing =>
    (world) =>
      void rightAfter(world, ...all);
  test.each<[string, readonly Doing[]]>([
    ['never placed, and let go by another lazy policy', [nginx, lazy, gone(lazy)]],
    ['changed at the very moment when its policy was deleted', [pp, nginx, together(touched, gone(pp))]],
  ])('%s', (_, given) => {
    const world = atRest({}, ...given, together(later, note));
    expect(claimOf(liveOf(world, nginx))?.name).toBe('later');
    expect(told(decided(world, 'claim', nginx))).toBe('WaitingForTemplateChange');
  });
});

test('so does content of a kind that has no status', () => {
  const select = [{ apiVersion: 'v1', kind: 'ConfigMap' }];
  const [now, later] = [
    policy('now', { to: 'member1', select }),
    policy('later', { to: 'member1', select, lazy: true }),
  ];
  const world = atRest(
    {},
    now,
    configMap('settings'),
    (hub) => void rightAfter(hub, configMap('settings', { value: 'two' }), gone(now)),
    (hub) =>
      void rightAfter(hub, later, marked(configMap('settings'), { labels: { 'example.karmada.io/note': 'one' } })),
  );
  expect(told(decided(world, 'claim', configMap('settings')))).toBe('WaitingForTemplateChange');
});

test('a request after a lazy policy activates it, whoever has written the status', () => {
  const status = (world: World): void =>
    world.write({ verb: 'updateStatus', object: { ...liveOf(world, nginx), status: { replicas: 1 } } as KubeObject });
  const world = atRest({}, nginx, status, (hub) => void rightAfter(hub, lazy, asks('one')));
  expect(told(decided(world, 'claim', nginx))).toBe('UpToDate');
  expect(world.get(keyOf(bindingRefOf(nginx)))).toBeDefined();
});

test.each<readonly [string, Suspension | undefined, Suspension | undefined]>([
  ['begins with', undefined, { dispatching: true }],
  ['ends with', { dispatching: true }, undefined],
])(
  'a change of the template that the old policy takes up is under the suspension that %s the next one',
  (_, before, after) => {
    const old = policy('pp', { to: 'member1', ...(before && { suspend: before }) });
    const next = better({ lazy: true, ...(after && { suspend: after }) });
    const world = rightAfter(atRest({}, old, nginx), touched, next);
    const { actions } = decided(world, 'claim', nginx);
    expect(actions.map(({ do: what }) => what)).toEqual(['bind']);
    const [write] = actions.map((action) => action.write);
    const binding = write?.verb === 'update' ? (write.object as Binding) : undefined;
    expect(binding && claimOf(binding)?.name).toBe('pp');
    expect(binding?.spec.suspension).toEqual(after);
  },
);

test('a claim that falls to an older lazy policy notes at which content it waits', () => {
  const older = policy('older', { scope: 'cluster', to: 'member2', lazy: true });
  const anHourLater = (world: World): void => void (world.now = '2026-01-01T01:00:00Z');
  const world = atRest({}, older, pp, anHourLater, nginx, gone(pp));
  expect(claimOf(liveOf(world, nginx))?.name).toBe('older');
  expect(liveOf(world, nginx).metadata.annotations).toHaveProperty(['sluice.dev/waits-at']);
});

test('taking a template over leaves no trace of the former policy', () => {
  const { labels, annotations } = liveOf(atRest({}, cpp, nginx, better({})), nginx).metadata;
  const keys = [...Object.keys(labels ?? {}), ...Object.keys(annotations ?? {})];
  expect(keys.filter((key) => key.startsWith('clusterpropagationpolicy'))).toEqual([]);
});

test('a claim that only the binding bears is cleaned away', () => {
  const bare = (world: World): void => {
    const { labels: _, annotations: __, ...metadata } = liveOf(world, nginx).metadata;
    world.write({
      verb: 'update',
      object: { ...liveOf(world, nginx), metadata: { ...metadata, labels: { app: 'nginx' } } },
    });
  };
  const world = rightAfter(atRest({}, pp, nginx), gone(pp), bare);
  expect(told(decided(world, 'claim', nginx))).toBe('PolicyGone release');
});

test('a request stays on record when the template changes later', () => {
  const world = atRest({}, pp, nginx, asks('one'), touched);
  expect(inEffectOf(world.get(keyOf(bindingRefOf(nginx))) as Binding)?.request).toBe('one');
});

test('a cluster-scoped template gets a ClusterResourceBinding, whichever policy manages it', () => {
  const role = clusterRole('reader');
  const select = [{ apiVersion: role.apiVersion, kind: role.kind }];
  const world = atRest({}, policy('roles', { scope: 'cluster', to: 'member1', select }), role);
  expect(bindingRefOf(role)).toMatchObject({ kind: 'ClusterResourceBinding', name: 'reader-clusterrole' });
  expect(world.get(keyOf(bindingRefOf(role)))).toBeDefined();
});

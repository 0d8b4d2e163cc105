import * as fc from 'fast-check';
import { refOf } from '../../../src/api/index.ts';
import type {
  ExcludedResource,
  Gates,
  KubeObject,
  OverridePolicy,
  Overriders,
  Placement,
  Policy,
  Ref,
  ResourceSelector,
  RolloutPolicy,
  Suspension,
} from '../../../src/api/index.ts';
import { clusterRole, configMap, deployment, override, policy, rollout, tagged } from '../objects.ts';
import { memberNames } from './event.ts';
import type { Event } from './event.ts';

export const namespaces = ['a1', 'a2', 'b1'] as const;
const names = ['x', 'x', 'y'] as const;

/** Chosen from a list with the first ones more often: stories are about few objects, so that much happens to each. */
function mostly<T>(...values: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(...values.map((value, i) => ({ weight: Math.max(1, 6 - 3 * i), arbitrary: fc.constant(value) })));
}

/** The events that a story may use; narrower stories use fewer. */
export interface Vocabulary {
  readonly namespaces?: readonly string[];
  readonly scopes?: readonly ('namespace' | 'cluster')[];
  readonly suspends?: boolean;
  readonly rollouts?: boolean;
  readonly fleet?: boolean;
  readonly time?: boolean;
  /** Members go down and come back; never, if nothing is said. */
  readonly outages?: boolean;
  readonly clusterRoles?: boolean;
  /** Override policies are written, edited and deleted; never, if nothing is said. */
  readonly overrides?: boolean;
  /** Policies name a PriorityClass and place workloads together or apart; never, if nothing is said. */
  readonly scheduling?: boolean;
  /** How often policies propagate dependencies; half of the time by default. */
  readonly dependencies?: 'rarely';
}

function secret(name: string, namespace: string, value: string): KubeObject {
  const data = { value: Buffer.from(value).toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data } as KubeObject;
}

function deployments(words: Vocabulary): fc.Arbitrary<KubeObject> {
  return fc
    .record({
      name: fc.constantFrom(...names),
      namespace: mostly(...(words.namespaces ?? namespaces)),
      replicas: fc.integer({ min: 0, max: 5 }),
      image: fc.constantFrom('nginx:1', 'nginx:2'),
      labels: fc.constantFrom({}, { tier: 'front' }, { tier: 'back' }),
      mounts: fc.boolean(),
    })
    .map(({ name, mounts, ...rest }) =>
      deployment(name, { ...rest, ...(mounts && { configMaps: ['x'], secrets: ['x'] }) }),
    );
}

function smallObjects(words: Vocabulary): fc.Arbitrary<KubeObject> {
  return fc
    .record({
      kind: fc.constantFrom(
        'ConfigMap',
        'ConfigMap',
        'Secret',
        words.clusterRoles === false ? 'Secret' : 'ClusterRole',
      ),
      name: fc.constantFrom(...names),
      namespace: mostly(...(words.namespaces ?? namespaces)),
      value: fc.constantFrom('one', 'two'),
      labels: fc.constantFrom({}, { tier: 'front' }),
    })
    .map(({ kind, name, namespace, value, labels }) => {
      if (kind === 'ConfigMap') return configMap(name, { namespace, value, labels });
      return kind === 'Secret' ? secret(name, namespace, value) : clusterRole(name);
    });
}

/** A template of any kind. */
export function templates(words: Vocabulary = {}): fc.Arbitrary<KubeObject> {
  return fc.oneof({ weight: 4, arbitrary: deployments(words) }, { weight: 1, arbitrary: smallObjects(words) });
}

const kinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
] as const;
const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
const front = { matchLabels: { tier: 'front' } };
const tiers = [front, { matchExpressions: [{ key: 'tier', operator: 'In', values: ['back'] }] }, {}] as const;
const patterns = [undefined, undefined, 'a1', 'a*', 'b1,a2', 'a1*,b*', 'c*'] as const;

function selectors(words: Vocabulary, scope: 'namespace' | 'cluster'): fc.Arbitrary<ResourceSelector> {
  return fc
    .record({
      kind: fc.constantFrom(...kinds, ...(words.clusterRoles === false ? [] : [role])),
      name: mostly(undefined, ...names),
      labelSelector: mostly(undefined, ...tiers),
      namespace: fc.constantFrom(...(scope === 'cluster' ? patterns : [undefined])),
    })
    .map(({ kind, name, labelSelector, namespace }) => ({
      ...kind,
      ...(name && { name }),
      ...(labelSelector && { labelSelector }),
      ...(namespace && { namespace }),
    }));
}

const exclusions: fc.Arbitrary<readonly ExcludedResource[]> = fc.constantFrom(
  [],
  [],
  [],
  [],
  [],
  [],
  [{ namespace: 'a1' }],
  [{ namespace: 'b*' }],
  [{ name: 'x' }],
  [{ kind: 'ConfigMap' }, { labelSelector: front }],
);

const fleets = [
  { clusterAffinity: { clusterNames: ['member1'] } },
  { clusterAffinity: { clusterNames: ['member2'] } },
  { clusterAffinity: { clusterNames: ['member1', 'member3'] } },
  { clusterAffinity: { labelSelector: { matchLabels: { zone: 'z1' } } } },
  {},
] as const;

const divisions: readonly Placement['replicaScheduling'][] = [
  undefined,
  undefined,
  { replicaSchedulingType: 'Duplicated' },
  { replicaSchedulingType: 'Divided' },
  { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
];

const groupings: readonly Placement['workloadAffinity'][] = [
  undefined,
  { affinity: { groupByLabelKey: 'tier' } },
  { antiAffinity: { groupByLabelKey: 'tier' } },
];
const classOf = { priorityClassSource: 'KubePriorityClass', priorityClassName: 'gold' } as const;
const gold = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'gold' },
  value: 9,
} as unknown as KubeObject;

const placements: fc.Arbitrary<Placement> = fc
  .record({ where: fc.constantFrom(...fleets), how: fc.constantFrom(...divisions) })
  .map((chosen) => ({ ...chosen.where, ...(chosen.how && { replicaScheduling: chosen.how }) }));

const suspensionList: readonly Suspension[] = [
  { suspendDispatching: true },
  { dispatching: true },
  { suspendDispatchingOnClusters: { clusterNames: ['member1'] } },
  { dispatchingOnClusters: { clusterNames: ['member2', 'member3'] } },
  { suspendDispatching: false },
];

const suspensions = fc.constantFrom(...suspensionList);

/** A policy of either scope. */
export function policies(words: Vocabulary = {}): fc.Arbitrary<Policy> {
  return fc.constantFrom(...(words.scopes ?? (['namespace', 'cluster'] as const))).chain((scope) =>
    fc
      .record({
        name: mostly('p1', 'p2', 'p3'),
        namespace: mostly(...(words.namespaces ?? namespaces)),
        select: fc.array(selectors(words, scope), { minLength: 1, maxLength: 2 }),
        exclude: exclusions,
        placement: placements,
        priority: fc.constantFrom(undefined, 1, 2),
        preemption: fc.constantFrom(undefined, 'Always' as const, 'Always' as const, 'Never' as const),
        lazy: fc.boolean(),
        suspend:
          words.suspends === false ? fc.constant(undefined) : fc.option(suspensions, { nil: undefined, freq: 3 }),
        propagateDeps: words.dependencies === 'rarely' ? fc.nat(9).map((lot) => lot === 0) : fc.boolean(),
        preserve: fc.constantFrom(false, false, false, true),
        urgent: words.scheduling ? fc.boolean() : fc.constant(false),
        grouping: words.scheduling ? fc.constantFrom(...groupings) : fc.constant(undefined),
      })
      .map(
        ({
          name,
          preserve,
          urgent,
          grouping,
          placement,
          priority,
          preemption,
          suspend,
          propagateDeps,
          exclude,
          ...rest
        }) =>
          policy(name, {
            scope,
            ...rest,
            placement: { ...placement, ...(grouping && { workloadAffinity: grouping }) },
            ...(urgent && { schedulePriority: classOf }),
            ...(exclude.length > 0 && { exclude }),
            ...(priority !== undefined && { priority }),
            ...(preemption && { preemption }),
            ...(suspend && { suspend }),
            ...(propagateDeps && { propagateDeps }),
            ...(preserve && { preserveResourcesOnDeletion: true }),
          }),
      ),
  );
}

/** A rollout policy of either scope; one of a namespace has nothing to say about ClusterRoles. */
export function rollouts(words: Vocabulary = {}): fc.Arbitrary<RolloutPolicy> {
  return fc.constantFrom(...(words.scopes ?? (['namespace', 'cluster'] as const))).chain((scope) => {
    const told = scope === 'cluster' ? words : { ...words, clusterRoles: false };
    return fc
      .record({
        name: fc.constantFrom('r1', 'r2'),
        namespace: mostly(...(words.namespaces ?? namespaces)),
        suspension: fc.option(suspensions, { nil: undefined }),
        resourceSelectors: fc.array(selectors(told, scope), { minLength: 1, maxLength: 2 }),
        until: fc.constantFrom(undefined, undefined, '2026-01-01T00:01:00Z'),
      })
      .map(({ name, suspension, until, ...rest }) =>
        rollout(name, suspension, { scope, ...rest, ...(until && { until }) }),
      );
  });
}

const overriderList: readonly Overriders[] = [
  tagged('9'),
  { labelsOverrider: [{ operator: 'add', value: { place: 'here' } }] },
  { plaintext: [{ path: '/metadata/labels/tier', operator: 'remove' }] },
  { plaintext: [{ path: '/data/value', operator: 'replace', value: 'overridden' }] },
  { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 1 }] },
];

const targets = [
  undefined,
  'member1',
  ['member2', 'member3'],
  { labelSelector: { matchLabels: { zone: 'z1' } } },
] as const;

/** An override policy of either scope; some do not fit every object that they select, and some select all. */
export function overrides(words: Vocabulary = {}): fc.Arbitrary<OverridePolicy> {
  return fc.constantFrom(...(words.scopes ?? (['namespace', 'cluster'] as const))).chain((scope) =>
    fc
      .record({
        name: fc.constantFrom('o1', 'o2'),
        namespace: mostly(...(words.namespaces ?? namespaces)),
        overriders: fc.constantFrom(...overriderList),
        on: fc.constantFrom(...targets),
        lazy: fc.boolean(),
        resourceSelectors: fc.array(selectors({ ...words, clusterRoles: false }, scope), { maxLength: 1 }),
      })
      .map(({ name, overriders, on, ...rest }) => override(name, overriders, { scope, ...rest, ...(on && { on }) })),
  );
}

function existing(words: Vocabulary): fc.Arbitrary<Ref> {
  return templates(words).map(refOf);
}

const ticket = fc.integer({ min: 1, max: 9 }).map(String);

function templateEvents(words: Vocabulary): fc.WeightedArbitrary<Event>[] {
  const refs = existing(words);
  return [
    { weight: 8, arbitrary: fc.record({ do: fc.constant('apply'), object: templates(words) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('touch'), ref: refs, value: ticket }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), ref: refs }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('status'), ref: refs, value: fc.integer({ min: 1, max: 3 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('mark'),
        ref: refs,
        key: fc.constantFrom('sluice.dev/note', 'example.karmada.io/note'),
        value: ticket,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('request'), ref: refs, value: ticket }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('tamper'),
        member: fc.constantFrom(...memberNames),
        ref: refs,
        how: fc.constantFrom('edit', 'delete'),
      }),
    },
  ] as fc.WeightedArbitrary<Event>[];
}

function policyEvents(words: Vocabulary): fc.WeightedArbitrary<Event>[] {
  return [
    { weight: 9, arbitrary: fc.record({ do: fc.constant('apply'), object: policies(words) }) },
    { weight: 3, arbitrary: policies(words).map((object) => ({ do: 'delete', ref: refOf(object) })) },
  ] as fc.WeightedArbitrary<Event>[];
}

function schedulingEvents(words: Vocabulary): fc.WeightedArbitrary<Event>[] {
  if (!words.scheduling) return [];
  return [
    { weight: 2, arbitrary: fc.constant({ do: 'apply', object: gold }) },
    { weight: 1, arbitrary: fc.constant({ do: 'delete', ref: refOf(gold) }) },
  ] as fc.WeightedArbitrary<Event>[];
}

function overrideEvents(words: Vocabulary): fc.WeightedArbitrary<Event>[] {
  if (!words.overrides) return [];
  return [
    { weight: 5, arbitrary: overrides(words).map((object) => ({ do: 'apply', object })) },
    { weight: 1, arbitrary: overrides(words).map((object) => ({ do: 'delete', ref: refOf(object) })) },
  ] as fc.WeightedArbitrary<Event>[];
}

function suspensionEvents(words: Vocabulary): fc.WeightedArbitrary<Event>[] {
  if (words.rollouts === false) return [];
  return [
    { weight: 2, arbitrary: fc.record({ do: fc.constant('apply'), object: rollouts(words) }) },
    { weight: 1, arbitrary: rollouts(words).map((object) => ({ do: 'delete', ref: refOf(object) })) },
  ] as fc.WeightedArbitrary<Event>[];
}

const taintList = [
  [],
  [{ key: 'full', effect: 'NoSchedule' }],
  [{ key: 'down', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }],
] as const;

function fleetEvents(words: Vocabulary): fc.WeightedArbitrary<Event>[] {
  const events: fc.WeightedArbitrary<Event>[] = [];
  if (words.fleet !== false) {
    const arbitrary = fc.record({
      do: fc.constant('fleet' as const),
      cluster: fc.constantFrom(...memberNames),
      taints: fc.constantFrom(...taintList),
      zone: fc.constantFrom('z1', 'z2'),
    });
    events.push({ weight: 1, arbitrary });
  }
  if (words.outages) {
    const arbitrary = fc.record({
      do: fc.constant('reach' as const),
      member: fc.constantFrom(...memberNames),
      up: fc.constantFrom(false, false, true),
    });
    events.push({ weight: 4, arbitrary });
  }
  if (words.time !== false) {
    events.push({
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 61, 700) }),
    });
  }
  return events;
}

/** Anything that can happen. */
export function events(words: Vocabulary = {}): fc.Arbitrary<Event> {
  return fc.oneof(
    ...templateEvents(words),
    ...policyEvents(words),
    ...overrideEvents(words),
    ...schedulingEvents(words),
    ...suspensionEvents(words),
    ...fleetEvents(words),
  );
}

/** An event, and whether the world comes to rest after it, is restarted, or goes on at once. */
export interface Step {
  readonly event: Event;
  readonly pause: 'settle' | 'restart' | 'goOn';
}

/** The events of a story, from an empty hub with three members on. */
export interface Story {
  readonly gates: Partial<Gates>;
  readonly large: boolean;
  readonly steps: readonly Step[];
}

/** Switches of behaviour that stories are told under. */
export const gates: fc.Arbitrary<Partial<Gates>> = fc.constantFrom(
  {},
  {},
  {},
  { StaticPolicy: true },
  { PropagationPolicyPreemption: false },
  { PropagateDeps: false },
  { Failover: true },
  { Failover: true, GracefulEviction: false },
);

const pauses = fc.constantFrom('settle' as const, 'settle' as const, 'goOn' as const, 'restart' as const);

function stepsOf(event: fc.Arbitrary<Event>, maxLength: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(fc.record({ event, pause: pauses }), { minLength: 1, maxLength, size: 'max' });
}

function applied(object: fc.Arbitrary<KubeObject>): fc.Arbitrary<Event> {
  return object.map((manifest) => ({ do: 'apply', object: manifest }));
}

/** A story with pauses, bursts and restarts: somebody writes policies and templates, then anything happens. */
export function stories(words: Vocabulary = {}, maxLength = 8): fc.Arbitrary<Story> {
  const opening = [
    stepsOf(applied(policies(words)), 3),
    stepsOf(applied(deployments(words)), 2),
    stepsOf(applied(smallObjects(words)), 2),
  ] as const;
  return fc.record({
    gates: words.scheduling ? gates.map((chosen) => ({ ...chosen, WorkloadAffinity: true })) : gates,
    large: fc.nat(9).map((lot) => lot === 0),
    steps: fc
      .tuple(fc.boolean(), ...opening, stepsOf(events(words), maxLength))
      .map(([policiesFirst, rules, workloads, others, rest]) => [
        ...(policiesFirst ? rules : workloads),
        ...others,
        ...(policiesFirst ? workloads : rules),
        ...rest,
      ]),
  });
}

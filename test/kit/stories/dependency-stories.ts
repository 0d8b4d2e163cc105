import * as fc from 'fast-check';
import { refOf } from '../../../src/api/index.ts';
import type { KubeObject, Placement, Policy } from '../../../src/api/index.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../objects.ts';
import type { PolicyWords } from '../objects.ts';
import type { Step, Vocabulary } from './anything.ts';
import { memberNames } from './event.ts';
import type { Event } from './event.ts';
import type { Proposal } from './proposal.ts';

/** Three workloads, and three ConfigMaps that some of them mount. */
const names = ['a', 'b', 'c'] as const;
const namespace = 'a1';

const places = ['member1', 'member2', ['member1', 'member3'], ['member2', 'member3']] as const;

/** How a policy divides replicas or chooses among clusters; most say nothing about it. */
const weights = { staticWeightList: [{ targetCluster: { clusterNames: ['member1'] }, weight: 2 }] };
const divided = { replicaSchedulingType: 'Divided' as const };
const choices: readonly Placement[] = [
  ...Array.from({ length: 6 }, () => ({})),
  { replicaScheduling: divided },
  { replicaScheduling: { ...divided, replicaDivisionPreference: 'Aggregated' } },
  { replicaScheduling: { ...divided, replicaDivisionPreference: 'Weighted', weightPreference: weights } },
  { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] },
];
const suspensions = [
  undefined,
  undefined,
  { suspendDispatching: true },
  { suspendDispatchingOnClusters: { clusterNames: ['member1'] } },
  { dispatchingOnClusters: { clusterNames: ['member2', 'member3'] } },
];

/** A policy that holds all of the workloads, all of what they mount, or both. */
const policies = ({ suspends }: Vocabulary): fc.Arbitrary<Policy> =>
  fc
    .record({
      name: fc.constantFrom('p1', 'p2', 'p3'),
      scope: fc.constantFrom('namespace' as const, 'namespace' as const, 'cluster' as const),
      select: fc.constantFrom([deployments()], [deployments()], [configMaps()], [deployments(), configMaps()]),
      to: fc.constantFrom(...places),
      choice: fc.constantFrom(...choices),
      lazy: fc.nat(3).map((lot) => lot === 0),
      suspend: fc.constantFrom(...(suspends === false ? [undefined] : suspensions)),
      propagateDeps: fc.nat(2).map((lot) => lot === 0),
      priority: fc.constantFrom(0, 0, 1),
      preemption: fc.constantFrom('Never' as const, 'Always' as const),
      preserveResourcesOnDeletion: fc.nat(4).map((lot) => lot === 0),
      conflictResolution: fc.constantFrom('Abort' as const, 'Abort' as const, 'Overwrite' as const),
      excluded: fc.constantFrom(undefined, undefined, undefined, 'a', 'b'),
    })
    .map(({ name, choice, suspend, excluded, to, select, ...rest }) => {
      const words: PolicyWords = {
        ...rest,
        namespace,
        to,
        select: select.map((one) => (rest.scope === 'cluster' ? { ...one, namespace: 'a*' } : one)),
        placement: choice,
        ...(suspend && { suspend }),
        ...(excluded && { exclude: [{ name: excluded }] }),
      };
      return policy(name, words);
    });

const one: fc.Arbitrary<KubeObject> = fc
  .tuple(fc.constantFrom(...names), fc.boolean())
  .map(([name, small]) => (small ? configMap(name, { namespace }) : deployment(name, { namespace })));
const value = fc.constantFrom('1', '2');
const applied = (object: KubeObject): Event => ({ do: 'apply', object });

const outage: fc.Arbitrary<Event> = fc.record({
  do: fc.constant('reach' as const),
  member: fc.constantFrom(...memberNames),
  up: fc.constantFrom(false, false, true),
});

/** Something that happens to one of them alone, or a change that concerns all. */
const events = (words: Vocabulary): fc.Arbitrary<Event> =>
  fc.oneof(
    fc.record({
      do: fc.constant('tamper' as const),
      member: fc.constantFrom(...memberNames),
      ref: one.map(refOf),
      how: fc.constantFrom('edit' as const, 'delete' as const),
    }),
    fc.record({ do: fc.constant('touch' as const), ref: one.map(refOf), value }),
    ...(words.outages ? [outage] : []),
    fc.record({ do: fc.constant('request' as const), ref: one.map(refOf), value }),
    { weight: 2, arbitrary: policies(words).map(applied) },
    policies(words).map((object): Event => ({ do: 'delete', ref: refOf(object) })),
  );

const templates: fc.Arbitrary<readonly KubeObject[]> = fc
  .record({
    mounts: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    images: fc.constantFrom(['x', 'x', 'x'], ['x', 'y', 'z']),
  })
  .map(({ mounts, images }) =>
    names.flatMap((name, i) => [
      configMap(name, { namespace, value: images[i] ?? '' }),
      deployment(name, { namespace, image: images[i] ?? '', ...(mounts[i] && { configMaps: [name] }) }),
    ]),
  );

/** Templates in the company of their like, to some of which something else has happened, and a change of policies. */
export const companies = (words: Vocabulary): fc.Arbitrary<Proposal> =>
  fc
    .record({
      early: fc.array(policies(words), { minLength: 1, maxLength: 3 }),
      all: templates,
      policiesFirst: fc.boolean(),
      later: fc.array(events(words), { maxLength: 3 }),
      gates: fc.constantFrom({}, {}, { StaticPolicy: true }, { PropagationPolicyPreemption: false }),
      apply: fc.array(fc.oneof({ weight: 5, arbitrary: policies(words) }, one), { maxLength: 2 }),
      gone: fc.array(policies(words).map(refOf), { maxLength: 1 }),
    })
    .map(({ early, all, policiesFirst, later, gates, apply, gone }) => ({
      story: { gates, large: false, steps: [...opening(early, all, policiesFirst), ...stepsOf(later, 'settle')] },
      change: { apply, delete: gone },
    }));

function opening(early: readonly KubeObject[], all: readonly KubeObject[], policiesFirst: boolean): readonly Step[] {
  const [first, second] = policiesFirst ? [early, all] : [all, early];
  return [...stepsOf(first.map(applied), 'goOn'), ...stepsOf(second.map(applied), 'settle')];
}

function stepsOf(all: readonly Event[], pause: Step['pause']): readonly Step[] {
  return all.map((event) => ({ event, pause }));
}

import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { keyOf, bindingApi } from '../../src/api/index.ts';
import type { Binding, KubeObject, Placement, Suspension } from '../../src/api/index.ts';
import { at } from '../../src/base/index.ts';
import { replicasOf, run, World } from '../../src/engine/index.ts';
import type { Settling } from '../../src/engine/index.ts';
import { deployment, policy } from '../kit/objects.ts';
import { simulated, withReady } from '../kit/readiness.ts';
import { happen, memberNames, stageFor } from '../kit/stories/event.ts';
import { property } from '../kit/stories/runs.ts';
import { forget } from '../kit/stories/tell.ts';

/** A member that is ready no longer, or again; the hub may remember what one that is not ready had. */
interface Outage {
  readonly member: string;
  readonly up: boolean;
  readonly isRemembered: boolean;
}

/** One thing that happens to a workload that moves, and how often members get a replica ready until it has settled. */
interface Step {
  readonly change: { readonly object: KubeObject } | { readonly outage: Outage };
  readonly patience: number;
  readonly restart: boolean;
}

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'a1', name: 'web' };
const binding = { apiVersion: bindingApi, kind: 'ResourceBinding', namespace: 'a1', name: 'web-deployment' };

const divisions: readonly Placement['replicaScheduling'][] = [
  undefined,
  { replicaSchedulingType: 'Divided' },
  {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: [
        { targetCluster: { clusterNames: ['member1'] }, weight: 3 },
        { targetCluster: { clusterNames: ['member2', 'member3'] }, weight: 1 },
      ],
    },
  },
];

const suspensions: readonly (Suspension | undefined)[] = [
  undefined,
  undefined,
  undefined,
  { dispatching: true },
  { dispatchingOnClusters: { clusterNames: ['member2'] } },
];

const placements = fc
  .record({
    names: fc.oneof(fc.subarray([...memberNames], { minLength: 1 }), fc.constant(['member9'])),
    how: fc.constantFrom(...divisions),
    suspend: fc.constantFrom(...suspensions),
    lazy: fc.nat(5).map((lot) => lot === 0),
  })
  .map(({ names, how, suspend, lazy }) =>
    policy('pp', {
      namespace: 'a1',
      placement: { clusterAffinity: { clusterNames: names }, ...(how && { replicaScheduling: how }) },
      ...(suspend && { suspend }),
      lazy,
    }),
  );

const workload = (replicas: number, image: string): KubeObject =>
  deployment('web', { namespace: 'a1', replicas, image, outcome: 'NeverReady' });

const edits = fc
  .record({ replicas: fc.integer({ min: 1, max: 5 }), image: fc.constantFrom('x:1', 'x:2') })
  .map(({ replicas, image }) => workload(replicas, image));

const outages: fc.Arbitrary<Outage> = fc.record({
  member: fc.constantFrom(...memberNames),
  up: fc.boolean(),
  isRemembered: fc.boolean(),
});

const steps: fc.Arbitrary<Step> = fc.record({
  change: fc.oneof(
    { weight: 3, arbitrary: placements.map((object) => ({ object })) },
    { weight: 1, arbitrary: edits.map((object) => ({ object })) },
    { weight: 1, arbitrary: outages.map((outage) => ({ outage })) },
  ),
  patience: fc.integer({ min: 0, max: 12 }),
  restart: fc.nat(4).map((lot) => lot === 0),
});

/** How many replicas of the workload are ready in a member. */
function readyIn(world: World, member: string): number {
  const object = world.inMember(member, keyOf(web));
  if (!object || object.metadata.deletionTimestamp) return 0;
  const ready = at(object, ['status', 'readyReplicas']);
  return Math.min(typeof ready === 'number' ? ready : 0, replicasOf(object)?.replicas ?? 0);
}

/** How many replicas the binding has in a member: those that the placement gives it, and those that a move keeps there. */
function suspendedIn(world: World, member: string): number {
  const { clusters = [], gracefulEvictionTasks = [] } = (world.get(keyOf(binding)) as Binding | undefined)?.spec ?? {};
  const given = clusters.find(({ name }) => name === member)?.replicas ?? 0;
  return given + (gracefulEvictionTasks.find(({ fromCluster }) => fromCluster === member)?.replicas ?? 0);
}

/**
 * Ready replicas that the binding has. One that it gave up counts no more, even while a suspension puts off its removal:
 * to give up what is needed is wrong at once, and to remove later what was given up rightly is not.
 */
function readyReplicas(world: World): number {
  return memberNames.reduce((sum, member) => sum + Math.min(readyIn(world, member), suspendedIn(world, member)), 0);
}

function change(world: World, { change: what }: Step, seed: number): void {
  if ('object' in what) return happen(world, { do: 'apply', object: what.object }, seed);
  const { member, up, isRemembered } = what.outage;
  happen(world, { do: 'reach', member, up }, seed);
  if (isRemembered) world.silent.delete(member);
}

/** A member gets one more replica ready; nothing when it has all. */
function progress(world: World, member: string): void {
  const object = world.inMember(member, keyOf(web));
  if (!object || readyIn(world, member) >= (replicasOf(object)?.replicas ?? 0)) return;
  world.write({ verb: 'updateStatus', object: withReady(object, readyIn(world, member) + 1), at: member });
}

/** Watches every write: none takes away a ready replica that is wanted. */
function watch(world: World): void {
  let before = readyReplicas(world);
  world.write = (write) => {
    World.prototype.write.call(world, write);
    const template = world.get(keyOf(web));
    const wanted = template ? (replicasOf(template)?.replicas ?? 0) : 0;
    const ready = readyReplicas(world);
    expect(ready).toBeGreaterThanOrEqual(Math.min(before, wanted));
    before = ready;
  };
}

/** Controllers and members that take turns at random. */
function turns(world: World, random: () => number, patience: number): Settling {
  let left = patience;
  return {
    members: simulated,
    pick: (open) => {
      if (left > 0 && random() < 0.3) {
        left--;
        progress(world, memberNames[Math.floor(random() * memberNames.length)] ?? '');
      }
      return Math.floor(random() * open.length);
    },
  };
}

function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

describe('every placement and edit of a workload', () => {
  const stories = fc.record({ story: fc.array(steps, { minLength: 1, maxLength: 8 }), seed: fc.nat() });

  property('no write takes away a ready replica that is wanted', stories, ({ story, seed }) => {
    const world = stageFor({});
    const random = chance(seed);
    happen(world, { do: 'apply', object: policy('pp', { namespace: 'a1', to: 'member1' }) }, 0);
    happen(world, { do: 'apply', object: workload(2, 'x:1') }, 1);
    run(world, { members: simulated });
    progress(world, 'member1');
    progress(world, 'member1');
    run(world, { members: simulated });
    watch(world);
    story.forEach((step, i) => {
      const { patience, restart } = step;
      change(world, step, i + 2);
      if (restart) forget(world);
      run(world, { ...turns(world, random, patience), restart });
    });
    expect(readyReplicas(world)).toBeGreaterThan(0);
  });
});

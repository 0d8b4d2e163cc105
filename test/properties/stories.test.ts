import { describe, expect } from 'vitest';
import { bindingFamilyOf, keyOf, refOf } from '../../src/api/index.ts';
import type { Binding, KubeObject, Policy, Work } from '../../src/api/index.ts';
import { equal } from '../../src/base/index.ts';
import {
  bindingRefOf,
  claimOf,
  conditionStatus,
  fingerprintOf,
  inEffectOf,
  isOverride,
  isPropagated,
  run,
} from '../../src/engine/index.ts';
import type { Settling, World } from '../../src/engine/index.ts';
import { stories } from '../kit/stories/anything.ts';
import { memberNames } from '../kit/stories/event.ts';
import type { Event } from '../kit/stories/event.ts';
import { property } from '../kit/stories/runs.ts';
import { forget, tell } from '../kit/stories/tell.ts';

type Hear = NonNullable<Settling['trace']>['hear'];

function objectsOf(world: World): readonly KubeObject[] {
  return [...world.entries()].filter(([key]) => !key.startsWith('@')).map(([, object]) => object);
}

function templatesOf(world: World): readonly KubeObject[] {
  return objectsOf(world).filter(isPropagated);
}

function bindingIn(world: World, template: KubeObject): Binding | undefined {
  return world.get(keyOf(bindingRefOf(template))) as Binding | undefined;
}

function worksIn(world: World): readonly Work[] {
  return objectsOf(world).filter((object): object is Work => object.kind === 'Work');
}

/** Asked again about everything, a world at rest decides nothing and writes nothing. */
function expectRest(world: World): void {
  const again = world.fork();
  forget(again);
  const hear: Hear = (question, key, { because, actions }) => {
    if (actions.length > 0) expect.fail(`at rest ${question} of ${key} still decides ${because}`);
  };
  run(again, { restart: true, trace: { hear } });
  const [before, after] = [new Map(world.entries()), new Map(again.entries())];
  for (const [key, object] of after) {
    if (object !== before.get(key)) expect.fail(`a restart writes ${key}: ${difference(before.get(key), object)}`);
  }
  for (const key of before.keys()) if (!after.has(key)) expect.fail(`a restart deletes ${key}`);
}

function difference(before: unknown, after: unknown): string {
  return equal(before, after) ? 'the same again' : `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
}

/** Events that can never move anything: bookkeeping by the system or by other controllers. */
const isIdle = ({ do: what }: Event): boolean => what === 'status' || what === 'mark';

function concerns(event: Event, template: KubeObject): boolean {
  if (event.do === 'apply') return keyOf(refOf(event.object)) === keyOf(refOf(template));
  return 'ref' in event && keyOf(event.ref) === keyOf(refOf(template));
}

/** The policy that manages a template after all. */
function managingPolicyIn(world: World, template: KubeObject): Policy | undefined {
  const claim = claimOf(template);
  const ref = claim && {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: claim.family.kind,
    ...(claim.namespace && { namespace: claim.namespace }),
    name: claim.name,
  };
  return ref && (world.get(keyOf(ref)) as Policy | undefined);
}

const isLazy = (policy: Policy | undefined): boolean => policy?.spec.activationPreference === 'Lazy';

function isNeeded(world: World, template: KubeObject): boolean {
  return (bindingIn(world, template)?.spec.requiredBy?.length ?? 0) > 0;
}

function isSuspendedSomewhere(world: World, template: KubeObject): boolean {
  const binding = bindingIn(world, template);
  const id = binding?.metadata.labels?.[bindingFamilyOf(template).idLabel] ?? '';
  return worksIn(world).some(
    (work) => work.spec.suspendDispatching && Object.values(work.metadata.labels ?? {}).includes(id),
  );
}

function expectUntouched(before: World, after: World, template: KubeObject): void {
  for (const member of memberNames) {
    const key = keyOf(refOf(template));
    const [was, is] = [before.inMember(member, key), after.inMember(member, key)];
    if (was !== is) expect.fail(`${key} was written in ${member}: ${difference(was, is)}`);
  }
}

/**
 * Tells whether this stretch of events may move a template that none of them is about. Only an immediate policy or the
 * fleet may.
 */
function mayMove(before: World, after: World, template: KubeObject): boolean {
  if (isNeeded(before, template) || isNeeded(after, template) || isSuspendedSomewhere(before, template)) return true;
  if (after.gates.StaticPolicy) return inEffectOf(bindingIn(before, template))?.template !== fingerprintOf(template);
  return managingPolicyIn(after, template) !== undefined && !isLazy(managingPolicyIn(after, template));
}

const isSuspension = (event: Event): boolean =>
  (event.do === 'apply' && event.object.kind.endsWith('RolloutPolicy')) ||
  (event.do === 'delete' && event.ref.kind.endsWith('RolloutPolicy'));

/** A lazy override waits for its templates, whatever becomes of it; another one changes what runs at once. */
function isImmediateOverride(event: Event): boolean {
  if (event.do === 'delete') return event.ref.kind.endsWith('OverridePolicy');
  if (event.do !== 'apply' || !isOverride(event.object)) return false;
  return event.object.spec.activationPreference !== 'Lazy';
}

/** Deletion is not suspended, nor is tampering with the member. */
const isRough = ({ do: what }: Event): boolean => what === 'delete' || what === 'tamper';

function isDivided({ spec }: Binding): boolean {
  return spec.placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
}

/** Without a policy, or while a member is being left, there may be nowhere to put them. */
function expectSum(binding: Binding): void {
  const { spec, status } = binding;
  if (!claimOf(binding) || spec.gracefulEvictionTasks?.length || !isDivided(binding)) return;
  if (spec.replicas === undefined || conditionStatus(status?.conditions, 'Scheduled') !== 'True') return;
  const sum = (spec.clusters ?? []).reduce((total, target) => total + (target.replicas ?? 0), 0);
  expect(sum).toBe(spec.replicas);
}

/** Only an immediate policy or override, the fleet, the end of a suspension or a change of its own moves a workload. */
function expectNothingMovedByItself(before: World, after: World, events: readonly Event[]): void {
  const isFree = (event: Event): boolean => isSuspension(event) || isImmediateOverride(event);
  if (events.some((event) => isFree(event) || event.do === 'fleet' || event.do === 'wait')) return;
  for (const template of templatesOf(after)) {
    const own = events.some((event) => concerns(event, template) && (events.length > 1 || !isIdle(event)));
    if (!own && !mayMove(before, after, template)) expectUntouched(before, after, template);
  }
}

/** Bookkeeping of the system and a restart write nothing to any member. */
function expectIdle(before: World, after: World, events: readonly Event[]): void {
  if (!events.every(isIdle)) return;
  for (const template of templatesOf(after)) expectUntouched(before, after, template);
}

function expectSuspended(before: World, after: World, events: readonly Event[]): void {
  for (const work of worksIn(after)) {
    const manifest = work.spec.workload.manifests[0];
    if (!work.spec.suspendDispatching || !manifest) continue;
    if (events.some((event) => concerns(event, manifest) && isRough(event))) continue;
    const member = work.metadata.namespace?.slice('karmada-es-'.length) ?? '';
    const key = keyOf(refOf(manifest));
    const [was, is] = [before.inMember(member, key), after.inMember(member, key)];
    if (was !== is) expect.fail(`${key} in ${member} is suspended and was written: ${difference(was, is)}`);
  }
}

const sentence = 'the world comes to rest, nothing moves by itself, no suspended copy is written, replicas add up';

describe('every story, with bursts and restarts', () => {
  property(sentence, stories({ overrides: true }), (story) => {
    const end = tell(story, (before, after, events) => {
      expectRest(after);
      expectNothingMovedByItself(before, after, events);
      expectIdle(before, after, events);
      expectSuspended(before, after, events);
    });
    for (const object of objectsOf(end)) if (object.kind.endsWith('ResourceBinding')) expectSum(object as Binding);
  });
});

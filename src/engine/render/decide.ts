import { bindingFamilyOf, dependenciesFinalizer, refOf } from '../../api/index.ts';
import type { Binding, GracefulEvictionTask, TargetCluster, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { claimOf, reflectsContent } from '../claim/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { isForOldCopies, isLeaving, isSuspendedOn } from '../suspension/index.ts';
import { isPurgedFirst, movesOf } from '../move/index.ts';
import { policyNameOf } from '../override/index.ts';
import type { Reason } from '../reasons.ts';
import { isDivided } from '../schedule/index.ts';
import { changedAt } from '../times.ts';
import type { RenderFacts } from './facts.ts';
import { existingClusters, renderedTargetsOf, targetsOf } from './targets.ts';
import { blankOf } from './manifest.ts';
import { noteOverrides, reportFailure } from './override-notes.ts';
import type { Blank } from './manifest.ts';
import { keptWork, leavingWork, workFor } from './work.ts';

/** Why a Work could not be made. */
interface RenderError {
  readonly because: Reason;
  readonly text: string;
}

const detailOf = (errors: readonly RenderError[]): { readonly detail?: string } =>
  errors.length > 0 ? { detail: errors.map(({ text }) => text).join('; ') } : {};

/** The actions of the binder. */
export type RenderAction = Action<'render' | 'remove' | 'finalize' | 'restore' | 'record' | 'report'>;

/** Which Works, in which members? */
export function decideRender(facts: RenderFacts): Decision<RenderAction> {
  if (facts.binding.metadata.deletionTimestamp) return facts.isDeletedByHand ? putBack(facts) : removeAll(facts);
  if (!facts.template) return rest('TemplateGone');
  if (facts.isUnsettled) return { actions: suspendedOnly(facts), because: 'ClaimUnsettled' };
  if (!isHandled(facts)) return freeze(facts);
  const errors: RenderError[] = [];
  const wanted = renderAll(facts, renderedTargetsOf(facts.binding), errors);
  if (errors.some(({ because }) => because === 'OverrideFailed')) return stopped(facts, errors);
  return purge(facts) ?? follow(facts, wanted, errors);
}

/** Everything is as the binding wants it, but for the Works that could not be made. */
function follow(
  facts: RenderFacts,
  wanted: readonly RenderAction[],
  errors: readonly RenderError[],
): Decision<RenderAction> {
  const removals = removalsOf(facts);
  const rendered = [...wanted, ...keptAll(facts)];
  const noted = noteOverrides(facts);
  const actions = [...noted, ...rendered, ...removals];
  if (errors[0]) return { actions, because: errors[0].because, ...detailOf(errors) };
  if (noted.some((action) => action.do === 'record')) return { actions, because: 'OverridesChanged' };
  const because = reasonOf(facts, rendered, removals);
  if (because !== 'UpToDate' || facts.overrides.pending.length === 0) return { actions, because };
  return { actions, because: 'OverrideWaits', detail: facts.overrides.pending.map(policyNameOf).join(', ') };
}

/** A broken override stops everything of its binding but suspensions: what runs stays as it is, also where it is to leave. */
function stopped(facts: RenderFacts, errors: readonly RenderError[]): Decision<RenderAction> {
  const { detail = '' } = detailOf(errors);
  const actions = [...facts.works].flatMap((entry) => suspendedWork(facts, entry));
  return { actions: [...actions, ...reportFailure(facts, detail)], because: 'OverrideFailed', detail };
}

function reasonOf(
  facts: RenderFacts,
  rendered: readonly RenderAction[],
  removals: readonly RenderAction[],
): 'Rendered' | 'Removed' | 'RemovalSuspended' | 'UpToDate' {
  if (rendered.length) return 'Rendered';
  if (removals.some((action) => action.do === 'remove')) return 'Removed';
  return isRemovalSuspended(facts) ? 'RemovalSuspended' : 'UpToDate';
}

function isRemovalSuspended(facts: RenderFacts): boolean {
  const existing = existingClusters(facts.binding);
  for (const [cluster, work] of facts.works) {
    if (!existing.has(cluster) && !work.metadata.deletionTimestamp) return true;
  }
  return false;
}

/** Suspension never blocks the deletion of the resource itself (proposal 4). */
function removeAll({ binding, works }: RenderFacts): Decision<RenderAction> {
  const { finalizer } = bindingFamilyOf(binding);
  const actions = [...works.values()].filter((work) => !work.metadata.deletionTimestamp).map(removal);
  const finalizers = binding.metadata.finalizers?.filter((name) => name !== finalizer);
  if (finalizers?.length !== binding.metadata.finalizers?.length) {
    const object = { ...binding, metadata: { ...binding.metadata, finalizers: finalizers ?? [] } };
    actions.push({ do: 'finalize', write: { verb: 'update', object } });
  }
  return actions.length ? act('BindingDeleting', ...actions) : rest('BindingDeleting');
}

/**
 * A binding that is deleted by hand is made again as it was: with its clusters, its evictions and what it has in effect. A
 * finalizer of somebody else is waited for. After a crash between the two writes the detector makes the binding, from
 * the Works.
 */
function putBack({ binding }: RenderFacts): Decision<RenderAction> {
  const { metadata } = binding;
  const ours = new Set([bindingFamilyOf(binding).finalizer, dependenciesFinalizer]);
  if (!metadata.finalizers?.every((name) => ours.has(name))) return rest('BindingDeleting');
  const gone = { ...binding, metadata: { ...metadata, finalizers: [] } };
  return act<RenderAction>(
    'PutBack',
    { do: 'finalize', write: { verb: 'update', object: gone } },
    { do: 'restore', write: { verb: 'create', object: madeAnew(binding) } },
  );
}

/** The binding without the parts that a server gives to an object. */
function madeAnew(binding: Binding): Binding {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = binding.metadata;
  const metadata = {
    name,
    ...(namespace && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
  };
  return { apiVersion: binding.apiVersion, kind: binding.kind, metadata, spec: binding.spec };
}

function removal(work: Work): RenderAction {
  return { do: 'remove', write: { verb: 'delete', ref: refOf(work) } };
}

/**
 * Works are made only from content that the binding reflects. A template that changed while no policy matches keeps its
 * Works as they are, whatever else happens (proposal 2, corner case 1); only suspensions still work.
 */
function isHandled({ binding, template }: RenderFacts): boolean {
  return template === undefined || reflectsContent(binding, template);
}

/** A new suspension never waits; the changes after its end do. */
function suspendedOnly(facts: RenderFacts): readonly RenderAction[] {
  return [...facts.works].flatMap((entry) =>
    isSuspendedOn(facts.suspensions, entry[0]) ? suspendedWork(facts, entry) : [],
  );
}

function freeze(facts: RenderFacts): Decision<RenderAction> {
  const isFree = claimOf(facts.binding) === undefined;
  const needed = isFree ? neededOn(facts.binding) : nowhere;
  const whole = isWhole(facts);
  const going = isFree && whole ? removalsOf(facts) : undefined;
  const existing = existingClusters(facts.binding);
  const isKept = ([cluster]: readonly [string, Work]): boolean => {
    if (needed.has(cluster)) return false;
    if (existing.has(cluster) || !whole) return true;
    // A copy that was to leave before the content changed is not sent there.
    return !going && isSuspendedOn(facts.suspensions, cluster);
  };
  const kept = [...facts.works].filter(isKept).flatMap((entry) => suspendedWork(facts, entry));
  const targets = renderedTargetsOf(facts.binding).filter(({ name }) => needed.has(name));
  const errors: RenderError[] = [];
  const actions = [...renderAll(facts, targets, errors), ...(going ?? []), ...kept];
  return { actions, because: 'ContentNotHandled', ...detailOf(errors) };
}

const nowhere: ReadonlySet<string> = new Set();

/**
 * The clusters where workloads need it. A dependency that no policy manages is placed like any object without a policy.
 */
function neededOn({ spec }: Binding): ReadonlySet<string> {
  return new Set(spec.requiredBy?.flatMap(({ clusters }) => clusters?.map(({ name }) => name) ?? []));
}

/** True when every cluster of its own has it. Then no copy elsewhere has to stand in for one that cannot be made. */
function isWhole({ binding, works }: RenderFacts): boolean {
  const { clusters = [] } = binding.spec;
  return clusters.length > 0 && clusters.every(({ name }) => works.has(name));
}

function suspendedWork(facts: RenderFacts, [cluster, work]: readonly [string, Work]): readonly RenderAction[] {
  const suspendDispatching = isSuspendedOn(facts.suspensions, cluster);
  if (work.spec.suspendDispatching === suspendDispatching || isWithheld(facts, cluster)) return [];
  const object = { ...work, spec: { ...work.spec, suspendDispatching } };
  return [{ do: 'render', write: { verb: 'update', object } }];
}

/**
 * Tells whether nothing is sent to this cluster, since no workload needs it there any more, or only old copies do. For
 * old copies it stays as long as they do: what was suspended before its member had it is never sent.
 */
function isWithheld(facts: RenderFacts, cluster: string): boolean {
  const { suspensions, works } = facts;
  if (isLeaving(suspensions, cluster)) return true;
  const work = works.get(cluster);
  if (!work?.spec.suspendDispatching || isSuspendedOn(suspensions, cluster)) return false;
  return isForOldCopies(suspensions, cluster) && !facts.isInStep(work);
}

/**
 * The Works of clusters that a move keeps for now. They keep their content, whatever becomes of the template, so that a
 * copy that is about to leave is never restarted; only suspensions and a smaller number of replicas reach them.
 */
function keptAll(facts: RenderFacts): readonly RenderAction[] {
  const moves = movesOf(facts.binding);
  if (moves.length === 0) return [];
  const wanted = new Set(targetsOf(facts.binding).map(({ name }) => name));
  return moves.flatMap((task): readonly RenderAction[] => {
    const work = facts.works.get(task.fromCluster);
    if (!work || work.metadata.deletionTimestamp || wanted.has(task.fromCluster)) return [];
    const object = isSuspendedOn(facts.suspensions, task.fromCluster) ? keptWork(work) : leavingOf(facts, work, task);
    return object === work ? [] : [{ do: 'render', write: { verb: 'update', object: changedAt(facts.now, object) } }];
  });
}

/** A Work that was suspended stays so unless its member has just what it says: nothing new is sent to a cluster that is left. */
function leavingOf(facts: RenderFacts, work: Work, { replicas }: GracefulEvictionTask): Work {
  if (work.spec.suspendDispatching && !facts.isInStep(work)) return work;
  return leavingWork(work, isDividing(facts) ? replicas : undefined, facts.interpreter);
}

function isDividing({ binding: { spec } }: RenderFacts): boolean {
  return spec.placement !== undefined && isDivided(spec.placement);
}

/** With purgeMode Directly the new copies wait until the old ones are gone, and the old ones while a new one could not be sent. */
function purge(facts: RenderFacts): Decision<RenderAction> | undefined {
  const { works } = facts;
  const doomed = (facts.binding.spec.gracefulEvictionTasks ?? [])
    .filter(isPurgedFirst)
    .map((task) => works.get(task.fromCluster))
    .filter((work) => work !== undefined);
  if (doomed.length === 0) return undefined;
  if (isMoveSuspended(facts))
    return act('RemovalSuspended', ...[...works].flatMap((entry) => suspendedWork(facts, entry)));
  return act('PurgeFirst', ...doomed.filter((work) => !work.metadata.deletionTimestamp).map(removal));
}

/** Tells whether a cluster that the workload leaves, or one that takes it over, is suspended. */
function isMoveSuspended({ binding, suspensions }: RenderFacts): boolean {
  const left = binding.spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster) ?? [];
  return [...left, ...targetsOf(binding).map(({ name }) => name)].some((name) => isSuspendedOn(suspensions, name));
}

/** A removal that a placement change causes waits while its cluster is suspended; it stays visible on the Work. */
function removalsOf(facts: RenderFacts): readonly RenderAction[] {
  const existing = existingClusters(facts.binding);
  const actions: RenderAction[] = [];
  for (const [cluster, work] of facts.works) {
    if (existing.has(cluster) || work.metadata.deletionTimestamp) continue;
    if (!isSuspendedOn(facts.suspensions, cluster)) actions.push(removal(work));
    else if (keptWork(work) !== work) actions.push({ do: 'render', write: { verb: 'update', object: keptWork(work) } });
  }
  return actions;
}

function renderAll(
  facts: RenderFacts,
  targets: readonly TargetCluster[],
  errors: RenderError[],
): readonly RenderAction[] {
  if (!facts.template || targets.length === 0) return [];
  const blank = blankOf(facts.template, facts.binding, facts.interpreter);
  const actions: RenderAction[] = [];
  for (const target of targets) {
    if (isWithheld(facts, target.name)) continue;
    const action = renderOne(facts, blank, { target, errors });
    if (action) actions.push(action);
  }
  return actions;
}

interface Rendering {
  readonly target: TargetCluster;
  readonly errors: RenderError[];
}

/** A Work that cannot be made stays as it is; `errors` says why. */
function renderOne(facts: RenderFacts, blank: Blank, { target, errors }: Rendering): RenderAction | undefined {
  const present = facts.works.get(target.name);
  if (present?.metadata.deletionTimestamp || isUnknownToOverrides(facts, target.name)) return undefined;
  const made = workFor(blank, { target, present, facts });
  if ('error' in made) {
    errors.push({ because: made.because, text: `${target.name}: ${made.error}` });
    return undefined;
  }
  if (!present) return { do: 'render', write: { verb: 'create', object: made.work } };
  if (sameWork(made.work, present)) return undefined;
  return { do: 'render', write: { verb: 'update', object: changedAt(facts.now, made.work) } };
}

/** The labels and fields of a cluster choose its overrides: while it is out of sight its Work stays as it is. */
function isUnknownToOverrides({ overrides: { overrides }, clusters }: RenderFacts, cluster: string): boolean {
  return overrides.length > 0 && !clusters.has(cluster);
}

function sameWork(wanted: Work, present: Work): boolean {
  return (
    equal(wanted.spec, present.spec) &&
    equal(wanted.metadata.labels, present.metadata.labels) &&
    equal(wanted.metadata.annotations, present.metadata.annotations)
  );
}

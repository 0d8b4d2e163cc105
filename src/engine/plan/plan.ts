import { keyOf } from '../../api/index.ts';
import type { Binding, Gates, Ref } from '../../api/index.ts';
import { bindingOf, claimOf, inEffectOf } from '../claim/index.ts';
import { removalsSuspension } from '../dispatch/index.ts';
import { movesIndexKey } from '../match/index.ts';
import type { Reason } from '../reasons.ts';
import { isSuspendedSomewhere, suspensionsOf } from '../suspension/index.ts';
import type { Warning } from '../warn/index.ts';
import { run } from '../world/index.ts';
import type { Question, Settling, World } from '../world/index.ts';
import { evolve } from './change.ts';
import type { PlanError, ProposedChange } from './change.ts';
import { TemplateGroups } from './grouping/groups.ts';
import { differences } from './effects.ts';
import type { Difference, Effect, PolicyName, When } from './effects.ts';
import { byCluster, inOrder, totalsOf } from './tally.ts';
import type { EffectsByTemplate, PlanTotals, TemplateEffects } from './tally.ts';
import { ownStep, stageOf, stepTo, toldIn } from './steps.ts';
import type { Stage, PlanStep } from './steps.ts';
import { Trace } from './trace.ts';
import { waitingOverridden, waitsIn } from './waits.ts';
import { warningsOf } from './warnings.ts';
import { activated, completed, lifted, recovered, unready } from './whatif.ts';

/** The consequences of a change; `sluice plan -o json` prints it, with what its caller could not see. */
export interface Plan {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'Plan';
  readonly effects: readonly Effect[];
  /** Warnings that a person should read before making the change. */
  readonly warnings: readonly Warning[];
  readonly errors: readonly PlanError[];
  readonly totals: PlanTotals;
}

/** How a plan is made. */
export interface PlanWords {
  /** Every template is looked at by itself, also where one could speak for many: the same plan, at many times its price. */
  readonly isOneByOne?: boolean;
}

/**
 * What would this change do? The world is settled with and without it, by the decisions that the controllers run, and
 * the members are compared. Nothing is written and the given world stays as it is.
 */
export function plan(world: World, change: ProposedChange, { isOneByOne = false }: PlanWords = {}): Plan {
  const base = world.fork();
  base.health = 'awaited';
  run(base, settlingOf(world));
  const next = base.fork();
  const errors = evolve(next, change);
  const groups = isOneByOne ? undefined : TemplateGroups.of(base, next, change);
  const trace = new Trace();
  const told = errors.length > 0 ? [] : effectsOf({ base, next, trace, change }, groups);
  const released = groups ? groups.spokenFor(trace.released) : [...trace.released];
  const warnings = errors.length > 0 ? [] : warningsOf({ base, next, change, released, told });
  return {
    apiVersion: 'sluice.dev/v1',
    kind: 'Plan',
    effects: inOrder(told),
    warnings,
    errors,
    totals: totalsOf(told),
  };
}

const reports: ReadonlySet<Question> = new Set(['reflect', 'collect']);

/** Tells whether any decision of a plan reads what members report. Only failover does. */
export function readsReports({ Failover }: Gates): boolean {
  return Failover;
}

/** How a world is settled for plans: where nobody reads reports, nobody has to report what would run. */
export function settlingOf({ gates }: World): Settling {
  return readsReports(gates) ? {} : { without: reports, members: () => undefined };
}

/** Plans similar templates once; a template that turns out to differ is planned by itself. */
function effectsOf(
  { base, next, trace, change }: Omit<Worlds, 'settling'>,
  groups: TemplateGroups | undefined,
): readonly TemplateEffects[] {
  const settling = { ...settlingOf(next), ...(groups && { spare: groups.spares, trace: groups }) };
  const worlds = { base, next, trace, change, settling };
  const listening = { ...settling, trace: groups ? both(trace, groups) : trace };
  run(next, listening);
  groups?.played();
  const { told, stuck } = effectsIn(worlds);
  if (!groups) return toldEffects(told);
  const { count, concerned } = groups.dismiss(told, stuck);
  if (count === 0) return toldEffects(told, groups);
  run(next, { ...listening, ask: concerned.map((key) => ['claim', key]) });
  return toldEffects(effectsIn(worlds).told, groups);
}

/** The effects that were found, in order, with those of similar templates. */
function toldEffects(found: EffectsByTemplate, groups?: TemplateGroups): readonly TemplateEffects[] {
  const told: TemplateEffects[] = [];
  for (const [key, effects] of found) told.push({ key, effects: byCluster(effects) });
  return groups ? [...told, ...groups.echoes(told)] : told;
}

type Listener = NonNullable<Settling['trace']>;

function both(first: Listener, second: Listener): Listener {
  return {
    hear: (question, key, decision) => {
      first.hear(question, key, decision);
      second.hear(question, key, decision);
    },
  };
}

interface Worlds {
  readonly base: World;
  readonly next: World;
  readonly trace: Trace;
  readonly change: ProposedChange;
  readonly settling: Settling;
}

interface FoundEffects {
  readonly told: EffectsByTemplate;
  /** The templates whose move does not end by itself. */
  readonly stuck: ReadonlySet<string>;
}

function effectsIn(worlds: Worlds): FoundEffects {
  const { base, next, trace, settling } = worlds;
  const told = new Map<string, Effect[]>();
  const tell = (step: PlanStep, when: When): void => {
    for (const [difference, after] of toldIn(step)) {
      const key = keyOf(difference.template);
      const effect = { ...describe(difference, when, worlds), ...(after && { after }) };
      const others = told.get(key);
      if (others) others.push(effect);
      else told.set(key, [effect]);
    }
  };
  const stage = (world: World): Stage => stageOf(world, settling);
  const pass = ([before, after]: Pair, to: (world: World) => World, when: When): Pair => {
    const reached: Pair = [stage(to(before.world)), stage(to(after.world))];
    tell(ownStep(stepTo(after, reached[1]), stepTo(before, reached[0])), when);
    return reached;
  };
  const start: Pair = [stage(base), stage(next)];
  tell(stepTo(...start), 'now');
  const ready = unready(next).length > 0 ? pass(start, (world) => recovered(world, settling), 'unreachable') : start;
  // Suspended and pending effects are looked for with all members ready: a member that is down would hide them.
  const isSuspended =
    trace.sawSuspension || removalsSuspension(next) !== undefined || isAnySuspended(next, trace.bindings);
  const free = isSuspended ? pass(ready, (world) => lifted(world, settling), 'suspended') : ready;
  const waiting = waitingIn(worlds);
  if (waiting.size > 0) pass(free, (world) => activated(world, waiting, settling), 'pending');
  return { told, stuck: movingIn(start[1].closed) };
}

/** The keys of the templates that have something pending: of their policy, or of an override. */
function waitingIn({ base, next, trace, change }: Worlds): ReadonlySet<string> {
  const found = new Set([...trace.waiting, ...waitingOverridden(base, next, change)]);
  for (const key of trace.waitingBindings) {
    const binding = next.get(key) as Binding | undefined;
    if (binding) found.add(keyOf(binding.spec.resource));
  }
  return found;
}

function movingIn(world: World): ReadonlySet<string> {
  const found = new Set<string>();
  world.each(movesIndexKey, (binding) => found.add(keyOf((binding as Binding).spec.resource)));
  return found;
}

/** The same stage without the change and with it. */
type Pair = readonly [before: Stage, after: Stage];

/**
 * Tells whether any of these is suspended. The meaning of the suspension may have changed, although it has no effect
 * now.
 */
function isAnySuspended(world: World, bindings: Iterable<string>): boolean {
  for (const key of bindings) {
    const binding = world.get(key) as Binding | undefined;
    const template = binding && world.get(keyOf(binding.spec.resource));
    if (isSuspendedSomewhere(suspensionsOf(world, binding, template))) return true;
  }
  return false;
}

function describe(difference: Difference, when: When, { trace, base, next }: Worlds): Effect {
  const { template, member, effect } = difference;
  const policy = policyOf(next, template) ?? policyOf(base, template);
  const because = when === 'now' ? trace.reasonOf(template, effect) : waitingReason(difference, when, { trace, next });
  const waits = when === 'pending' && { waits: waitsIn(next, template) };
  const waitsFor = when === 'unreachable' && { waitsFor: awaitedMembers(next, difference) };
  return { template, cluster: member, effect, when, because, ...waits, ...waitsFor, ...(policy && { policy }) };
}

/** Why something does not happen yet; the suspension of all removals goes before that of a template. */
function waitingReason(
  { template, effect }: Difference,
  when: When,
  { trace, next }: Pick<Worlds, 'trace' | 'next'>,
): Reason {
  const isRemoval = when === 'suspended' && effect === 'delete';
  return isRemoval && removalsSuspension(next) ? 'RemovalsSuspended' : trace.waitingReason(template, when, effect);
}

/** The members that have to answer first: the effect's own, or else those that the template needs to be healthy in. */
function awaitedMembers(world: World, { member, template }: Difference): readonly string[] {
  const down = unready(world);
  if (down.includes(member)) return [member];
  const object = world.get(keyOf(template));
  const binding = object && bindingOf(world, object);
  const wanted = down.filter((name) => binding?.spec.clusters?.some((target) => target.name === name));
  return wanted.length > 0 ? wanted : down;
}

/** The policy that manages the template, or the one that its binding still reflects. */
function policyOf(world: World, ref: Ref): PolicyName | undefined {
  const template = world.get(keyOf(ref));
  const claim = template && claimOf(template);
  if (claim)
    return { kind: claim.family.kind, ...(claim.namespace && { namespace: claim.namespace }), name: claim.name };
  const binding = template && bindingOf(world, template);
  const policy = inEffectOf(binding)?.policy;
  return policy && { kind: policy.kind, ...(policy.namespace && { namespace: policy.namespace }), name: policy.name };
}

/**
 * Tells whether the plan touches anything that runs, now or when a member is back. Creating what runs nowhere yet does
 * not.
 */
export function touchesRunning(base: World, { effects }: Pick<Plan, 'effects'>): boolean {
  return effects.some(({ when, effect, template }) => {
    if (when !== 'now' && when !== 'unreachable') return false;
    return effect !== 'create' || runsSomewhere(base, template);
  });
}

function runsSomewhere(world: World, template: Ref): boolean {
  return world.clusters.some((cluster) => world.inMember(cluster.metadata.name, keyOf(template)) !== undefined);
}

/**
 * One template in every member, before a change and after all of it has happened: moves have ended, members are back,
 * suspensions are over and pending changes are activated.
 */
export function differencesOf(world: World, change: ProposedChange, template: Ref): readonly Difference[] {
  const wanted = keyOf(template);
  const base = world.fork();
  base.health = 'awaited';
  run(base, settlingOf(world));
  const next = base.fork();
  if (evolve(next, change).length > 0) return [];
  const spare = (question: Question, key: string): boolean => question === 'claim' && key !== wanted;
  const settling: Settling = { ...settlingOf(next), spare };
  run(next, settling);
  const last = activated(lifted(recovered(completed(next, settling), settling), settling), [wanted], settling);
  return differences(base, completed(last, settling)).filter((difference) => keyOf(difference.template) === wanted);
}

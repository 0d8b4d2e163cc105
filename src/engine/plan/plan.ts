import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject, Ref } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { bindingRefOf, claimOf, inEffectOf } from '../claim/index.ts';
import { run } from '../world/index.ts';
import type { Question, Settling, World } from '../world/index.ts';
import { evolve } from './change.ts';
import type { PlanError, ProposedChange } from './change.ts';
import { contentOf, differences } from './effects.ts';
import type { Difference, Effect, PolicyName, When } from './effects.ts';
import { Trace } from './trace.ts';
import { activated, lifted } from './whatif.ts';

/** What a change would do; the value that `sluice plan -o json` prints. */
export interface Plan {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'Plan';
  readonly effects: readonly Effect[];
  readonly errors: readonly PlanError[];
  readonly totals: PlanTotals;
}

/** Effects are counted by kind when they happen now; what waits is counted under pending and held. */
export interface PlanTotals {
  readonly templates: number;
  readonly clusters: number;
  readonly create: number;
  readonly update: number;
  readonly restart: number;
  readonly scale: number;
  readonly delete: number;
  readonly moved: number;
  readonly pending: number;
  readonly held: number;
}

/**
 * What would this change do? The world is settled with and without it, by the decisions that the controllers run, and
 * the members are compared. Nothing is written and the given world stays as it is.
 */
export function plan(world: World, change: ProposedChange): Plan {
  const base = world.fork();
  const settling = settlingOf(world);
  run(base, settling);
  const next = base.fork();
  const errors = evolve(next, change);
  const trace = new Trace();
  run(next, { ...settling, trace });
  const effects = errors.length > 0 ? [] : effectsOf(base, next, trace);
  return { apiVersion: 'sluice.dev/v1', kind: 'Plan', effects, errors, totals: totalsOf(effects) };
}

const reports: ReadonlySet<Question> = new Set(['reflect', 'collect']);

/** Of status only failover reads anything; without it nobody has to report what would run. */
function settlingOf({ gates }: World): Settling {
  return gates.Failover ? {} : { without: reports, members: () => undefined };
}

function effectsOf(base: World, next: World, trace: Trace): readonly Effect[] {
  const named = (found: readonly Difference[], when: When): readonly Effect[] =>
    found.map((difference) => describe(difference, { when, trace, base, next }));
  const now = named(differences(base, next), 'now');
  const held = trace.sawHold ? named(onlyIn(heldIn(next), heldIn(base)), 'held') : [];
  const waiting = trace.waiting;
  if (waiting.size === 0) return sorted([...now, ...held]);
  const pending = onlyIn(pendingIn(next, waiting, trace.sawHold), pendingIn(base, waiting, trace.sawHold));
  return sorted([...now, ...held, ...named(pending, 'pending')]);
}

function heldIn(world: World): readonly Difference[] {
  return differences(world, lifted(world, settlingOf(world)));
}

/** What taking up would do; with the brakes off, or a template that waits and is held would seem to do nothing. */
function pendingIn(world: World, templates: ReadonlySet<string>, braked: boolean): readonly Difference[] {
  const settling = settlingOf(world);
  const free = braked ? lifted(world, settling) : world;
  return differences(free, activated(free, templates, settling));
}

/** Those that were not waiting in the same way before: a change owns only what it changes. */
function onlyIn(now: readonly Difference[], before: readonly Difference[]): readonly Difference[] {
  const known = new Map(before.map((difference) => [difference.key, difference]));
  return now.filter((difference) => {
    const same = known.get(difference.key);
    return !same || same.effect !== difference.effect || !sameContent(same.after, difference.after);
  });
}

function sameContent(a: KubeObject | undefined, b: KubeObject | undefined): boolean {
  return a && b ? equal(contentOf(a), contentOf(b)) : a === b;
}

interface Context {
  readonly when: When;
  readonly trace: Trace;
  readonly base: World;
  readonly next: World;
}

function describe(difference: Difference, { when, trace, base, next }: Context): Effect {
  const { template, member, effect } = difference;
  const policy = policyOf(next, template) ?? policyOf(base, template);
  const because = when === 'now' ? trace.reasonOf(template, effect) : trace.waitingReason(template, when, effect);
  return { template, cluster: member, effect, when, because, ...(policy && { policy }) };
}

/** The policy that holds the template, or the one that its binding still reflects. */
function policyOf(world: World, ref: Ref): PolicyName | undefined {
  const template = world.get(keyOf(ref));
  const claim = template && claimOf(template);
  if (claim)
    return { kind: claim.family.kind, ...(claim.namespace && { namespace: claim.namespace }), name: claim.name };
  const binding = template && (world.get(keyOf(bindingRefOf(template))) as Binding | undefined);
  const policy = inEffectOf(binding)?.policy;
  return policy && { kind: policy.kind, ...(policy.namespace && { namespace: policy.namespace }), name: policy.name };
}

const orderOfEffects = { delete: 0, restart: 1, create: 2, scale: 3, update: 4 } as const;
const orderOfWhens = { now: 0, held: 1, pending: 2 } as const;

/** The most dangerous first, then by name: a plan of the same change reads the same. */
function sorted(effects: Effect[]): readonly Effect[] {
  return effects
    .map((effect) => ({ effect, text: `${keyOf(effect.template)}@${effect.cluster}` }))
    .sort(
      (a, b) =>
        orderOfWhens[a.effect.when] - orderOfWhens[b.effect.when] ||
        orderOfEffects[a.effect.effect] - orderOfEffects[b.effect.effect] ||
        (a.text < b.text ? -1 : 1),
    )
    .map(({ effect }) => effect);
}

function totalsOf(effects: readonly Effect[]): PlanTotals {
  const now = effects.filter((effect) => effect.when === 'now');
  const count = (kind: Effect['effect']): number => now.filter((effect) => effect.effect === kind).length;
  return {
    templates: new Set(effects.map((effect) => keyOf(effect.template))).size,
    clusters: new Set(effects.map((effect) => effect.cluster)).size,
    create: count('create'),
    update: count('update'),
    restart: count('restart'),
    scale: count('scale'),
    delete: count('delete'),
    moved: movedIn(now),
    pending: effects.filter((effect) => effect.when === 'pending').length,
    held: effects.filter((effect) => effect.when === 'held').length,
  };
}

/** A move is a deletion in one cluster and a creation of the same template in another. */
function movedIn(effects: readonly Effect[]): number {
  const leaving = new Set(
    effects.filter((effect) => effect.effect === 'delete').map((effect) => keyOf(effect.template)),
  );
  const arriving = new Set(
    effects.filter((effect) => effect.effect === 'create').map((effect) => keyOf(effect.template)),
  );
  return [...leaving].filter((key) => arriving.has(key)).length;
}

/** Does the plan touch anything that runs? Creating what runs nowhere yet does not. */
export function touchesRunning(base: World, { effects }: Pick<Plan, 'effects'>): boolean {
  return effects.some(({ when, effect, template }) => {
    if (when !== 'now') return false;
    return effect !== 'create' || runsSomewhere(base, template);
  });
}

function runsSomewhere(world: World, template: Ref): boolean {
  return world.clusters.some((cluster) => typeof world.member(cluster.metadata.name, keyOf(template)) === 'object');
}

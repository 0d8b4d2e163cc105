import { keyOf, refOf } from '../api/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import { resourcesOf } from '../client/index.ts';
import type { Resources } from '../client/index.ts';
import { plan, touchesRunning } from '../engine/index.ts';
import type { Plan, World } from '../engine/index.ts';
import { placed, suppose, tryDeletes, tryOut } from './change.ts';
import type { Trial } from './change.ts';
import type { Hub } from './connect.ts';
import { partsOf, refFrom } from './kinds.ts';
import type { Members } from './members.ts';
import { foreignIn } from './world/foreign.ts';
import { unseenFor } from './world/assumed.ts';
import { hiddenNotes } from './world/hidden.ts';
import { settledWorld } from './world/state.ts';
import type { Snapshot } from './world/state.ts';

/** The change to plan. */
export interface JudgedChange {
  readonly manifests: readonly KubeObject[];
  /** As `deployment/nginx`. */
  readonly deletes: readonly string[];
  /** The namespace of objects that name none; that of the caller by default. */
  readonly namespace: string | undefined;
}

/** A plan and the list of objects that it could not read; `sluice plan -o json` prints it. */
export interface NotedPlan extends Plan {
  readonly notes: readonly string[];
}

/** A judgement: what the change does, whether that touches what runs, and what it does not know. */
export interface Outcome {
  readonly plan: Plan;
  readonly touches: boolean;
  readonly notes: readonly string[];
  /** The kinds that the caller may not see and that are needed to tell that a change has no effect. */
  readonly unseen: readonly string[];
  /** The manifests with their namespaces, and as the hub would store them. */
  readonly manifests: readonly KubeObject[];
  readonly apply: readonly KubeObject[];
  readonly deletes: readonly Ref[];
  /** The settled state before the change. */
  readonly world: World;
}

/** The state that changes are judged on. */
export interface Ground {
  readonly snapshot: Snapshot;
  readonly world: World;
  readonly resources: Resources;
}

/** The ground of a snapshot; one serves for many judgements. */
export function groundOf(snapshot: Snapshot): Ground {
  return { snapshot, world: settledWorld(snapshot), resources: resourcesOf(snapshot.kinds) };
}

/** A hub that can be asked. */
export interface Court {
  readonly hub: Hub;
  readonly members: Members;
  readonly ground: Ground;
}

/** Judges a change with the help of the hub, which tries it, and of members, which know what they have of their own. */
export async function judgeLive({ hub, members, ground }: Court, asked: JudgedChange): Promise<Outcome> {
  const namespace = asked.namespace ?? hub.namespace;
  const wanted = { ...asked, namespace };
  const manifests = placed(asked.manifests, hub.served, namespace);
  const applied = await tryOut(hub.client, manifests);
  const deleted = await tryDeletes(hub.client, deletedRefs(ground, wanted));
  const trial = {
    manifests,
    apply: applied.apply,
    errors: [...applied.errors, ...deleted.errors],
    untried: [...applied.untried, ...deleted.untried],
  };
  const outcome = judged(ground, trial, wanted);
  const foreign = await foreignIn(outcome.plan, members);
  if (foreign.length === 0) return outcome;
  const { snapshot } = ground;
  const wider = groundOf({ ...snapshot, members: [...snapshot.members, ...foreign] });
  return judged(wider, trial, wanted);
}

/** Judges a change by a snapshot alone. */
export function judgeOffline(ground: Ground, asked: JudgedChange): Outcome {
  const { snapshot, resources } = ground;
  const namespace = asked.namespace ?? snapshot.namespace;
  const known = new Map(snapshot.objects.map((object) => [keyOf(refOf(object)), object]));
  const manifests = placed(asked.manifests, resources, namespace);
  const trial = suppose(manifests, (key) => known.get(key));
  return judged(ground, { ...trial, manifests }, { ...asked, namespace });
}

function judged(ground: Ground, trial: Trial & Pick<Outcome, 'manifests'>, asked: JudgedChange): Outcome {
  const { snapshot, world } = ground;
  const { manifests, apply } = trial;
  const deletes = deletedRefs(ground, asked);
  const judgement = plan(world, { apply, delete: deletes });
  const known = new Set(judgement.errors.map(({ object }) => object));
  const errors = [...trial.errors.filter(({ object }) => !known.has(object)), ...judgement.errors];
  const whole = errors.length > 0 ? { ...judgement, errors, effects: [], totals: noTotals(judgement) } : judgement;
  const notes = [...hiddenNotes(snapshot, apply), ...trial.untried.map((what) => `not validated: ${what}`)];
  const unseen = unseenFor(snapshot, { apply, delete: deletes });
  return { plan: whole, touches: touchesRunning(world, whole), notes, unseen, manifests, apply, deletes, world };
}

function noTotals({ totals }: Plan): Plan['totals'] {
  return Object.fromEntries(Object.keys(totals).map((name) => [name, 0])) as unknown as Plan['totals'];
}

function deletedRefs({ world, resources }: Ground, { deletes, namespace = '' }: JudgedChange): readonly Ref[] {
  return deletes.map((word) => deletedRef(world, resources, { word, namespace }));
}

interface Named {
  readonly word: string;
  readonly namespace: string;
}

function deletedRef(world: World, resources: Resources, { word, namespace }: Named): Ref {
  const { kind, name } = partsOf(word);
  if (kind !== 'policy') return refFrom(resources, word, namespace);
  const own = refFrom(resources, `propagationpolicy/${name}`, namespace);
  return world.get(keyOf(own)) ? own : refFrom(resources, `clusterpropagationpolicy/${name}`, namespace);
}

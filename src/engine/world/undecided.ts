import {
  bindingFamilies,
  clusterFinalizer,
  dependenciesFinalizer,
  policyFamilies,
  workFinalizer,
} from '../../api/index.ts';
import type { Cluster, Condition, Gates, KubeObject, MemberObject, UnreadableObject, View } from '../../api/index.ts';
import { isObject, lookup } from '../../base/index.ts';
import { withCondition } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { managedByKey } from '../match/index.ts';
import type { Reason } from '../reasons.ts';
import type { Question } from './wakes.ts';

/** Facts that cannot be gathered because a stored object lacks the shape of its kind. */
class Unreadable extends Error {
  constructor(key: string, { message }: UnreadableObject) {
    super(`${key.replaceAll('|', ' ')} cannot be read: ${message}`);
    this.name = 'Unreadable';
  }
}

/** A view that throws for an object that cannot be read: the object is there, so its absence must not be concluded. */
class LoudView implements View {
  readonly #view: View;

  constructor(view: View) {
    this.#view = view;
  }

  get now(): string {
    return this.#view.now;
  }

  get gates(): Gates {
    return this.#view.gates;
  }

  get clusters(): readonly Cluster[] {
    return this.#view.clusters;
  }

  get unreadable(): View['unreadable'] {
    return this.#view.unreadable;
  }

  /** An object that is being deleted is shown: its metadata can be read, and it must be able to go. */
  get(key: string): KubeObject | undefined {
    const bad = this.#view.unreadable.get(key);
    if (!bad) return this.#view.get(key);
    if (bad.object.metadata.deletionTimestamp) return bad.object;
    throw new Unreadable(key, bad);
  }

  each(indexKey: string, visit: (object: KubeObject, key: string) => void): void {
    this.#view.each(indexKey, visit);
  }

  has(indexKey: string): boolean {
    return this.#view.has(indexKey);
  }

  namespaces(kind: string, prefix: string, visit: (namespace: string) => void): void {
    this.#view.namespaces(kind, prefix, visit);
  }

  member(member: string, key: string): MemberObject {
    return this.#view.member(member, key);
  }
}

/** The view from which facts are gathered; the view itself as long as everything in it can be read. */
export function gatheringFrom(view: View): View {
  return view.unreadable.size === 0 ? view : new LoudView(view);
}

/** The question that answers for an object of a kind: it alone writes the condition. */
const ownerOfKind: Readonly<Record<string, Question>> = lookup({
  Work: 'dispatch',
  ResourceBinding: 'render',
  ClusterResourceBinding: 'render',
  PropagationPolicy: 'farewell',
  ClusterPropagationPolicy: 'farewell',
  RolloutPolicy: 'hold',
  ClusterRolloutPolicy: 'hold',
  Cluster: 'cluster',
});

/** The question to ask about an object that cannot be read. */
export function questionOf(object: KubeObject): Question | undefined {
  return ownerOfKind[object.kind];
}

/**
 * The answer to a question that cannot be decided. Nothing is done, and the object says why; an object that cannot be read
 * and is being deleted is let go.
 */
export function undecided(view: View, question: Question, asked: Asked): Decision {
  const bad = view.unreadable.get(asked.key);
  const object = bad?.object ?? view.get(asked.key);
  const why = whyOf(bad, asked.error);
  const action = object && questionOf(object) === question ? actionOn(view, object, why) : undefined;
  return action ? { ...act(why.because, action), detail: why.detail } : rest(why.because, why.detail);
}

/** The object that a question was about, and the failure to answer it. */
interface Asked {
  readonly key: string;
  readonly error?: unknown;
}

interface Why {
  readonly because: Reason;
  readonly detail: string;
}

function whyOf(bad: UnreadableObject | undefined, error: unknown): Why {
  if (bad) return { because: 'Unreadable', detail: bad.message };
  const detail = error instanceof Error ? error.message : String(error);
  return { because: error instanceof Unreadable ? 'Unreadable' : 'DecisionFailed', detail };
}

function actionOn(view: View, object: KubeObject, why: Why): Action | undefined {
  const isLeaving = object.metadata.deletionTimestamp !== undefined && why.because === 'Unreadable';
  return isLeaving ? letGo(view, object) : told(object, why, view.now);
}

const finalizers: ReadonlySet<string> = new Set([
  workFinalizer,
  clusterFinalizer,
  dependenciesFinalizer,
  ...Object.values(policyFamilies).map(({ finalizer }) => finalizer),
  ...Object.values(bindingFamilies).map(({ finalizer }) => finalizer),
]);

/** Nobody knows what an unreadable object placed, so nothing is taken from a member; a policy waits for its templates. */
function letGo(view: View, object: KubeObject): Action | undefined {
  const ids = Object.values(policyFamilies).map(({ idLabel }) => object.metadata.labels?.[idLabel]);
  if (ids.some((id) => id && view.has(managedByKey(id)))) return undefined;
  const kept = object.metadata.finalizers?.filter((name) => !finalizers.has(name)) ?? [];
  if (kept.length === (object.metadata.finalizers?.length ?? 0)) return undefined;
  return {
    do: 'finalize',
    write: { verb: 'update', object: { ...object, metadata: { ...object.metadata, finalizers: kept } } },
  };
}

const type = 'Accepted';

function told(object: KubeObject, { because, detail }: Why, now: string): Action | undefined {
  const status = statusOf(object);
  const before = conditionsIn(status);
  const conditions = withCondition(before, { type, status: 'False', reason: because, message: detail }, now);
  if (conditions === before) return undefined;
  return {
    do: 'accept',
    write: { verb: 'updateStatus', object: { ...object, status: { ...status, conditions } } as KubeObject },
  };
}

function statusOf(object: KubeObject): Record<string, unknown> {
  const { status } = object as KubeObject & { readonly status?: unknown };
  return isObject(status) ? status : {};
}

function conditionsIn({ conditions }: Record<string, unknown>): readonly Condition[] | undefined {
  return Array.isArray(conditions) && conditions.every(isCondition) ? (conditions as readonly Condition[]) : undefined;
}

const isCondition = (value: unknown): boolean => isObject(value) && typeof value['type'] === 'string';

/** Takes the complaint off an object about which there was one, once everything else about it is done. */
export function accepted(
  view: View,
  question: Question,
  { key, decision }: { key: string; decision: Decision },
): Decision {
  if (decision.actions.length > 0) return decision;
  const object = view.get(key);
  if (!object || questionOf(object) !== question) return decision;
  const status = statusOf(object);
  const before = conditionsIn(status);
  if (!before?.some((condition) => condition.type === type)) return decision;
  const conditions = before.filter((condition) => condition.type !== type);
  const action: Action = {
    do: 'accept',
    write: { verb: 'updateStatus', object: { ...object, status: { ...status, conditions } } as KubeObject },
  };
  return { ...decision, actions: [action] };
}

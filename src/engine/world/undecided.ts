import {
  bindingFamilies,
  clusterFinalizer,
  dependenciesFinalizer,
  policyFamilies,
  workFinalizer,
} from '../../api/index.ts';
import type {
  Cluster,
  Condition,
  Gates,
  KubeObject,
  MemberObject,
  Settings,
  Trouble,
  UnreadableObject,
  View,
} from '../../api/index.ts';
import { isObject, lookup } from '../../base/index.ts';
import { withCondition } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { AnswerAwaited } from '../interpret/index.ts';
import { managedByKey } from '../match/index.ts';
import type { Reason } from '../reasons.ts';
import type { ActionOf, Answer, Question, Refusal } from './question.ts';

/** Facts that cannot be gathered because a stored object lacks the shape of its kind. */
class Unreadable extends Error {
  constructor(key: string, { message }: UnreadableObject) {
    super(`${key.replaceAll('|', ' ')} cannot be read: ${message}`);
    this.name = 'Unreadable';
  }
}

/** A view that throws for an object that cannot be read: the object exists, so nothing may follow from its absence. */
class ThrowingView implements View {
  readonly #view: View;

  constructor(view: View) {
    this.#view = view;
  }

  get agents(): View['agents'] {
    return this.#view.agents;
  }

  get now(): string {
    return this.#view.now;
  }

  get gates(): Gates {
    return this.#view.gates;
  }

  get settings(): Settings {
    return this.#view.settings;
  }

  get answering(): View['answering'] {
    return this.#view.answering;
  }

  get awakeSince(): string | undefined {
    return this.#view.awakeSince;
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

  assumed(key: string): KubeObject | undefined {
    return this.#view.assumed?.(key);
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

  podTrouble(workKey: string): Trouble | undefined {
    return this.#view.podTrouble?.(workKey);
  }

  get askWebhook(): View['askWebhook'] {
    return this.#view.askWebhook;
  }
}

/** The view from which facts are gathered; the view itself as long as everything in it can be read. */
function gatheringFrom(view: View): View {
  return view.unreadable.size === 0 ? view : new ThrowingView(view);
}

type Refusing = { [Q in Question]: Refusal extends ActionOf<Q> ? Q : never }[Question];

/** The question that answers for an object of a kind: it alone writes the condition. */
const ownerOfKind: Readonly<Record<string, Refusing>> = lookup({
  Work: 'dispatch',
  ResourceBinding: 'render',
  ClusterResourceBinding: 'render',
  PropagationPolicy: 'policy',
  ClusterPropagationPolicy: 'policy',
  RolloutPolicy: 'suspension',
  ClusterRolloutPolicy: 'suspension',
  Cluster: 'cluster',
});

/** The question to ask about an object that cannot be read. */
export function questionOf(object: KubeObject): Question | undefined {
  return ownerOfKind[object.kind];
}

/**
 * Makes an answer total: facts that cannot be gathered, and a decision that fails on them, are an answer too. One object that
 * nobody can read stops neither the start nor the answers about other objects.
 */
export function guarded<Q extends Question>(question: Q, answer: Answer<Q>): Answer<Q> {
  return (view, key) => {
    // Only the question that answers for the kind of an object refuses it, and its actions contain a Refusal.
    const refused = (error?: unknown): Decision<ActionOf<Q>> =>
      undecided(view, question, { key, error }) as Decision<ActionOf<Q>>;
    if (view.unreadable.has(key)) return refused();
    try {
      const decision = answer(gatheringFrom(view), key);
      return decision && (accepted(view, question, { key, decision }) as Decision<ActionOf<Q>>);
    } catch (error) {
      if (error instanceof AnswerAwaited) return { ...rest('InterpreterAwaited', error.message), actions: [] };
      return refused(error);
    }
  };
}

/**
 * The answer to a question that cannot be decided. Nothing is done, and the object says why; an object that cannot be read
 * and is being deleted is let go.
 */
function undecided(view: View, question: Question, asked: AskedKey): Decision<Refusal> {
  const bad = view.unreadable.get(asked.key);
  const object = bad?.object ?? view.get(asked.key);
  const why = whyOf(bad, asked.error);
  const action = object && questionOf(object) === question ? actionOn(view, object, why) : undefined;
  return action ? { ...act(why.because, action), detail: why.detail } : rest(why.because, why.detail);
}

/** The object that a question was about, and the failure to answer it. */
interface AskedKey {
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

function actionOn(view: View, object: KubeObject, why: Why): Refusal | undefined {
  const isLeaving = object.metadata.deletionTimestamp !== undefined && why.because === 'Unreadable';
  return isLeaving ? released(view, object) : reported(object, why, view.now);
}

const finalizers: ReadonlySet<string> = new Set([
  workFinalizer,
  clusterFinalizer,
  dependenciesFinalizer,
  ...Object.values(policyFamilies).map(({ finalizer }) => finalizer),
  ...Object.values(bindingFamilies).map(({ finalizer }) => finalizer),
]);

/** The placement of an unreadable object is unknown, so nothing is removed from a member; a policy waits for its templates. */
function released(view: View, object: KubeObject): Refusal | undefined {
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

function reported(object: KubeObject, { because, detail }: Why, now: string): Refusal | undefined {
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

/** Removes the condition from an object once everything else about it is done. */
function accepted(view: View, question: Question, { key, decision }: { key: string; decision: Decision }): Decision {
  if (decision.actions.length > 0) return decision;
  const object = view.get(key);
  if (!object || questionOf(object) !== question) return decision;
  const status = statusOf(object);
  const before = conditionsIn(status);
  if (!before?.some((condition) => condition.type === type)) return decision;
  const conditions = before.filter((condition) => condition.type !== type);
  const action: Refusal = {
    do: 'accept',
    write: { verb: 'updateStatus', object: { ...object, status: { ...status, conditions } } as KubeObject },
  };
  return { ...decision, actions: [action] };
}

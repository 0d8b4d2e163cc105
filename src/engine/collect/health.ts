import type { Condition, Health, KubeObject, Trouble, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { deadlineSecondsOf, troubleOf } from '../interpret/index.ts';

/**
 * The condition of a Work whose object is not healthy in its member. `Unknown`: it is inside its deadline. `False`: it
 * is past it, or the member says that it failed. A Work without it is healthy, or has not reported yet.
 */
export const healthyCondition = 'Healthy';

/** All that the health of one object in one member depends on. */
export interface HealthFacts {
  readonly present: KubeObject;
  /** The answer of the interpreter about the object. */
  readonly health: Health;
  /** The trouble that the pods of the object report, where they were read. */
  readonly pods?: Trouble | undefined;
  /** The condition before. */
  readonly before: Condition | undefined;
  readonly now: string;
}

/** Whether an object is healthy in its member, and when time alone can change that. */
export interface Judgement {
  /** Undefined when it is healthy. */
  readonly condition?: Condition;
  readonly again?: string;
}

/** Judges whether the object is healthy or inside its deadline, with the member's words. */
export function judgeHealth(facts: HealthFacts): Judgement {
  const { present, pods, health, now } = facts;
  const own = troubleOf(present);
  if (health !== 'Unhealthy' && !own?.failed) return {};
  const known = knownOf(facts);
  const due = dueOf(present, known?.lastTransitionTime ?? now);
  const isLate = due <= Date.parse(now);
  const failed = isLate || hasFailed(known, [own, pods]);
  const words = wordsOf({ own, pods, isLate }, known);
  const condition = conditionOf(facts, { status: failed ? 'False' : 'Unknown', ...words });
  return failed || due === Infinity ? { condition } : { condition, again: instant(due) };
}

function hasFailed(known: Condition | undefined, troubles: readonly (Trouble | undefined)[]): boolean {
  return known?.status === 'False' || troubles.some((trouble) => trouble?.failed);
}

/** The health recorded for the present state of the object; an edit starts over. */
function knownOf({ present, before }: HealthFacts): Condition | undefined {
  return before?.observedGeneration === present.metadata.generation ? before : undefined;
}

function conditionOf(facts: HealthFacts, said: Pick<Condition, 'status' | 'reason' | 'message'>): Condition {
  const { generation } = facts.present.metadata;
  const known = knownOf(facts);
  return {
    type: healthyCondition,
    ...said,
    ...(generation !== undefined && { observedGeneration: generation }),
    lastTransitionTime: known?.status === said.status ? known.lastTransitionTime : facts.now,
  };
}

/** When the deadline is over, in milliseconds; never, while the member itself keeps the time. */
function dueOf(present: KubeObject, since: string): number {
  return Date.parse(since) + (deadlineSecondsOf(present) ?? Infinity) * 1000;
}

const instant = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

interface Troubles {
  readonly own: Trouble | undefined;
  readonly pods: Trouble | undefined;
  readonly isLate: boolean;
}

/**
 * The member's words, those of the pods first. A container that crashes runs between two crashes, so a reported failure
 * stays until the object is healthy or changed.
 */
function wordsOf({ own, pods, isLate }: Troubles, known: Condition | undefined): Pick<Condition, 'reason' | 'message'> {
  const worst = [pods, own].filter((one) => one !== undefined);
  const told = worst.toSorted((a, b) => Number(b.failed) - Number(a.failed));
  if (known?.status === 'False' && !told[0]?.failed) return { reason: known.reason, message: known.message };
  const late = isLate ? [{ reason: 'DeadlineExceeded', message: 'not healthy within its deadline' }] : [];
  const all = [...told, ...late];
  const message = all.map(({ reason, message: words }) => (words ? `${reason}: ${words}` : reason)).join('; ');
  return { reason: all[0]?.reason ?? 'Progressing', message: message || 'not healthy yet' };
}

/** The Work with this condition of its health, or without one; the same Work when nothing changes. */
export function withHealth(work: Work, condition: Condition | undefined): Work {
  const conditions = work.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === healthyCondition);
  if (equal(before, condition)) return work;
  const others = conditions.filter(({ type }) => type !== healthyCondition);
  return { ...work, status: { ...work.status, conditions: condition ? [...others, condition] : others } };
}

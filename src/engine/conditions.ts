import type { Condition } from '../api/index.ts';

/** The conditions with this one set; the same list when nothing but the time would change. */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  wanted: Omit<Condition, 'lastTransitionTime'>,
  now: string,
): readonly Condition[] {
  const present = conditions?.find((condition) => condition.type === wanted.type);
  if (!conditions || !present) return [...(conditions ?? []), { ...wanted, lastTransitionTime: now }];
  if (saysTheSame(present, wanted)) return conditions;
  const lastTransitionTime = present.status === wanted.status ? present.lastTransitionTime : now;
  return conditions.map((other) => (other === present ? { ...wanted, lastTransitionTime } : other));
}

function saysTheSame(a: Condition, b: Omit<Condition, 'lastTransitionTime'>): boolean {
  return a.status === b.status && a.reason === b.reason && a.message === b.message;
}

/** The status of a condition; undefined when it has never been set. */
export function conditionStatus(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition['status'] | undefined {
  return conditions?.find((condition) => condition.type === type)?.status;
}

import type { Binding, GracefulEvictionTask } from '../../api/index.ts';
import { conditionStatus, withCondition } from '../conditions.ts';
import { deadlineOf, isMoving, movesOf, movingWords } from '../move/index.ts';
import type { Reason } from '../reasons.ts';
import type { EvictionFacts } from './facts.ts';

const type = 'Moving';

/** A report, and its reason. */
interface Report {
  readonly binding: Binding;
  readonly because: Reason;
  readonly detail: string;
}

/**
 * The binding with a condition that says whether one of the moves that wait is overdue; undefined when there is nothing
 * new to say. A move that waits for a suspension to end is not overdue.
 */
export function reportedOverdue(facts: EvictionFacts, waiting: readonly GracefulEvictionTask[]): Report | undefined {
  const { binding, now } = facts;
  const isOverdue = waiting.some((task) => deadlineOf(task, now) <= Date.parse(now));
  const { conditions } = binding.status ?? {};
  if (!isOverdue && conditionStatus(conditions, type) !== 'True') return undefined;
  const because = isOverdue ? 'MoveOverdue' : isMoving(binding) ? 'MoveWaits' : 'MoveDone';
  const message = isOverdue ? overdueWords(facts) : 'no move is overdue';
  const wanted = withCondition(
    conditions,
    { type, status: isOverdue ? 'True' : 'False', reason: because, message },
    now,
  );
  if (wanted === conditions) return undefined;
  return { because, detail: message, binding: { ...binding, status: { ...binding.status, conditions: wanted } } };
}

/** Names clusters but no counts: a count that changes would rewrite the condition each time. */
function overdueWords({ binding, moves }: EvictionFacts): string {
  const { clusters = [] } = binding.spec;
  const awaited = clusters.filter(({ name }) => !moves?.copies.get(name)?.isHealthy).map(({ name }) => name);
  return movingWords({ awaited, kept: movesOf(binding).map(({ fromCluster }) => fromCluster) });
}

import type { KubeObject } from '../../api/index.ts';
import type { Action, Decision, Question } from '../../engine/index.ts';

/** What was done, or failed. */
export interface PerformedAction {
  readonly question: Question;
  /** Of the object that the question is about. */
  readonly key: string;
  readonly decision: Decision;
  readonly action: Action;
  /** What was there before the action. */
  readonly before?: KubeObject | undefined;
  readonly error?: unknown;
}

/** What an action writes; undefined when it deletes. */
export function writtenBy({ action }: PerformedAction): KubeObject | undefined {
  return action.write.verb === 'delete' ? undefined : action.write.object;
}

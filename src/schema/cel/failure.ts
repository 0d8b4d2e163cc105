import { EvaluationError } from '@marcbachmann/cel-js';

/** What a function throws when it cannot answer: the rule fails with these words. */
export function fail(message: string): EvaluationError {
  return new EvaluationError(message);
}

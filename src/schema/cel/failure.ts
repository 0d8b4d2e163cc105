import { EvaluationError } from '@marcbachmann/cel-js';

/** The exception of a function that cannot answer: the rule fails with this message. */
export function fail(message: string): EvaluationError {
  return new EvaluationError(message);
}

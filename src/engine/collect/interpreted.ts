import type { Condition, KubeObject, Work } from '../../api/index.ts';
import { sizeOf } from '../claim/index.ts';
import { withCondition } from '../conditions.ts';
import type { CollectFacts } from './aggregate.ts';

/** The condition of a binding that says that a script about its kind failed; a binding without it has no such failure. */
export const interpretedCondition = 'Interpreted';

/**
 * The failures of scripts about the kind of the template, in words; undefined when there are none. Scripts are asked again
 * here, so that the binding says what every controller met.
 */
export function interpretationFailure(
  { binding, works, interpreter }: CollectFacts,
  template: KubeObject,
  aggregation: string | undefined,
): string | undefined {
  if (!interpreter.hasScripts) return undefined;
  const { clusters = [], propagateDeps } = binding.spec;
  const count = clusters.find(({ replicas }) => replicas !== undefined)?.replicas;
  const errors = [
    sizeOf(interpreter, template).error,
    count === undefined ? undefined : interpreter.reviseReplicas(template, count).error,
    propagateDeps ? interpreter.dependencies(template).error : undefined,
    aggregation,
    ...[...works].map(([member, work]) => reportedBy(member, work)),
  ].filter((error) => error !== undefined);
  return errors.length > 0 ? errors.join('; ') : undefined;
}

function reportedBy(member: string, { status }: Work): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type === interpretedCondition);
  return condition && `${member}: ${condition.message}`;
}

/** The conditions with this failure, or without the one that is over. */
export function withInterpreted(
  conditions: readonly Condition[],
  failure: string | undefined,
  now: string,
): readonly Condition[] {
  if (failure === undefined) {
    const others = conditions.filter(({ type }) => type !== interpretedCondition);
    return others.length === conditions.length ? conditions : others;
  }
  const wanted = {
    type: interpretedCondition,
    status: 'False',
    reason: 'InterpreterFailed',
    message: failure,
  } as const;
  return withCondition(conditions, wanted, now);
}

import type { Condition } from '../../api/index.ts';
import { withCondition } from '../conditions.ts';
import type { Action } from '../decision.ts';
import { withRecord } from '../override/index.ts';
import { reasons } from '../reasons.ts';
import type { RenderFacts } from './facts.ts';

/** The condition of a binding that is False while one of its overrides cannot be applied; absent otherwise. */
export const overridesCondition = 'OverridesApplied';

type Note = Action<'record' | 'report'>;

/** Says on the binding which override cannot be applied in which members. */
export function reportFailure(facts: RenderFacts, detail: string): readonly Note[] {
  const message = `${reasons.OverrideFailed}: ${detail}`;
  const failed = { type: overridesCondition, status: 'False', reason: 'OverrideFailed', message } as const;
  return reported(facts, withCondition(facts.binding.status?.conditions, failed, facts.now));
}

/** Records which overrides are in effect; when that is recorded, ends what was said of one that was broken. */
export function noteOverrides(facts: RenderFacts): readonly Note[] {
  const { binding, overrides } = facts;
  const annotations = withRecord(binding.metadata.annotations, overrides.record);
  if (annotations !== binding.metadata.annotations) {
    const object = { ...binding, metadata: { ...binding.metadata, annotations: annotations ?? {} } };
    return [{ do: 'record', write: { verb: 'update', object } }];
  }
  const before = binding.status?.conditions;
  if (!before?.some(({ type }) => type === overridesCondition)) return [];
  return reported(
    facts,
    before.filter(({ type }) => type !== overridesCondition),
  );
}

function reported({ binding }: RenderFacts, conditions: readonly Condition[]): readonly Note[] {
  if (conditions === binding.status?.conditions) return [];
  const object = { ...binding, status: { ...binding.status, conditions } };
  return [{ do: 'report', write: { verb: 'updateStatus', object } }];
}

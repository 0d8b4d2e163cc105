import { duplicateValue, forbiddenField, notSupported } from '../../api/index.ts';
import { at, items, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { affinityFaults } from './placement.ts';
import { checked, whyNotLabelKey, whyNotLabelValue } from './syntax.ts';

const effects = ['NoSchedule', 'NoExecute'];

/** The taints of a member, or of a policy that taints members. */
export function* taintsFaults(taints: Place): Faults {
  const seen = new Set<string>();
  for (const taint of items(taints)) {
    const effect = at(taint, 'effect');
    yield* checked(at(taint, 'key'), whyNotLabelKey);
    yield* checked(at(taint, 'value'), whyNotLabelValue);
    if (!effects.includes(textOf(effect))) yield notSupported(effect.path, effect.value, effects);
    const identity = `${textOf(at(taint, 'key'))}:${textOf(effect)}`;
    if (seen.has(identity)) yield { ...duplicateValue(taint.path, identity), detail: 'one taint a key and effect' };
    seen.add(identity);
  }
}

/** ClusterTaintPolicy; NoExecute evicts what runs, so it must be allowed on purpose. */
export function* taintPolicyFaults(policy: Place, allowNoExecute: boolean): Faults {
  const taints = at(policy, 'spec', 'taints');
  yield* affinityFaults(at(policy, 'spec', 'targetClusters'));
  yield* taintsFaults(taints);
  if (allowNoExecute) return;
  for (const taint of items(taints)) {
    const effect = at(taint, 'effect');
    if (textOf(effect) === 'NoExecute') {
      yield forbiddenField(
        effect.path,
        'NoExecute evicts what runs: write NoSchedule, or start the hub with --allow-no-execute-taint-policy',
      );
    }
  }
}

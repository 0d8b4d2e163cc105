import { forbiddenField, immutable, policyFamilies, required } from '../../api/index.ts';
import type { Scope } from '../../api/index.ts';
import { failoverFaults } from './failover.ts';
import { at, entryOf, isSet, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { placementFaults } from './placement.ts';
import { excludedResourcesFaults, preemptionFaults, selectorsFaults } from './selectors.ts';
import type { Reach } from './selectors.ts';
import { suspensionFaults } from './suspension.ts';
import { checkedIfSet, whyNotTime } from './syntax.ts';

/** Where a policy of this scope may select. */
export function reachOf(scope: Scope, policy: Place): Reach {
  return { scope, namespace: textOf(at(policy, 'metadata', 'namespace')) };
}

/** PropagationPolicy and ClusterPropagationPolicy: they differ by their reach and by their keys alone. */
export function* policyFaults(scope: Scope, policy: Place, old: Place | undefined): Faults {
  const spec = at(policy, 'spec');
  const reach = reachOf(scope, policy);
  const selectors = at(spec, 'resourceSelectors');
  yield* idFaults(policyFamilies[scope].idLabel, policy, old);
  yield* selectorsFaults(selectors, reach);
  if (textOf(at(spec, 'preemption')) === 'Always') yield* preemptionFaults(selectors, reach);
  yield* excludedResourcesFaults(at(spec, 'excludedResources'));
  const superseded = at(spec, 'excludeResourceSelectors');
  if (isSet(superseded)) yield forbiddenField(superseded.path, 'superseded: write the rules in spec.excludedResources');
  yield* placementFaults(at(spec, 'placement'));
  yield* failoverFaults(spec);
  yield* suspensionFaults(at(spec, 'suspension'));
  if (old) yield* schedulerFaults(at(spec, 'schedulerName'), at(old, 'spec', 'schedulerName'));
}

/** The id ties claims to a policy: it must be there, and it never changes. */
function* idFaults(label: string, policy: Place, old: Place | undefined): Faults {
  const id = entryOf(at(policy, 'metadata', 'labels'), label);
  const before = old ? textOf(entryOf(at(old, 'metadata', 'labels'), label)) : '';
  if (textOf(id) === '') yield required(id.path, 'set by the server when the policy is created: leave it as it was');
  else if (before !== '' && before !== textOf(id)) yield immutable(id.path, id.value);
}

function* schedulerFaults(name: Place, before: Place): Faults {
  const standard = 'default-scheduler';
  if ((textOf(name) || standard) !== (textOf(before) || standard)) yield immutable(name.path, name.value);
}

/** RolloutPolicy and ClusterRolloutPolicy: they differ by their reach alone. */
export function* rolloutFaults(scope: Scope, policy: Place): Faults {
  const spec = at(policy, 'spec');
  yield* selectorsFaults(at(spec, 'resourceSelectors'), reachOf(scope, policy));
  yield* suspensionFaults(at(spec, 'suspension'));
  yield* checkedIfSet(at(spec, 'until'), whyNotTime);
}

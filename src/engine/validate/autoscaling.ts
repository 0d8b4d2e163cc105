import { cronFault, forbiddenField, invalidValue, required } from '../../api/index.ts';
import { at, isSet, items, numberOf, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, checkedIfSet, duplicates } from './syntax.ts';

/** CronFederatedHPA: rules that can be told apart, run, and say what to set. */
export function* cronFaults(autoscaler: Place): Faults {
  const target = at(autoscaler, 'spec', 'scaleTargetRef');
  const ofAutoscaler = textOf(at(target, 'kind')) === 'FederatedHPA';
  const rules = items(at(autoscaler, 'spec', 'rules'));
  for (const rule of rules) {
    yield* checked(at(rule, 'schedule'), cronFault);
    yield* checkedIfSet(at(rule, 'timeZone'), whyNotTimeZone);
    yield* ofAutoscaler ? boundsFaults(rule) : replicasFaults(rule);
  }
  yield* duplicates(
    rules.map((rule) => at(rule, 'name')),
    textOf,
  );
}

function whyNotTimeZone(name: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return undefined;
  } catch {
    return 'must be a time zone of the tz database: write Europe/Berlin or UTC';
  }
}

/** A workload has one number. */
function* replicasFaults(rule: Place): Faults {
  const replicas = at(rule, 'targetReplicas');
  if (!isSet(replicas)) yield required(replicas.path, 'write how many replicas the workload gets');
  yield* notBelow(replicas, 0);
  for (const name of ['targetMinReplicas', 'targetMaxReplicas']) {
    const bound = at(rule, name);
    if (isSet(bound)) yield forbiddenField(bound.path, 'only for a FederatedHPA: write targetReplicas');
  }
}

/** An autoscaler has a lower and an upper bound. */
function* boundsFaults(rule: Place): Faults {
  const [least, most] = [at(rule, 'targetMinReplicas'), at(rule, 'targetMaxReplicas')];
  if (!isSet(least) && !isSet(most)) yield required(least.path, 'write targetMinReplicas, targetMaxReplicas or both');
  yield* notBelow(least, 1);
  yield* notBelow(most, 1);
  const [min, max] = [numberOf(least), numberOf(most)];
  if (min !== undefined && max !== undefined && max < min) {
    yield invalidValue(most.path, max, `must not be less than targetMinReplicas ${min}`);
  }
}

function* notBelow(count: Place, least: number): Faults {
  if ((numberOf(count) ?? least) < least) yield invalidValue(count.path, count.value, `must not be less than ${least}`);
}

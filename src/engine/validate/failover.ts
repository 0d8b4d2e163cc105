import { forbiddenField, invalidValue, required } from '../../api/index.ts';
import { at, isSet, items, numberOf, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, whyNotLabelKey } from './syntax.ts';

/** How workloads move away from where they fail. */
export function* failoverFaults(spec: Place): Faults {
  const application = at(spec, 'failover', 'application');
  if (isSet(application)) yield* applicationFaults(application, at(spec, 'propagateDeps'));
  yield* preservationFaults(at(application, 'statePreservation'));
  yield* preservationFaults(at(spec, 'failover', 'cluster', 'statePreservation'));
}

function* applicationFaults(application: Place, propagateDeps: Place): Faults {
  if (propagateDeps.value !== true) {
    const detail = 'must be true when failover.application is set: what a workload needs must move along';
    yield invalidValue(propagateDeps.path, propagateDeps.value ?? false, detail);
  }
  const toleration = at(application, 'decisionConditions', 'tolerationSeconds');
  if ((numberOf(toleration) ?? 0) < 0) yield invalidValue(toleration.path, toleration.value, 'must not be negative');
  yield* gracePeriodFaults(application);
}

function* gracePeriodFaults(application: Place): Faults {
  const grace = at(application, 'gracePeriodSeconds');
  const mode = textOf(at(application, 'purgeMode')) || 'Gracefully';
  if (mode !== 'Gracefully') {
    if (isSet(grace)) yield forbiddenField(grace.path, `only with purgeMode Gracefully, not with ${mode}`);
  } else if (!isSet(grace)) {
    yield required(grace.path, 'write how long to wait when purgeMode is Gracefully');
  } else if ((numberOf(grace) ?? 1) <= 0) {
    yield invalidValue(grace.path, grace.value, 'must be greater than 0');
  }
}

function* preservationFaults(preservation: Place): Faults {
  for (const rule of items(at(preservation, 'rules'))) yield* checked(at(rule, 'aliasLabelName'), whyNotLabelKey);
}

import { duplicateValue, forbiddenField, invalidValue, notSupported, required } from '../../api/index.ts';
import { at, entries, isSet, items, numberOf, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { labelSelectorFaults } from './selectors.ts';
import { checked, duplicates, whyNotLabelKey } from './syntax.ts';

const fieldKeys = ['provider', 'region', 'zone'];
const fieldOperators = ['In', 'NotIn'];
const tolerationOperators = ['Equal', 'Exists'];

/** The members that a policy selects. */
export function* affinityFaults(affinity: Place): Faults {
  yield* labelSelectorFaults(at(affinity, 'labelSelector'));
  for (const requirement of items(at(affinity, 'fieldSelector', 'matchExpressions'))) {
    yield* fieldRequirementFaults(requirement);
  }
}

function* fieldRequirementFaults(requirement: Place): Faults {
  const [key, operator, values] = [at(requirement, 'key'), at(requirement, 'operator'), at(requirement, 'values')];
  if (!fieldKeys.includes(textOf(key))) yield notSupported(key.path, key.value, fieldKeys);
  if (!fieldOperators.includes(textOf(operator))) yield notSupported(operator.path, operator.value, fieldOperators);
  else if (items(values).length === 0) yield required(values.path, 'write at least one value');
}

/** Where templates go and how their replicas are divided. */
export function* placementFaults(placement: Place): Faults {
  const affinity = at(placement, 'clusterAffinity');
  const terms = at(placement, 'clusterAffinities');
  if (isSet(affinity) && isSet(terms)) {
    yield forbiddenField(terms.path, 'excludes clusterAffinity: write one of the two');
  }
  yield* affinityFaults(affinity);
  yield* termsFaults(terms, placement);
  yield* spreadFaults(at(placement, 'spreadConstraints'));
  yield* tolerationFaults(at(placement, 'clusterTolerations'));
  yield* replicaSchedulingFaults(at(placement, 'replicaScheduling'));
  yield* workloadAffinityFaults(at(placement, 'workloadAffinity'));
}

const nameOf = (group: Place): Place => at(group, 'affinityName');

function* termsFaults(terms: Place, placement: Place): Faults {
  for (const term of items(terms)) {
    yield* checked(nameOf(term), whyNotLabelKey);
    yield* affinityFaults(term);
    const overflow = at(term, 'overflowAffinities');
    if (items(overflow).length > 0) yield* overflowFaults(term, overflow, placement);
  }
  yield* duplicates(items(terms).map(nameOf), textOf);
}

function* overflowFaults(term: Place, overflow: Place, placement: Place): Faults {
  if (!dividesByCapacity(at(placement, 'replicaScheduling'))) {
    yield forbiddenField(
      overflow.path,
      'needs replicaSchedulingType Divided with replicaDivisionPreference Aggregated or a dynamicWeight',
    );
  }
  if (!selectsMembers(term)) yield forbiddenField(overflow.path, 'needs a group that selects members to overflow from');
  const names = [term, ...items(overflow)].map(nameOf);
  for (const group of items(overflow)) {
    yield* checked(nameOf(group), whyNotLabelKey);
    yield* affinityFaults(group);
  }
  yield* duplicates(names, textOf);
}

function dividesByCapacity(scheduling: Place): boolean {
  if (textOf(at(scheduling, 'replicaSchedulingType')) !== 'Divided') return false;
  const byCapacity = textOf(at(scheduling, 'weightPreference', 'dynamicWeight')) !== '';
  return textOf(at(scheduling, 'replicaDivisionPreference')) === 'Aggregated' || byCapacity;
}

function selectsMembers(affinity: Place): boolean {
  const lists = ['clusterNames', 'exclude'].some((name) => items(at(affinity, name)).length > 0);
  const fields = items(at(affinity, 'fieldSelector', 'matchExpressions')).length > 0;
  const labels = at(affinity, 'labelSelector');
  const byLabels = entries(at(labels, 'matchLabels')).length > 0 || items(at(labels, 'matchExpressions')).length > 0;
  return lists || fields || byLabels;
}

function* spreadFaults(constraints: Place): Faults {
  for (const constraint of items(constraints)) yield* constraintFaults(constraint);
  const fields = items(constraints).map((constraint) => at(constraint, 'spreadByField'));
  const used = fields.filter((field) => textOf(field) !== '');
  yield* duplicates(used, textOf);
  if (used.length > 0 && !used.some((field) => textOf(field) === 'cluster')) {
    const detail = 'spreading by a field needs a constraint for members too: add spreadByField: cluster';
    yield invalidValue(constraints.path, constraints.value, detail);
  }
}

function* constraintFaults(constraint: Place): Faults {
  const [least, most] = [at(constraint, 'minGroups'), at(constraint, 'maxGroups')];
  const label = at(constraint, 'spreadByLabel');
  if (textOf(label) !== '' && textOf(at(constraint, 'spreadByField')) !== '') {
    yield forbiddenField(label.path, 'excludes spreadByField: write one of the two');
  }
  for (const count of [least, most]) {
    if ((numberOf(count) ?? 0) < 0) yield invalidValue(count.path, count.value, 'must not be negative');
  }
  const [min, max] = [numberOf(least) ?? 0, numberOf(most) ?? 0];
  if (max > 0 && max < min) yield invalidValue(most.path, max, `must not be less than minGroups ${min}`);
}

function* tolerationFaults(tolerations: Place): Faults {
  for (const toleration of items(tolerations)) {
    const operator = at(toleration, 'operator');
    const written = textOf(operator);
    if (written !== '' && !tolerationOperators.includes(written)) {
      yield notSupported(operator.path, operator.value, tolerationOperators);
    }
  }
}

function* replicaSchedulingFaults(scheduling: Place): Faults {
  for (const weight of items(at(scheduling, 'weightPreference', 'staticWeightList'))) {
    yield* affinityFaults(at(weight, 'targetCluster'));
  }
}

function* workloadAffinityFaults(affinity: Place): Faults {
  const together = at(affinity, 'affinity', 'groupByLabelKey');
  const apart = at(affinity, 'antiAffinity', 'groupByLabelKey');
  for (const key of [together, apart]) if (isSet(key)) yield* checked(key, whyNotLabelKey);
  if (isSet(together) && together.value === apart.value) {
    yield { ...duplicateValue(apart.path, apart.value), detail: 'the same workloads cannot be together and apart' };
  }
}

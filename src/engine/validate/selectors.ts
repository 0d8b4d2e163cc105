import { forbiddenField, invalidValue, notSupported, required } from '../../api/index.ts';
import type { Scope } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { whyNotNamespaceItem } from '../match/namespaces.ts';
import { at, entries, isSet, items, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, checkedKeys, whyNotDnsLabel, whyNotLabelKey, whyNotLabelValue } from './syntax.ts';

/** Where a policy may select: its own namespace, or anywhere by patterns. */
export interface Reach {
  readonly scope: Scope;
  /** The namespace of the policy itself; '' where it is not known yet. */
  readonly namespace: string;
}

const labelOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const ruleFields = ['apiVersion', 'kind', 'namespace', 'name', 'labelSelector'] as const;

/** metav1.LabelSelector */
export function* labelSelectorFaults(selector: Place): Faults {
  const labels = at(selector, 'matchLabels');
  yield* checkedKeys(labels, whyNotLabelKey);
  for (const [, value] of entries(labels)) yield* checked(value, whyNotLabelValue);
  for (const requirement of items(at(selector, 'matchExpressions'))) yield* labelRequirementFaults(requirement);
}

function* labelRequirementFaults(requirement: Place): Faults {
  const operator = at(requirement, 'operator');
  const values = at(requirement, 'values');
  yield* checked(at(requirement, 'key'), whyNotLabelKey);
  if (!labelOperators.includes(textOf(operator))) {
    yield notSupported(operator.path, operator.value, labelOperators);
    return;
  }
  const takesValues = textOf(operator) === 'In' || textOf(operator) === 'NotIn';
  if (takesValues && items(values).length === 0) {
    yield required(values.path, 'write at least one value when operator is In or NotIn');
  }
  if (!takesValues && items(values).length > 0) {
    yield forbiddenField(values.path, 'leave it out when operator is Exists or DoesNotExist');
  }
  for (const value of items(values)) yield* checked(value, whyNotLabelValue);
}

/** The selectors of a policy of any kind. */
export function* selectorsFaults(selectors: Place, reach: Reach): Faults {
  for (const selector of items(selectors)) yield* selectorFaults(selector, reach);
}

function* selectorFaults(selector: Place, reach: Reach): Faults {
  for (const name of ['apiVersion', 'kind']) {
    const field = at(selector, name);
    if (field.value === '') yield required(field.path, 'write the apiVersion and kind of the resources');
  }
  const exclude = at(selector, 'exclude');
  if (isSet(exclude)) yield forbiddenField(exclude.path, 'superseded: write the rule in spec.excludedResources');
  yield* reachFaults(at(selector, 'namespace'), reach);
  yield* labelSelectorFaults(at(selector, 'labelSelector'));
}

function* reachFaults(namespace: Place, reach: Reach): Faults {
  if (textOf(namespace) === '') return;
  if (reach.scope === 'cluster') {
    yield* namespacePatternFaults(namespace);
  } else if (reach.namespace === '') {
    yield* checked(namespace, whyNotDnsLabel);
  } else if (textOf(namespace) !== reach.namespace) {
    const detail = `must be the policy's own namespace ${JSON.stringify(reach.namespace)}: leave it out`;
    yield invalidValue(namespace.path, namespace.value, detail);
  }
}

/** A comma list of exact names and `prefix*`. */
export function* namespacePatternFaults(namespace: Place): Faults {
  const reasons = new Set<string>();
  for (const item of textOf(namespace).split(',')) {
    const why = whyNotNamespaceItem(item);
    if (why !== undefined) reasons.add(why);
  }
  for (const why of reasons) yield invalidValue(namespace.path, namespace.value, why);
}

/** A policy that takes over templates of other policies must say which. */
export function* preemptionFaults(selectors: Place, reach: Reach): Faults {
  if (reach.scope === 'namespace') return;
  for (const selector of items(selectors)) {
    const names = textOf(at(selector, 'name')) !== '' || textOf(at(selector, 'namespace')) !== '';
    if (!names) {
      const path = at(selector, 'namespace').path;
      yield required(
        path,
        'with preemption Always write the name of the resource, or its namespaces as a,b or prefix*',
      );
    }
  }
}

/** Rules that take templates out of what the selectors select. */
export function* excludedResourcesFaults(rules: Place): Faults {
  for (const rule of items(rules)) {
    if (isObject(rule.value) && !ruleFields.some((name) => saysSomething(at(rule, name)))) {
      yield invalidValue(
        rule.path,
        rule.value,
        `would exclude everything: set at least one of ${ruleFields.join(', ')}`,
      );
    }
    const namespace = at(rule, 'namespace');
    if (textOf(namespace) !== '') yield* namespacePatternFaults(namespace);
    yield* labelSelectorFaults(at(rule, 'labelSelector'));
  }
}

/** An empty text says nothing, and neither does a label selector without a requirement. */
function saysSomething(field: Place): boolean {
  if (!isObject(field.value)) return textOf(field) !== '';
  return entries(at(field, 'matchLabels')).length > 0 || items(at(field, 'matchExpressions')).length > 0;
}

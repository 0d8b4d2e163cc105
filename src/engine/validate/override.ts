import { invalidValue, required } from '../../api/index.ts';
import type { Scope } from '../../api/index.ts';
import { at, entries, isSet, items, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { affinityFaults } from './placement.ts';
import { reachOf } from './propagation.ts';
import { selectorsFaults } from './selectors.ts';
import { checked, checkedKeys, whyNotLabelKey, whyNotLabelValue, whyNotPointer } from './syntax.ts';

const overriderLists = [
  'plaintext',
  'imageOverrider',
  'commandOverrider',
  'argsOverrider',
  'labelsOverrider',
  'annotationsOverrider',
  'fieldOverrider',
] as const;

/** OverridePolicy and ClusterOverridePolicy: they differ by their reach alone. */
export function* overrideFaults(scope: Scope, policy: Place): Faults {
  const spec = at(policy, 'spec');
  yield* selectorsFaults(at(spec, 'resourceSelectors'), reachOf(scope, policy));
  yield* legacyFaults(spec);
  for (const rule of [spec, ...items(at(spec, 'overrideRules'))]) {
    yield* affinityFaults(at(rule, 'targetCluster'));
    yield* overridersFaults(at(rule, 'overriders'));
  }
}

/** The older two fields are read only when there are no rules, so both at once would hide one. */
function* legacyFaults(spec: Place): Faults {
  if (items(at(spec, 'overrideRules')).length === 0) return;
  const target = at(spec, 'targetCluster');
  const overriders = at(spec, 'overriders');
  if (isSet(target)) yield invalidValue(target.path, target.value, "overrideRules and targetCluster can't co-exist");
  // Go clients always write an empty `overriders`.
  if (overriderLists.some((name) => items(at(overriders, name)).length > 0)) {
    yield invalidValue(overriders.path, overriders.value, "overrideRules and overriders can't co-exist");
  }
}

function* overridersFaults(overriders: Place): Faults {
  for (const patch of items(at(overriders, 'plaintext'))) {
    yield* checked(at(patch, 'path'), whyNotPointer);
    yield* neededValue(patch);
  }
  for (const image of items(at(overriders, 'imageOverrider'))) {
    if (isSet(at(image, 'predicate'))) yield* checked(at(image, 'predicate', 'path'), whyNotPointer);
  }
  for (const labels of items(at(overriders, 'labelsOverrider'))) {
    yield* checkedKeys(at(labels, 'value'), whyNotLabelKey);
    for (const [, value] of entries(at(labels, 'value'))) yield* checked(value, whyNotLabelValue);
  }
  for (const annotations of items(at(overriders, 'annotationsOverrider'))) {
    yield* checkedKeys(at(annotations, 'value'), whyNotLabelKey);
  }
  for (const field of items(at(overriders, 'fieldOverrider'))) yield* fieldOverriderFaults(field);
}

function* fieldOverriderFaults(field: Place): Faults {
  yield* checked(at(field, 'fieldPath'), whyNotPointer);
  const [json, yaml] = [at(field, 'json'), at(field, 'yaml')];
  const written = [json, yaml].filter((patches) => items(patches).length > 0);
  if (written.length === 0) yield required(field.path, 'FieldOverrider must have either JSON or YAML set');
  if (written.length === 2) {
    yield invalidValue(field.path, field.value, 'FieldOverrider has both YAML and JSON set. Only one is allowed');
  }
  for (const patch of [...items(json), ...items(yaml)]) {
    yield* checked(at(patch, 'subPath'), whyNotPointer);
    yield* neededValue(patch);
    const value = at(patch, 'value');
    if (textOf(at(patch, 'operator')) === 'remove' && isSet(value)) {
      yield invalidValue(value.path, value.value, 'value is not allowed for remove operation');
    }
  }
}

function* neededValue(patch: Place): Faults {
  const operator = textOf(at(patch, 'operator'));
  const value = at(patch, 'value');
  if ((operator === 'add' || operator === 'replace') && !isSet(value)) {
    yield required(value.path, 'value is required for add or replace operation');
  }
}

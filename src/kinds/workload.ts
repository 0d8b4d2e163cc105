import { immutable, invalidValue, notSupported, required, selectsLabels } from '../api/index.ts';
import type { FieldError, KubeObject, LabelSelector } from '../api/index.ts';
import { equal, isObject } from '../base/index.ts';
import type { Draft, Part } from './draft.ts';
import { labelSelectorErrors } from './labelselector.ts';
import { labelErrors } from './metadata.ts';
import { isUnset, numberOf, partOf, partsOf, specOf, textOf } from './part.ts';
import { podSpecErrors } from './podvalidate.ts';

/** The errors of the selector and the template of a workload. */
export function templateErrors(draft: Draft, what: string): FieldError[] {
  const spec = specOf(draft);
  const template = partOf(spec, 'template');
  const labels = partOf(partOf(template, 'metadata'), 'labels') as Readonly<Record<string, string>>;
  return [
    ...selectorErrors(spec, labels, what),
    ...labelErrors(labels, 'spec.template.labels'),
    ...podSpecErrors(partOf(template, 'spec'), 'spec.template.spec', claimsOf(spec)),
  ];
}

/** The pods of a StatefulSet get a volume for each of its claims. */
function claimsOf(spec: Part): Part[] {
  return partsOf(spec, 'volumeClaimTemplates').map((claim) => ({ name: textOf(partOf(claim, 'metadata'), 'name') }));
}

function selectorErrors(spec: Part, labels: Readonly<Record<string, string>>, what: string): FieldError[] {
  const { selector } = spec;
  if (!isObject(selector)) return [required('spec.selector'), mismatch(labels)];
  if (isEmptySelector(selector)) {
    return [invalidValue('spec.selector', selector, `empty selector is invalid for ${what}`)];
  }
  const faults = labelSelectorErrors(selector, 'spec.selector');
  if (faults.length > 0) return [...faults, ...summary(selector, what)];
  if (selectsLabels(selector, labels)) return [];
  return [mismatch(labels)];
}

/** Some kinds report in one message that their selector is invalid, each in its own way. */
function summary(selector: Part, what: string): FieldError[] {
  if (what === 'daemonset') return [];
  return [invalidValue('spec.selector', selector, what === 'statefulset' ? '' : 'invalid label selector')];
}

function mismatch(labels: Readonly<Record<string, string>>): FieldError {
  const shown = Object.keys(labels).length > 0 ? labels : null;
  return invalidValue('spec.template.metadata.labels', shown, '`selector` does not match template `labels`');
}

function isEmptySelector({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}

/** The pods of a workload must be restarted for ever. */
export function alwaysRestarted(draft: Draft): FieldError[] {
  const policy = textOf(partOf(partOf(specOf(draft), 'template'), 'spec'), 'restartPolicy');
  if (policy === 'Always' || policy === '') return [];
  return [notSupported('spec.template.spec.restartPolicy', policy, ['Always'])];
}

/** Parts of the spec that never change. */
export function immutableErrors(draft: Draft, old: KubeObject, names: readonly string[]): FieldError[] {
  const [spec, before] = [specOf(draft), specOf(old)];
  return names.filter((name) => !equal(spec[name], before[name])).map((name) => immutable(`spec.${name}`, spec[name]));
}

/** Numbers of the spec that must not be negative. */
export function countErrors(draft: Draft, names: readonly string[]): FieldError[] {
  const spec = specOf(draft);
  return names.flatMap((name) => {
    const value = numberOf(spec, name);
    if (value === undefined || value >= 0) return [];
    return [invalidValue(`spec.${name}`, value, 'must be greater than or equal to 0')];
  });
}

/** Tells whether this part of the spec is unset. */
export function specLacks(draft: Draft, name: string): boolean {
  return isUnset(specOf(draft), name);
}

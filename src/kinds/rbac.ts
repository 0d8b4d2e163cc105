import type { Members } from '../base/index.ts';
import { invalidValue, nameFaults, notSupported, required } from '../api/index.ts';
import type { FieldError, KubeObject } from '../api/index.ts';
import { equal, isObject } from '../base/index.ts';
import type { Draft } from './draft.ts';
import type { Strategy } from './strategy.ts';

const group = 'rbac.authorization.k8s.io';
/** Roles and bindings: what may stand in them. Whether their author may write them is not decided here. */
export const rbac: Readonly<Record<string, Strategy>> = {
  [`${group}/roles`]: role(true),
  [`${group}/clusterroles`]: role(false),
  [`${group}/rolebindings`]: binding(['Role', 'ClusterRole'], true),
  [`${group}/clusterrolebindings`]: binding(['ClusterRole'], false),
};

function role(namespaced: boolean): Strategy {
  return {
    names: 'segment',
    createOnUpdate: true,
    validate: (draft) => [
      ...listOf(draft['rules']).flatMap((rule, i) => ruleErrors(rule, `rules[${i}]`, namespaced)),
      ...aggregationErrors(draft),
    ],
  };
}

function binding(kinds: readonly string[], namespaced: boolean): Strategy {
  const validate = (draft: Draft): readonly FieldError[] => [
    ...referenceErrors(fieldsOf(draft['roleRef']), kinds),
    ...listOf(draft['subjects']).flatMap((subject, i) => subjectErrors(subject, `subjects[${i}]`, namespaced)),
  ];
  return { names: 'segment', createOnUpdate: true, defaults: fillGroups, validate, validateUpdate: sameReference };
}

function fillGroups(draft: Draft): void {
  if (isObject(draft['roleRef'])) draft['roleRef']['apiGroup'] ||= group;
  for (const subject of listOf(draft['subjects'])) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') subject['apiGroup'] ||= group;
  }
}

function ruleErrors(rule: Members, path: string, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const isEmpty = (name: string): boolean => !Array.isArray(rule[name]) || rule[name].length === 0;
  if (isEmpty('verbs')) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  if (!isEmpty('nonResourceURLs')) return [...errors, ...urlErrors(rule, path, namespaced)];
  if (isEmpty('apiGroups'))
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  if (isEmpty('resources'))
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

function urlErrors(rule: Members, path: string, namespaced: boolean): FieldError[] {
  const field = `${path}.nonResourceURLs`;
  const urls = rule['nonResourceURLs'];
  const isMixed = ['apiGroups', 'resources', 'resourceNames'].some((name) => listLength(rule[name]) > 0);
  return [
    ...(namespaced ? [invalidValue(field, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
    ...(isMixed
      ? [invalidValue(field, urls, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

function aggregationErrors(draft: Draft): FieldError[] {
  const rule = draft['aggregationRule'];
  if (!isObject(rule) || listLength(rule['clusterRoleSelectors']) > 0) return [];
  const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return [required('aggregationRule.clusterRoleSelectors', detail)];
}

function referenceErrors(reference: Members, kinds: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (reference['apiGroup'] !== group)
    errors.push(notSupported('roleRef.apiGroup', textOf(reference['apiGroup']), [group]));
  const kind = textOf(reference['kind']);
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  const name = textOf(reference['name']);
  if (name === '') return [...errors, required('roleRef.name')];
  return [...errors, ...nameFaults('segment', name, false).map((fault) => invalidValue('roleRef.name', name, fault))];
}

function subjectErrors(subject: Members, path: string, namespaced: boolean): FieldError[] {
  const name = textOf(subject['name']);
  const nameless = name === '' ? [required(`${path}.name`)] : [];
  const kind = textOf(subject['kind']);
  const apiGroup = textOf(subject['apiGroup']);
  if (kind === 'User' || kind === 'Group') {
    return apiGroup === group ? nameless : [...nameless, notSupported(`${path}.apiGroup`, apiGroup, [group])];
  }
  if (kind === 'ServiceAccount') return [...nameless, ...accountErrors(subject, path, namespaced)];
  return [...nameless, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
}

function accountErrors(subject: Members, path: string, namespaced: boolean): FieldError[] {
  const name = textOf(subject['name']);
  const apiGroup = textOf(subject['apiGroup']);
  const faults = name === '' ? [] : nameFaults('subdomain', name, false);
  return [
    ...faults.map((fault) => invalidValue(`${path}.name`, name, fault)),
    ...(apiGroup === '' ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [''])]),
    ...(namespaced || textOf(subject['namespace']) ? [] : [required(`${path}.namespace`)]),
  ];
}

/** The errors of a changed roleRef: it is fixed when the binding is created; only subjects may change. */
function sameReference(draft: Draft, old: KubeObject): readonly FieldError[] {
  const { roleRef } = old as KubeObject & { readonly roleRef?: unknown };
  return equal(draft['roleRef'], roleRef) ? [] : [invalidValue('roleRef', draft['roleRef'], 'cannot change roleRef')];
}

const fieldsOf = (value: unknown): Members => (isObject(value) ? value : {});
const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);
const listLength = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

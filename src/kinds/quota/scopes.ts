import type { KubeObject } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import type { Part } from '../draft.ts';
import { numberOf, partOf, partsOf, specOf, textOf } from '../part.ts';
import { qosOf } from '../pods.ts';
import type { Counted } from './usage.ts';

interface Requirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/**
 * Tells whether the quota counts objects like this one. A quota with scopes counts only pods, or claims, that are in
 * all of them.
 */
export function isInScope(quota: KubeObject, resource: Counted, object: KubeObject): boolean {
  return requirementsOf(specOf(quota)).every((requirement) => meets(requirement, resource, object));
}

function requirementsOf(spec: Part): Requirement[] {
  const scopes = Array.isArray(spec['scopes']) ? spec['scopes'].map(String) : [];
  return [
    ...scopes.map((scope) => ({ scope, operator: 'Exists', values: [] })),
    ...partsOf(partOf(spec, 'scopeSelector'), 'matchExpressions').map((expression) => ({
      scope: textOf(expression, 'scopeName'),
      operator: textOf(expression, 'operator'),
      values: Array.isArray(expression['values']) ? expression['values'].map(String) : [],
    })),
  ];
}

function meets(requirement: Requirement, { group, plural }: Counted, object: KubeObject): boolean {
  if (group !== '') return false;
  if (plural === 'persistentvolumeclaims') {
    return requirement.scope === 'VolumeAttributesClass' && named(requirement, classNames(object));
  }
  return plural === 'pods' && (podScopes[requirement.scope]?.(object, requirement) ?? false);
}

const podScopes: Readonly<Record<string, (pod: KubeObject, requirement: Requirement) => boolean>> = {
  Terminating: (pod) => isTerminating(pod),
  NotTerminating: (pod) => !isTerminating(pod),
  BestEffort: (pod) => qosOf(specOf(pod)) === 'BestEffort',
  NotBestEffort: (pod) => qosOf(specOf(pod)) !== 'BestEffort',
  PriorityClass: (pod, requirement) => named(requirement, namesOf(specOf(pod), 'priorityClassName')),
  CrossNamespacePodAffinity: (pod) => hasForeignAffinity(partOf(specOf(pod), 'affinity')),
};

function isTerminating(pod: KubeObject): boolean {
  return (numberOf(specOf(pod), 'activeDeadlineSeconds') ?? -1) >= 0;
}

/** Tells whether one of the names, of which there may be none, meets the operator. */
function named({ operator, values }: Requirement, names: readonly string[]): boolean {
  if (operator === 'Exists') return names.length > 0;
  if (operator === 'DoesNotExist') return names.length === 0;
  const isListed = names.some((name) => values.includes(name));
  return operator === 'In' ? isListed : !isListed;
}

function namesOf(spec: Part, field: string): string[] {
  const name = textOf(spec, field);
  return name === '' ? [] : [name];
}

/** The class that a claim asks for, and the one that it has. */
function classNames(claim: KubeObject): string[] {
  const status = partOf(claim, 'status');
  return [
    ...namesOf(specOf(claim), 'volumeAttributesClassName'),
    ...namesOf(status, 'currentVolumeAttributesClassName'),
    ...namesOf(partOf(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
  ];
}

function hasForeignAffinity(affinity: Part): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((name) => {
    const rules = partOf(affinity, name);
    const terms = [
      ...partsOf(rules, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...partsOf(rules, 'preferredDuringSchedulingIgnoredDuringExecution').map((one) => partOf(one, 'podAffinityTerm')),
    ];
    return terms.some(
      (term) =>
        isObject(term['namespaceSelector']) || (Array.isArray(term['namespaces']) && term['namespaces'].length > 0),
    );
  });
}

import { compareQuantities, integerOf, invalidValue, labelKeyFaults, quantityOf, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import type { Draft, Part } from './draft.ts';
import { partOf, partsOf, specOf, textOf } from './part.ts';

const counted = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
];
const computed = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const stored = ['ephemeral-storage', 'limits.ephemeral-storage', 'requests.ephemeral-storage', 'requests.storage'];
const ofQuotas: ReadonlySet<string> = new Set([...counted, ...computed, ...stored]);
const zero = { digits: 0n, exponent: 0 };

/** The errors of a ResourceQuota. */
export function quotaErrors(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  const hard = partOf(spec, 'hard');
  const names = Object.keys(hard);
  return [
    ...names.flatMap((name) => [
      ...resourceNameErrors(name, `spec.hard[${name}]`),
      ...amountErrors(name, hard[name], `spec.hard[${name}]`),
    ]),
    ...scopeErrors(spec, names),
    ...partsOf(partOf(spec, 'scopeSelector'), 'matchExpressions').flatMap((one) => selectionErrors(one, spec, names)),
  ];
}

function resourceNameErrors(name: string, field: string): FieldError[] {
  const faults = [...labelKeyFaults(name)];
  const bare = !name.includes('/');
  if (faults.length === 0 && bare && !isStandard(name))
    faults.push('must be a standard resource type or fully qualified');
  if (bare && !ofQuotas.has(name) && !isHugePages(name)) faults.push('must be a standard resource for quota');
  return faults.map((fault) => invalidValue(field, name, fault));
}

const isStandard = (name: string): boolean => ofQuotas.has(name) || name === 'storage' || isHugePages(name);

const isHugePages = (name: string): boolean => /^(requests\.)?hugepages-/.test(name);

/** An amount is not negative, and what is counted has no half. */
function amountErrors(name: string, value: unknown, field: string): FieldError[] {
  const quantity = quantityOf(String(value));
  if (!quantity) return [];
  if (compareQuantities(quantity, zero) < 0) {
    return [invalidValue(field, String(value), 'must be greater than or equal to 0')];
  }
  if (!isCounted(name) || integerOf(quantity) !== undefined) return [];
  return [invalidValue(field, String(value), 'must be an integer')];
}

/** Objects and devices are; a device is named by the domain of its maker. */
function isCounted(name: string): boolean {
  if (counted.includes(name)) return true;
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
/** Scopes that are there or not, and have no values. */
const plain: ReadonlySet<string> = new Set(scopes.slice(0, 4).concat('CrossNamespacePodAffinity'));

function scopeErrors(spec: Part, names: readonly string[]): FieldError[] {
  const chosen = Array.isArray(spec['scopes']) ? spec['scopes'].map(String) : [];
  const details = [
    ...chosen.flatMap((scope) => [
      ...(scopes.includes(scope) ? [] : ['unsupported scope']),
      ...names.filter((name) => !suits(scope, name)).map(() => 'unsupported scope applied to resource'),
    ]),
    ...opposites.filter((pair) => pair.every((one) => chosen.includes(one))).map(() => 'conflicting scopes'),
  ];
  return details.map((detail) => invalidValue('spec.scopes', chosen, detail));
}

/** A scope selects pods, so it goes with what pods take; those without guarantees can only be counted. */
function suits(scope: string, name: string): boolean {
  if (!ofQuotas.has(name) || !scopes.includes(scope)) return true;
  if (scope === 'VolumeAttributesClass') return name === 'persistentvolumeclaims' || name === 'requests.storage';
  return name === 'pods' || (scope !== 'BestEffort' && computed.includes(name));
}

function selectionErrors(one: Part, spec: Part, names: readonly string[]): FieldError[] {
  const path = 'spec.scopeSelector.matchExpressions';
  const scope = textOf(one, 'scopeName');
  const misfits = names.filter((name) => !suits(scope, name));
  return [
    ...(scopes.includes(scope) ? [] : [invalidValue(`${path}.scopeName`, scope, 'unsupported scope')]),
    ...misfits.map(() => invalidValue(path, goSelector(spec), 'unsupported scope applied to resource')),
    ...operatorErrors(one, path),
  ];
}

function operatorErrors(one: Part, path: string): FieldError[] {
  const operator = textOf(one, 'operator');
  const values = Array.isArray(one['values']) ? one['values'] : [];
  const errors: FieldError[] = [];
  if (plain.has(textOf(one, 'scopeName')) && operator !== 'Exists') {
    errors.push(invalidValue(`${path}.operator`, operator, plainWords));
  }
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) errors.push(required(`${path}.values`, someWords));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) errors.push(invalidValue(`${path}.values`, values, noneWords));
  } else errors.push(invalidValue(`${path}.operator`, operator, 'not a valid selector operator'));
  return errors;
}

const plainWords =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, " +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
const someWords = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
const noneWords = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";

/** The selector as Go prints its own structs. */
function goSelector(spec: Part): object {
  const expressions = partsOf(partOf(spec, 'scopeSelector'), 'matchExpressions');
  return {
    MatchExpressions: expressions.map((one) => ({
      ScopeName: textOf(one, 'scopeName'),
      Operator: textOf(one, 'operator'),
      Values: one['values'] ?? null,
    })),
  };
}

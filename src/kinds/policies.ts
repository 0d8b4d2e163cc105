import { isIPv4, isIPv6 } from 'node:net';
import { invalidValue } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import type { Draft, Part } from './draft.ts';
import { labelSelectorErrors } from './labelselector.ts';
import { numberOf, partOf, partsOf, specOf, textOf } from './part.ts';

/** The errors of a PodDisruptionBudget. */
export function budgetErrors(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const errors: FieldError[] = [];
  if (isSet(minAvailable) && isSet(maxUnavailable)) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  return [
    ...errors,
    ...shareErrors(spec, 'minAvailable'),
    ...shareErrors(spec, 'maxUnavailable'),
    ...labelSelectorErrors(partOf(spec, 'selector'), 'spec.selector'),
  ];
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** A number of pods, or a part of all of them. */
function shareErrors(spec: Part, name: string): FieldError[] {
  const value = spec[name];
  const field = `spec.${name}`;
  if (typeof value === 'number') {
    return value < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];
  }
  if (typeof value !== 'string') return [];
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined) {
    const detail =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    return [invalidValue(field, value, detail)];
  }
  return Number(percent) > 100 ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}

/** The errors of a NetworkPolicy. */
export function networkPolicyErrors(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  const rules = (name: string, peers: string): FieldError[] =>
    partsOf(spec, name).flatMap((rule, i) => ruleErrors(rule, { path: `spec.${name}[${i}]`, peers }));
  return [
    ...labelSelectorErrors(partOf(spec, 'podSelector'), 'spec.podSelector'),
    ...rules('ingress', 'from'),
    ...rules('egress', 'to'),
  ];
}

function ruleErrors(rule: Part, { path, peers }: { readonly path: string; readonly peers: string }): FieldError[] {
  return [
    ...partsOf(rule, 'ports').flatMap((port, i) => {
      const number = numberOf(port, 'port');
      if (number === undefined || (number >= 1 && number <= 65_535)) return [];
      return [invalidValue(`${path}.ports[${i}].port`, number, 'must be between 1 and 65535, inclusive')];
    }),
    ...partsOf(rule, peers).flatMap((peer, i) =>
      ['podSelector', 'namespaceSelector'].flatMap((name) =>
        labelSelectorErrors(partOf(peer, name), `${path}.${peers}[${i}].${name}`),
      ),
    ),
    ...partsOf(rule, peers).flatMap((peer, i) => {
      if (!isObject(peer['ipBlock'])) return [];
      const cidr = textOf(partOf(peer, 'ipBlock'), 'cidr');
      if (isCidr(cidr)) return [];
      const detail = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
      return [invalidValue(`${path}.${peers}[${i}].ipBlock.cidr`, cidr, detail)];
    }),
  ];
}

function isCidr(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  if (!/^(0|[1-9]\d{0,2})$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

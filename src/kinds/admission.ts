import { invalidValue, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import { compileAdmission } from '../schema/index.ts';
import type { Draft, Part } from './draft.ts';
import { fill, isUnset, ownPart, partOf, partsOf, specOf, textOf } from './part.ts';
import type { Strategy } from './strategy.ts';

/** Fills in which requests a policy, a binding or a webhook is about, where it does not say. */
function defaultMatching(matching: Part, rules: readonly string[]): void {
  fill(matching, { matchPolicy: 'Equivalent', namespaceSelector: () => ({}), objectSelector: () => ({}) });
  for (const list of rules) for (const rule of partsOf(matching, list)) fill(rule, { scope: '*' });
}

const resourceRules = ['resourceRules', 'excludeResourceRules'];

const policies: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { failurePolicy: 'Fail' });
    if (!isUnset(spec, 'matchConstraints')) defaultMatching(ownPart(spec, 'matchConstraints'), resourceRules);
  },
  validate: policyErrors,
};

const bindings: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    if (!isUnset(spec, 'matchResources')) defaultMatching(ownPart(spec, 'matchResources'), resourceRules);
  },
  validate(draft) {
    const spec = specOf(draft);
    const actions = spec['validationActions'];
    return [
      ...(isUnset(spec, 'policyName') ? [required('spec.policyName')] : []),
      ...(Array.isArray(actions) && actions.length > 0 ? [] : [required('spec.validationActions')]),
    ];
  },
};

function policyErrors(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  const names = { params: !isUnset(spec, 'paramKind'), authorizer: true };
  const faults = (list: string, field: string, wanted: string): FieldError[] =>
    partsOf(spec, list).flatMap((one, i) => {
      const text = textOf(one, field);
      const { error } = text === '' ? {} : compileAdmission(text, wanted, names);
      return error === undefined ? [] : [invalidValue(`spec.${list}[${i}].${field}`, text, error)];
    });
  return [
    ...shapeErrors(spec),
    ...faults('matchConditions', 'expression', 'bool'),
    ...faults('variables', 'expression', 'dyn'),
    ...faults('validations', 'expression', 'bool'),
    ...faults('validations', 'messageExpression', 'string'),
    ...faults('auditAnnotations', 'valueExpression', 'dyn'),
  ];
}

function shapeErrors(spec: Part): FieldError[] {
  const isEmpty = partsOf(spec, 'validations').length + partsOf(spec, 'auditAnnotations').length === 0;
  const constraints = partOf(spec, 'matchConstraints');
  const hasRules = partsOf(constraints, 'resourceRules').length > 0;
  const field = isUnset(spec, 'matchConstraints') ? 'spec.matchConstraints' : 'spec.matchConstraints.resourceRules';
  return [
    ...(isEmpty
      ? [required('spec.validations', 'validations or auditAnnotations must contain at least one item')]
      : []),
    ...(hasRules ? [] : [required(field)]),
  ];
}

function webhooks(isMutating: boolean): Strategy {
  return {
    generation: true,
    defaults(draft) {
      for (const hook of partsOf(draft, 'webhooks')) {
        fill(hook, { failurePolicy: 'Fail', timeoutSeconds: 10, ...(isMutating && { reinvocationPolicy: 'Never' }) });
        defaultMatching(hook, ['rules']);
        const service = partOf(hook, 'clientConfig')['service'];
        if (service) fill(service as Part, { port: 443 });
      }
    },
    validate: webhookErrors,
  };
}

function webhookErrors(draft: Draft): FieldError[] {
  return partsOf(draft, 'webhooks').flatMap((hook, i) => [
    ...partsOf(hook, 'matchConditions').flatMap((condition, j) => {
      const text = textOf(condition, 'expression');
      const { error } = compileAdmission(text, 'bool', { params: false, authorizer: true });
      return error === undefined ? [] : [invalidValue(`webhooks[${i}].matchConditions[${j}].expression`, text, error)];
    }),
    ...timeoutErrors(hook, `webhooks[${i}].timeoutSeconds`),
  ]);
}

function timeoutErrors(hook: Part, field: string): FieldError[] {
  const seconds = Number(hook['timeoutSeconds'] ?? 10);
  if (seconds >= 1 && seconds <= 30) return [];
  return [invalidValue(field, seconds, 'the timeout value must be between 1 and 30 seconds')];
}

/** The group `admissionregistration.k8s.io`. */
export const admission: Readonly<Record<string, Strategy>> = {
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooks(true),
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooks(false),
  'admissionregistration.k8s.io/validatingadmissionpolicies': policies,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': bindings,
};

/**
 * ValidatingAdmissionPolicies: rules of administrators, in CEL, that writes must meet where a binding says so. The words are
 * Kubernetes' own. Start with `judge`.
 */
import type { KubeObject, LabelSelector } from '../../api/index.ts';
import { ApiError, forbidden, selectsLabels } from '../../api/index.ts';
import { compileAdmission, evaluateAdmission } from '../../schema/index.ts';
import type { AdmissionContext, AdmissionExpression } from '../../schema/index.ts';
import type { HubParts } from '../call.ts';
import type { AdmissionReview } from '../request/admission.ts';
import { namespacePrefix } from '../storage/object-keys.ts';
import { matches } from './match.ts';
import type { Matching, RequestRule } from './match.ts';
import { variablesOf } from './variables.ts';
import type { VariableParts } from './variables.ts';

interface MatchResources extends Omit<Matching, 'rules' | 'excluded'> {
  readonly resourceRules?: readonly RequestRule[];
  readonly excludeResourceRules?: readonly RequestRule[];
}

interface Named {
  readonly name: string;
  readonly expression: string;
}

interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

/** `admissionregistration.k8s.io/v1` ValidatingAdmissionPolicy. */
export interface AdmissionPolicy extends KubeObject {
  readonly spec: {
    readonly failurePolicy?: string;
    readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
    readonly matchConstraints?: MatchResources;
    readonly matchConditions?: readonly Named[];
    readonly variables?: readonly Named[];
    readonly validations?: readonly Validation[];
    readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
  };
}

/** `admissionregistration.k8s.io/v1` ValidatingAdmissionPolicyBinding. */
export interface AdmissionPolicyBinding extends KubeObject {
  readonly spec: {
    readonly policyName?: string;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: LabelSelector;
      readonly parameterNotFoundAction?: string;
    };
    readonly matchResources?: MatchResources;
    readonly validationActions?: readonly string[];
  };
}

/** The expressions of a policy, compiled. */
interface Compiled {
  readonly conditions: readonly (readonly [string, AdmissionExpression])[];
  readonly variables: readonly (readonly [string, AdmissionExpression])[];
  readonly validations: readonly {
    readonly validation: Validation;
    readonly rule: AdmissionExpression;
    readonly message: AdmissionExpression | undefined;
  }[];
}

const compiled = new WeakMap<AdmissionPolicy, Compiled>();

function compiledOf(policy: AdmissionPolicy): Compiled {
  const known = compiled.get(policy);
  if (known) return known;
  const { paramKind, matchConditions = [], variables = [], validations = [] } = policy.spec;
  const names = { params: paramKind !== undefined, authorizer: true };
  const made: Compiled = {
    conditions: matchConditions.map(({ name, expression }) => [name, compileAdmission(expression, 'bool', names)]),
    variables: variables.map(({ name, expression }) => [name, compileAdmission(expression, 'dyn', names)]),
    validations: validations.map((validation) => ({
      validation,
      rule: compileAdmission(validation.expression, 'bool', names),
      message: validation.messageExpression
        ? compileAdmission(validation.messageExpression, 'string', names)
        : undefined,
    })),
  };
  compiled.set(policy, made);
  return made;
}

/** One rule that a write breaks. */
interface Denial {
  readonly message: string;
  readonly reason: NonNullable<ApiError['status']['reason']>;
}

export interface PolicyParts extends VariableParts {
  readonly store: HubParts['store'];
  readonly bindings: (policy: string) => Iterable<AdmissionPolicyBinding>;
}

/** Texts for `Warning:` headers; throws the refusal of the first policy that denies the write. */
export function judge(policies: Iterable<AdmissionPolicy>, review: AdmissionReview, parts: PolicyParts): string[] {
  const denials = [...policies].flatMap((policy) =>
    boundTo(policy, review, parts).flatMap((bound) =>
      denialsOf(bound, review, parts).map((denial) => ({
        bound,
        denial,
        actions: bound.binding.spec.validationActions ?? [],
      })),
    ),
  );
  const denied = denials.find(({ actions }) => actions.includes('Deny'));
  if (denied) throw refusalOf(denied.bound, review, denied.denial);
  return denials.filter(({ actions }) => actions.includes('Warn')).map(({ bound, denial }) => warningOf(bound, denial));
}

/** The bindings by which a policy holds for a write. */
function boundTo(policy: AdmissionPolicy, review: AdmissionReview, parts: PolicyParts): Bound[] {
  if (!matches(matchingOf(policy.spec.matchConstraints), review, parts)) return [];
  return [...parts.bindings(policy.metadata.name)]
    .filter(({ spec }) => matches(matchingOf(spec.matchResources), review, parts))
    .map((binding) => ({ policy, binding }));
}

function matchingOf(resources: MatchResources = {}): Matching {
  const { resourceRules, excludeResourceRules, ...rest } = resources;
  return {
    ...rest,
    ...(resourceRules && resourceRules.length > 0 && { rules: resourceRules }),
    ...(excludeResourceRules && { excluded: excludeResourceRules }),
  };
}

interface Bound {
  readonly policy: AdmissionPolicy;
  readonly binding: AdmissionPolicyBinding;
}

function denialsOf(bound: Bound, review: AdmissionReview, parts: PolicyParts): Denial[] {
  const { policy } = bound;
  const variables = variablesOf(review, parts);
  const params = paramsOf(bound, review, parts);
  if (typeof params === 'string') return failed(policy, `failed to configure binding: ${params}`);
  return params.flatMap((param) => denialsWith(policy, { ...variables, params: param }));
}

function failed({ spec }: AdmissionPolicy, message: string): Denial[] {
  return spec.failurePolicy === 'Ignore' ? [] : [{ message, reason: 'Invalid' }];
}

function denialsWith(policy: AdmissionPolicy, given: AdmissionContext): Denial[] {
  const { conditions, variables, validations } = compiledOf(policy);
  const context = { ...given, variables: lazily(variables, given) };
  for (const [name, condition] of conditions) {
    try {
      if (evaluateAdmission(condition, context) !== true) return [];
    } catch (error) {
      return failed(policy, `matchCondition ${name}: ${(error as Error).message}`);
    }
  }
  return validations.flatMap(({ validation, rule, message }) => {
    try {
      if (evaluateAdmission(rule, context) === true) return [];
    } catch (error) {
      return failed(policy, (error as Error).message);
    }
    return [{ message: messageOf(validation, message, context), reason: validation.reason ?? 'Invalid' }];
  });
}

/** Each variable is computed when an expression first uses it, and may use those before it. */
function lazily(variables: Compiled['variables'], given: AdmissionContext): object {
  const computed: Record<string, unknown> = {};
  for (const [name, expression] of variables) {
    const get = (): unknown => {
      const value = evaluateAdmission(expression, { ...given, variables: computed });
      Object.defineProperty(computed, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(computed, name, { get, enumerable: true, configurable: true });
  }
  return computed;
}

const longestMessage = 5 * 1024;

function messageOf(
  validation: Validation,
  expression: AdmissionExpression | undefined,
  context: AdmissionContext,
): string {
  const fallback = validation.message?.trim() || `failed expression: ${validation.expression.trim()}`;
  if (!expression) return fallback;
  try {
    const text = evaluateAdmission(expression, context);
    if (typeof text !== 'string' || text.length > longestMessage || text.trim().includes('\n')) return fallback;
    return text.trim() || fallback;
  } catch {
    return fallback;
  }
}

/** The parameters of a binding, `null` for a policy without; a text says why there are none. */
function paramsOf({ policy, binding }: Bound, { namespace }: AdmissionReview, parts: PolicyParts): unknown[] | string {
  const { paramKind } = policy.spec;
  const { paramRef } = binding.spec;
  if (!paramKind || !paramRef) return [null];
  const kind = parts.catalog().byKind(paramKind.apiVersion, paramKind.kind);
  if (!kind)
    return `failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`;
  const place = kind.namespaced ? paramRef.namespace || namespace : '';
  if (kind.namespaced && place === '')
    return 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  const all = parts.store.list(namespacePrefix(kind, place)).entries.map(({ value }) => value as KubeObject);
  const found = all.filter(({ metadata }) =>
    paramRef.name ? metadata.name === paramRef.name : selectsLabels(paramRef.selector ?? {}, metadata.labels),
  );
  if (found.length > 0) return found;
  return paramRef.parameterNotFoundAction === 'Allow'
    ? []
    : 'no params found for policy binding with `Deny` parameterNotFoundAction';
}

function warningOf({ policy, binding }: Bound, { message }: Denial): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}': ${message}`;
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function refusalOf({ policy, binding }: Bound, { kind, name }: AdmissionReview, { message, reason }: Denial): ApiError {
  const text = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${message}`;
  const { status } = forbidden(kind, name, text);
  const causes = [...(status.details?.causes ?? []), { message: text }];
  return new ApiError({
    ...status,
    reason,
    code: codes[reason] ?? 422,
    details: { ...status.details, causes },
  });
}

/**
 * The rules of schemas, `x-kubernetes-validations`, in CEL with the functions of Kubernetes. A rule sees the value of
 * its own schema and nothing else of the world, and cannot run for long.
 * Start with rules.ts, which evaluates them; rule.ts compiles one; library/ has the functions.
 */
export { celValue, compileAdmission, evaluateAdmission } from './admission.ts';
export type { AdmissionContext, AdmissionExpression, AdmissionNames } from './admission.ts';
export { authorizerOf } from './library/authorizer.ts';
export type { AskRight } from './library/authorizer.ts';
export { isCostError } from './budget.ts';
export { ruleErrors } from './crdrules.ts';
export { askRules, hasRules } from './rules.ts';

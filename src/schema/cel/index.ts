/**
 * The rules of schemas, `x-kubernetes-validations`, in CEL with the functions of Kubernetes.
 * A rule sees the value of its own schema and nothing else of the world, and cannot run for long.
 * Start with rules.ts, which asks them; rule.ts compiles one; library/ holds the functions.
 */
export { isCostError } from './budget.ts';
export { ruleErrors } from './crdrules.ts';
export { askRules, hasRules } from './rules.ts';

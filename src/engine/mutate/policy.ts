import { policyFamilies } from '../../api/index.ts';
import type { Scope } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import type { MutationFacts } from './facts.ts';
import { every, update, withFinalizer, withLabel } from './update.ts';

const spec = (...names: readonly string[]): readonly string[] => ['spec', ...names];
const graceSeconds = 600;

/** PropagationPolicy and ClusterPropagationPolicy. */
export function mutatePolicy<T>(scope: Scope, policy: T, facts: MutationFacts): T {
  let result = scope === 'namespace' ? fillNamespaces(policy, facts.namespace) : policy;
  result = update(result, spec(), withDependencies);
  result = update(result, spec('placement', 'spreadConstraints', every), fillConstraint);
  result = update(result, spec('placement', 'replicaScheduling'), fillPreference);
  result = update(result, spec('failover', 'application'), fillGrace);
  return identified(scope, result, facts);
}

/** A namespaced policy selects in its own namespace. */
export function fillNamespaces<T>(policy: T, namespace: string | undefined): T {
  if (!namespace) return policy;
  return update(policy, spec('resourceSelectors', every), (selector) =>
    isObject(selector) && isEmpty(selector['namespace']) ? { ...selector, namespace } : selector,
  );
}

/** The dependencies of a ServiceImport must be placed with it. */
function withDependencies(part: unknown): unknown {
  if (!isObject(part) || !Array.isArray(part['resourceSelectors']) || part['propagateDeps'] === true) return part;
  return part['resourceSelectors'].some(isServiceImport) ? { ...part, propagateDeps: true } : part;
}

function isServiceImport(selector: unknown): boolean {
  if (!isObject(selector)) return false;
  return selector['apiVersion'] === 'multicluster.x-k8s.io/v1alpha1' && selector['kind'] === 'ServiceImport';
}

function fillConstraint(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { spreadByField, spreadByLabel, minGroups } = part;
  const unnamed = isEmpty(spreadByField) && isEmpty(spreadByLabel);
  const unbounded = isEmpty(minGroups) || minGroups === 0;
  if (!unnamed && !unbounded) return part;
  return { ...part, ...(unnamed ? { spreadByField: 'cluster' } : {}), ...(unbounded ? { minGroups: 1 } : {}) };
}

function fillPreference(part: unknown): unknown {
  if (!isObject(part) || part['replicaSchedulingType'] !== 'Divided') return part;
  return isEmpty(part['replicaDivisionPreference']) ? { ...part, replicaDivisionPreference: 'Weighted' } : part;
}

function fillGrace(part: unknown): unknown {
  if (!isObject(part) || part['purgeMode'] !== 'Gracefully' || !isEmpty(part['gracePeriodSeconds'])) return part;
  return { ...part, gracePeriodSeconds: graceSeconds };
}

/**
 * A policy gets its id when it is created, whatever its author wrote. A later write that leaves id or
 * finalizer out (`kubectl replace`) keeps the stored ones: claims are found by the id, and released
 * because of the finalizer. One that got past admission has none, and gets it with the next write.
 */
function identified<T>(scope: Scope, policy: T, facts: MutationFacts): T {
  const { idLabel, finalizer } = policyFamilies[scope];
  if (facts.operation === 'CREATE')
    return withFinalizer(
      withLabel(policy, idLabel, () => facts.uuid),
      finalizer,
    );
  if (facts.old === undefined) return policy;
  let stored = '';
  withLabel(facts.old, idLabel, (current) => (stored = current));
  return withFinalizer(
    withLabel(policy, idLabel, (current) => current || stored || facts.uuid),
    finalizer,
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

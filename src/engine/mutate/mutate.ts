import { applyDefaults, bindingFamilies, crdSchemaOf, workIdLabel } from '../../api/index.ts';
import type { Scope } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { mutateFederatedHpa } from './autoscaling.ts';
import { mutateCluster } from './cluster.ts';
import type { MutationFacts } from './facts.ts';
import { fillNamespaces, mutatePolicy } from './policy.ts';
import { withLabel } from './update.ts';

type Mutation = (object: unknown, facts: MutationFacts) => unknown;

const serviceIdLabel = 'multiclusterservice.karmada.io/permanent-id';

const mutationsByKind: ReadonlyMap<string, Mutation> = new Map<string, Mutation>([
  ['PropagationPolicy', (policy, facts) => mutatePolicy('namespace', policy, facts)],
  ['ClusterPropagationPolicy', (policy, facts) => mutatePolicy('cluster', policy, facts)],
  ['RolloutPolicy', (policy, { namespace }) => fillNamespaces(policy, namespace)],
  ['OverridePolicy', (policy, { namespace }) => fillNamespaces(policy, namespace)],
  ['ResourceBinding', (binding, facts) => mutateBinding('namespace', binding, facts)],
  ['ClusterResourceBinding', (binding, facts) => mutateBinding('cluster', binding, facts)],
  ['Work', (work, { uuid }) => withLabel(work, workIdLabel, (current) => current || uuid)],
  ['Cluster', mutateCluster],
  ['FederatedHPA', mutateFederatedHpa],
  ['MultiClusterService', (service, { uuid }) => withLabel(service, serviceIdLabel, (current) => current || uuid)],
]);

function mutateBinding<T>(scope: Scope, binding: T, { operation, uuid }: MutationFacts): T {
  if (operation === 'UPDATE') return binding;
  return withLabel(binding, bindingFamilies[scope].idLabel, (current) => current || uuid);
}

/**
 * Fills in what the author of an object of ours may leave out: the defaults of its schema, then ids,
 * finalizers and the defaults that depend on other fields. Takes any JSON, never throws, is idempotent, and
 * returns the very object when nothing changes.
 */
export function mutate<T>(object: T, facts: MutationFacts): T {
  if (!isObject(object)) return object;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const kind = textOr(object['kind'], '');
  const schema = crdSchemaOf(textOr(object['apiVersion'], ''), kind);
  if (!schema || isLeaving(metadata)) return object;
  const whole = applyDefaults(object, schema);
  const namespace = facts.namespace || textOr(metadata['namespace'], '');
  return (mutationsByKind.get(kind)?.(whole, { ...facts, namespace }) ?? whole) as T;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** An object that is being deleted is let go as it is: a changed spec would be validated again. */
function isLeaving(metadata: Readonly<Record<string, unknown>>): boolean {
  return metadata['deletionTimestamp'] !== undefined && metadata['deletionTimestamp'] !== null;
}

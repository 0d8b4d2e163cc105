import {
  crdSchemaOf,
  deletionProtectedLabel,
  isOwnGroup,
  memberOfNamespace,
  shapeErrors,
  systemLabel,
} from '../../api/index.ts';
import type { FieldError, MemberAccess, Schema, Settings } from '../../api/index.ts';
import { equal, isObject } from '../../base/index.ts';
import { cronFaults } from './autoscaling.ts';
import { bindingFaults, workFaults } from './binding.ts';
import { clusterFaults } from './cluster.ts';
import { definitionFaults } from './definition.ts';
import { multiClusterIngressFaults } from './ingress.ts';
import { customizationFaults, webhooksFaults } from './interpreter.ts';
import { multiClusterServiceFaults, rebalancerFaults } from './networking.ts';
import { overrideFaults } from './override.ts';
import { at, entryOf, isSet, root, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { policyFaults, rolloutFaults } from './propagation.ts';
import { quotaFaults } from './quota.ts';
import { taintPolicyFaults } from './taint.ts';

/** Facts that rules need beyond the object itself. */
export interface ValidationFacts {
  /** The settings of the hub; the defaults unless told. */
  readonly settings?: Partial<Settings>;
  /** The stored ResourceInterpreterCustomizations. */
  readonly customizations?: readonly unknown[];
  /** How members may be reached; strictly unless told. */
  readonly memberAccess?: MemberAccess;
}

type Rules = (object: Place, old: Place | undefined, facts: ValidationFacts) => Faults;

const rulesByKind: ReadonlyMap<string, Rules> = new Map<string, Rules>([
  ['PropagationPolicy', (policy, old) => policyFaults('namespace', policy, old)],
  ['ClusterPropagationPolicy', (policy, old) => policyFaults('cluster', policy, old)],
  ['RolloutPolicy', (policy) => rolloutFaults('namespace', policy)],
  ['ClusterRolloutPolicy', (policy) => rolloutFaults('cluster', policy)],
  ['OverridePolicy', (policy) => overrideFaults('namespace', policy)],
  ['ClusterOverridePolicy', (policy) => overrideFaults('cluster', policy)],
  [
    'ClusterTaintPolicy',
    (policy, _, facts) => taintPolicyFaults(policy, facts.settings?.allowNoExecuteTaintPolicies === true),
  ],
  ['FederatedResourceQuota', quotaFaults],
  ['ResourceBinding', bindingFaults],
  ['ClusterResourceBinding', bindingFaults],
  ['Work', workFaults],
  ['Cluster', (cluster, old, facts) => clusterFaults(cluster, old, facts.memberAccess)],
  ['ResourceInterpreterCustomization', (one, _, facts) => customizationFaults(one, facts.customizations ?? [])],
  ['ResourceInterpreterWebhookConfiguration', webhooksFaults],
  ['WorkloadRebalancer', rebalancerFaults],
  ['CronFederatedHPA', cronFaults],
  ['MultiClusterService', multiClusterServiceFaults],
  ['MultiClusterIngress', multiClusterIngressFaults],
]);

/**
 * Everything that is wrong with an object of ours, by its schema and by the rules that no schema can say.
 * Takes any JSON and never throws; an object of a kind that is not ours has no faults. `old` is what is stored.
 */
export function validate(object: unknown, old?: unknown, facts: ValidationFacts = {}): readonly FieldError[] {
  const schema = schemaOf(object);
  if (isDefinition(object)) return old === undefined ? [] : [...definitionFaults(object)];
  if (!schema || isLeaving(object, old)) return [];
  return [...shapeErrors(object, schema), ...rulesOf(object, old, facts)];
}

/** As `validate`, for servers that have checked the schema already. */
export function validateRules(object: unknown, old?: unknown, facts: ValidationFacts = {}): readonly FieldError[] {
  if (isDefinition(object)) return old === undefined ? [] : [...definitionFaults(object)];
  if (!schemaOf(object) || isLeaving(object, old)) return [];
  return [...rulesOf(object, old, facts)];
}

function isDefinition(object: unknown): boolean {
  return textOf(at(root(object), 'kind')) === 'CustomResourceDefinition';
}

function rulesOf(object: unknown, old: unknown, facts: ValidationFacts): Faults {
  const rules = rulesByKind.get(textOf(at(root(object), 'kind')));
  return rules?.(root(object), isObject(old) ? root(old) : undefined, facts) ?? [];
}

function schemaOf(object: unknown): Schema | undefined {
  return crdSchemaOf(textOf(at(root(object), 'apiVersion')), textOf(at(root(object), 'kind')));
}

/**
 * True for a write that removes finalizers from an object that is being deleted. Rules may have become stricter since
 * it was stored: refusing to remove its finalizer would make it undeletable.
 */
function isLeaving(object: unknown, old: unknown): boolean {
  if (!isObject(object) || !isObject(old)) return false;
  if (!isSet(at(root(object), 'metadata', 'deletionTimestamp'))) return false;
  return equal({ ...object, metadata: undefined }, { ...old, metadata: undefined });
}

/** Why an object may not be deleted; undefined when it may. Controllers see to it themselves that a cluster leaves cleanly. */
export function validateDelete(object: unknown, by: 'person' | 'controller' = 'person'): string | undefined {
  const label = entryOf(at(root(object), 'metadata', 'labels'), deletionProtectedLabel);
  if (textOf(label) === 'Always') {
    return `This resource is protected: to delete it, remove the label ${deletionProtectedLabel} first`;
  }
  return by === 'person' ? (executionSpaceFault(object) ?? definitionFault(object)) : undefined;
}

/** With a definition of ours all objects of the kind would go, and with them everything that they placed. */
function definitionFault(object: unknown): string | undefined {
  if (!isDefinition(object)) return undefined;
  const group = textOf(at(root(object), 'spec', 'group'));
  if (!isOwnGroup(group)) return undefined;
  const kind = textOf(at(root(object), 'spec', 'names', 'kind'));
  return `The control plane needs this definition: with it, every ${kind} and everything that it placed in members would be deleted. To remove objects, delete them one by one; to remove a cluster, delete the Cluster`;
}

/** With the namespace of its Works everything would go that a cluster was ever given, and would be created again. */
function executionSpaceFault(object: unknown): string | undefined {
  if (textOf(at(root(object), 'kind')) !== 'Namespace') return undefined;
  const cluster = memberOfNamespace(textOf(at(root(object), 'metadata', 'name')));
  const label = entryOf(at(root(object), 'metadata', 'labels'), systemLabel);
  if (cluster === undefined || textOf(label) !== 'true') return undefined;
  return `It contains the Works of cluster ${cluster}: deleting it would delete everything that they placed in the member. To remove the member, delete the Cluster; if there is none, remove the label ${systemLabel} first`;
}

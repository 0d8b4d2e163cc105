import type { Binding, GracefulEvictionTask, PurgeMode, StatePreservation } from '../../api/index.ts';
import { evaluate, parseTemplate, TemplateError, valuesAt } from '../../base/index.ts';
import type { EvictionFacts } from './facts.ts';
import type { Eviction } from './taints.ts';

const producers = {
  ResourceBinding: 'resource-binding-application-failover-controller',
  ClusterResourceBinding: 'cluster-resource-binding-application-failover-controller',
} as const;

/** The task of an eviction, as the policy of the binding says; a text when the state to preserve cannot be read. */
export function newTask(facts: EvictionFacts, eviction: Eviction): GracefulEvictionTask | string {
  const { binding, now } = facts;
  const { target, cause } = eviction;
  const state = preservedState(facts, eviction);
  if (typeof state === 'string') return state;
  const { purgeMode, gracePeriodSeconds } = modeOf(facts, cause);
  return {
    fromCluster: target.name,
    purgeMode,
    ...(target.replicas && { replicas: target.replicas }),
    ...(cause === 'taint'
      ? { reason: 'TaintUntolerated', producer: 'TaintManager' }
      : { reason: 'ApplicationFailure', producer: producers[binding.kind] }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(purgeMode === 'Never' && { suppressDeletion: true }),
    ...(state && { preservedLabelState: state }),
    clustersBeforeFailover: binding.spec.clusters?.map(({ name }) => name) ?? [],
    creationTimestamp: now,
  };
}

function modeOf(
  { binding, settings }: EvictionFacts,
  cause: Eviction['cause'],
): { readonly purgeMode: PurgeMode; readonly gracePeriodSeconds?: number } {
  const { application, cluster } = binding.spec.failover ?? {};
  if (cause === 'taint') return { purgeMode: cluster ? (cluster.purgeMode ?? 'Gracefully') : settings.taintPurgeMode };
  const { purgeMode = 'Gracefully', gracePeriodSeconds } = application ?? {};
  const isGraceful = purgeMode === 'Gracefully' || purgeMode === 'Graciously';
  return { purgeMode, ...(isGraceful && gracePeriodSeconds !== undefined && { gracePeriodSeconds }) };
}

/** The labels that carry the state of the workload in the cluster that it leaves; undefined when none is to be kept. */
function preservedState(
  { binding, gates }: EvictionFacts,
  { target, cause }: Eviction,
): Readonly<Record<string, string>> | string | undefined {
  const rules = rulesOf(binding, cause);
  if (!gates.StatefulFailoverInjection || rules.length === 0) return undefined;
  const item = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === target.name);
  if (item?.status === undefined) return `${target.name} has reported no status yet`;
  const state: Record<string, string> = {};
  for (const { aliasLabelName, jsonPath } of rules) {
    const value = valueAt(jsonPath, item.status);
    if (value === undefined) return `${jsonPath} finds nothing in the status that ${target.name} reports`;
    state[aliasLabelName] = value;
  }
  return state;
}

function rulesOf({ spec }: Binding, cause: Eviction['cause']): StatePreservation['rules'] {
  const behaviour = cause === 'taint' ? spec.failover?.cluster : spec.failover?.application;
  return behaviour?.statePreservation?.rules ?? [];
}

/** Undefined when a path finds nothing: the state would be lost. */
function valueAt(jsonPath: string, status: unknown): string | undefined {
  try {
    const template = parseTemplate(jsonPath);
    const isMissing = template.some((part) => part.is === 'path' && valuesAt(part.path, status).length === 0);
    return isMissing ? undefined : evaluate(template, status);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

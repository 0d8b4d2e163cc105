import { templateGenerationAnnotation } from '../../../api/index.ts';
import type { AggregatedStatusItem, KubeObject } from '../../../api/index.ts';
import { at, isObject } from '../../../base/index.ts';
import { numberOf, pick, reportedBy, statusOf, sums } from './kind.ts';
import type { Fields, StatusKind } from './kind.ts';

function observed(object: KubeObject, status: Fields): boolean {
  return numberOf(status['observedGeneration']) === (object.metadata.generation ?? 0);
}

/**
 * Every replica is new and available. Old replicas count as available, so as long as there are any, the available ones
 * may all be old and the new ones may crash.
 */
function rolledOut(object: KubeObject, status: Fields): boolean {
  const updated = numberOf(status['updatedReplicas']);
  const wanted = numberOf(at(object, ['spec', 'replicas']) ?? 1);
  const onlyNew = numberOf(status['replicas']) <= updated;
  return observed(object, status) && updated >= wanted && onlyNew && numberOf(status['availableReplicas']) >= updated;
}

/** Only Pods from the partition on are to be updated, but all must be there: so `kubectl rollout status` sees it, too. */
function rolledOutInPart(object: KubeObject, status: Fields): boolean {
  const wanted = numberOf(at(object, ['spec', 'replicas']) ?? 1);
  const partition = numberOf(at(object, ['spec', 'updateStrategy', 'rollingUpdate', 'partition']));
  const updated = updatesOnDelete(object) || numberOf(status['updatedReplicas']) >= wanted - partition;
  return available(object, status) && updated;
}

/** Pods are updated when somebody deletes them, so old ones are as wanted. */
function updatesOnDelete(object: KubeObject): boolean {
  return at(object, ['spec', 'updateStrategy', 'type']) === 'OnDelete';
}

function available(object: KubeObject, status: Fields): boolean {
  const wanted = numberOf(at(object, ['spec', 'replicas']) ?? 1);
  return observed(object, status) && numberOf(status['availableReplicas']) >= wanted;
}

function onItsNodes(object: KubeObject, status: Fields): boolean {
  const wanted = numberOf(status['desiredNumberScheduled']);
  const updated = updatesOnDelete(object) ? wanted : numberOf(status['updatedNumberScheduled']);
  return observed(object, status) && updated >= wanted && numberOf(status['numberAvailable']) >= updated;
}

/** A workload whose controller counts its Pods, and says up to which generation it has done its work. */
function counted(counters: readonly string[], healthy: NonNullable<StatusKind['healthy']>): StatusKind {
  return {
    reflect: (object, status) => withGenerations(object, pick(status, [...counters, 'observedGeneration'])),
    healthy,
    aggregate: (template, items) => withObserved(template, items, sums(items, counters)),
  };
}

function withGenerations(object: KubeObject, reflected: Record<string, unknown>): unknown {
  if (Object.keys(reflected).length === 0) return undefined;
  const ofTemplate = Number(object.metadata.annotations?.[templateGenerationAnnotation]);
  return {
    ...reflected,
    ...(object.metadata.generation !== undefined && { generation: object.metadata.generation }),
    ...(ofTemplate > 0 && { resourceTemplateGeneration: ofTemplate }),
  };
}

function withObserved(template: KubeObject, items: readonly AggregatedStatusItem[], total: Fields): unknown {
  const observedGeneration = template.metadata.generation ?? 0;
  const all = items.length > 0 && items.every((item) => caughtUp(item, observedGeneration));
  return { ...statusOf(template), ...total, ...(all && { observedGeneration }) };
}

/** The member has seen its own newest spec, and that spec came from the template's newest. */
function caughtUp(item: AggregatedStatusItem, generation: number): boolean {
  const status = reportedBy(item);
  const seen = numberOf(status['observedGeneration']) >= numberOf(status['generation']);
  return item.status !== undefined && seen && numberOf(status['resourceTemplateGeneration']) >= generation;
}

const budgetCounters = ['disruptionsAllowed', 'expectedPods', 'desiredHealthy', 'currentHealthy'];

/** Pods of members may have one name, so their keys say where they are. */
function disruptedPods(items: readonly AggregatedStatusItem[]): object {
  const pods: Record<string, unknown> = {};
  for (const item of items) {
    const disrupted = reportedBy(item)['disruptedPods'];
    if (!isObject(disrupted)) continue;
    for (const name in disrupted) pods[`${item.clusterName}/${name}`] = disrupted[name];
  }
  return Object.keys(pods).length > 0 ? { disruptedPods: pods } : {};
}

const budget: StatusKind = {
  reflect: (_, status) => pick(status, [...budgetCounters, 'disruptedPods']),
  healthy: (_, status) => numberOf(status['currentHealthy']) >= numberOf(status['desiredHealthy']),
  aggregate(template, items) {
    const { disruptedPods: _, ...present } = statusOf(template) ?? {};
    return { ...present, ...sums(items, budgetCounters), ...disruptedPods(items) };
  },
};

const scalerCounters = ['currentReplicas', 'desiredReplicas'];

const scaler: StatusKind = {
  reflect: (_, status) => pick(status, scalerCounters),
  aggregate: (template, items) => ({ ...statusOf(template), ...sums(items, scalerCounters) }),
};

/** Kinds whose statuses are counters that add up over members. */
export const counters: Readonly<Record<string, StatusKind>> = {
  'apps/v1|Deployment': counted(
    ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'],
    rolledOut,
  ),
  'apps/v1|ReplicaSet': counted(['replicas', 'readyReplicas', 'availableReplicas'], available),
  'apps/v1|StatefulSet': counted(
    ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'currentReplicas'],
    rolledOutInPart,
  ),
  'apps/v1|DaemonSet': counted(
    [
      'currentNumberScheduled',
      'desiredNumberScheduled',
      'numberAvailable',
      'numberMisscheduled',
      'numberReady',
      'updatedNumberScheduled',
      'numberUnavailable',
    ],
    onItsNodes,
  ),
  'policy/v1|PodDisruptionBudget': budget,
  'autoscaling/v2|HorizontalPodAutoscaler': scaler,
};

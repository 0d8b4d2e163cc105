import type { Behaviour } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { controllerOf } from '../cluster/family.ts';
import { kinds } from '../cluster/kinds.ts';
import { conditionOf, isGoing, isOver, isReady } from '../cluster/objects.ts';
import type { Budget, Pod, ReplicaSet, StatefulSet } from '../cluster/objects.ts';
import { Selectors } from '../cluster/selections.ts';
import { resolved } from './rollout.ts';

/** Counts for a disruption budget how many of its pods may go. */
export function budgetsOf(): Behaviour<Budget> {
  const selectors = new Selectors('policy/poddisruptionbudgets', (budget) => (budget as Budget).spec?.selector);
  return {
    name: 'budgets',
    kind: kinds.budgets,
    observers: [selectors],
    wakes: { '/pods': (_cluster, change) => selectors.of(change) },
    async look(cluster, budget) {
      if (isGoing(budget)) return undefined;
      const pods = podsOf(cluster, budget);
      const counts = countsOf(budget, { expected: expectedOf(cluster, pods), healthy: pods.filter(isReady).length });
      await cluster.writeStatus(budget, statusOf(budget, counts, cluster.stamp()));
      return undefined;
    },
  };
}

function podsOf(cluster: Cluster, { spec, metadata }: Budget): readonly Pod[] {
  const selector = spec?.selector;
  if (!selector) return [];
  return cluster.podsOf(metadata.namespace, selector).filter((pod) => !isOver(pod) && !isGoing(pod));
}

/** The number of pods that their controllers want; a pod without a controller counts for itself. */
function expectedOf(cluster: Cluster, pods: readonly Pod[]): number {
  const wanted = new Map<string | undefined, number>();
  for (const pod of pods) {
    const owner = ownerOf(cluster, pod);
    wanted.set((owner ?? pod).metadata.uid, owner ? (owner.spec.replicas ?? 1) : 1);
  }
  return [...wanted.values()].reduce((sum, count) => sum + count, 0);
}

function ownerOf(cluster: Cluster, pod: Pod): ReplicaSet | StatefulSet | undefined {
  const { kind = '', name = '' } = controllerOf(pod) ?? {};
  if (kind === kinds.replicaSets.kind) return cluster.get(kinds.replicaSets, pod.metadata.namespace, name);
  return kind === kinds.statefulSets.kind ? cluster.get(kinds.statefulSets, pod.metadata.namespace, name) : undefined;
}

interface BudgetCounts {
  readonly expectedPods: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptionsAllowed: number;
}

/** How many pods must stay, and how many may go. */
export function countsOf(
  { spec }: Pick<Budget, 'spec'>,
  { expected, healthy }: { readonly expected: number; readonly healthy: number },
): BudgetCounts {
  const { minAvailable, maxUnavailable } = spec ?? {};
  const desired =
    maxUnavailable === undefined
      ? resolved(minAvailable ?? 1, expected, Math.ceil)
      : Math.max(0, expected - resolved(maxUnavailable, expected, Math.ceil));
  return {
    expectedPods: expected,
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: expected > 0 ? Math.max(0, healthy - desired) : 0,
  };
}

function statusOf({ metadata, status }: Budget, counts: BudgetCounts, now: string): object {
  const allowed = counts.disruptionsAllowed > 0;
  const state = allowed ? 'True' : 'False';
  const before = conditionOf(status?.conditions, 'DisruptionAllowed');
  const condition = {
    type: 'DisruptionAllowed',
    status: state,
    reason: allowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: metadata.generation,
    lastTransitionTime: before?.status === state ? before.lastTransitionTime : now,
  };
  return { ...counts, observedGeneration: metadata.generation, conditions: [condition] };
}

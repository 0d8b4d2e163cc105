import type { StoredChange } from '../../apiserver/index.ts';
import { isObject, Multimap } from '../../base/index.ts';
import { quantity } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import type { Behaviour, Observer } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import type { Kind } from '../cluster/kinds.ts';
import { conditionOf, isGoing } from '../cluster/objects.ts';
import type { Autoscaler, Metric, StatusCondition } from '../cluster/objects.ts';

/**
 * On the target of an autoscaler, followed by the name of a metric: the load on all pods together, in the unit of the
 * metric's target; for utilization in percent of what one pod requests. 400 keeps five pods at 80 %.
 */
export const loadAnnotation = 'sim.sluice.dev/load-';

type Target = KubeObject & { readonly spec: { readonly replicas?: number } };

const scalable: readonly Kind[] = [kinds.deployments, kinds.replicaSets, kinds.statefulSets];

/** Autoscalers by their target. */
class Targets implements Observer {
  readonly #autoscalers = new Multimap<string>();

  clear(): void {
    this.#autoscalers.clear();
  }

  learn(resource: string, { key, before, after }: StoredChange): void {
    if (resource !== 'autoscaling/horizontalpodautoscalers') return;
    if (before) this.#autoscalers.delete(targetKeyOf(before as Autoscaler), key);
    if (after) this.#autoscalers.add(targetKeyOf(after as Autoscaler), key);
  }

  of({ before, after }: StoredChange): Iterable<string> {
    const target = after ?? before;
    return target ? this.#autoscalers.of(keyOf(target.metadata.namespace, target.kind, target.metadata.name)) : [];
  }
}

const keyOf = (namespace = '', kind: string, name: string): string => `${namespace}/${kind}/${name}`;

function targetKeyOf({ metadata, spec }: Autoscaler): string {
  return keyOf(metadata.namespace, spec.scaleTargetRef.kind, spec.scaleTargetRef.name);
}

/** Scales targets by the load that annotations state. */
export function autoscalersOf(): Behaviour<Autoscaler> {
  const targets = new Targets();
  const wake = (_cluster: Cluster, change: StoredChange): Iterable<string> => targets.of(change);
  return {
    name: 'autoscalers',
    kind: kinds.autoscalers,
    observers: [targets],
    wakes: Object.fromEntries(scalable.map((kind) => [`${kind.group}/${kind.plural}`, wake])),
    async look(cluster, autoscaler) {
      if (isGoing(autoscaler)) return undefined;
      const target = targetOf(cluster, autoscaler);
      const outcome = decide(autoscaler, target);
      if (target && outcome.desired !== outcome.current) await cluster.scale(target, outcome.desired);
      await cluster.writeStatus(autoscaler, statusOf(autoscaler, outcome, cluster.stamp()));
      return undefined;
    },
  };
}

function targetOf(cluster: Cluster, { metadata, spec }: Autoscaler): Target | undefined {
  const kind = scalable.find((one) => one.kind === spec.scaleTargetRef.kind);
  return kind && (cluster.get(kind, metadata.namespace, spec.scaleTargetRef.name) as Target | undefined);
}

/** The findings of an autoscaler. */
export interface Outcome {
  readonly current: number;
  readonly desired: number;
  readonly metrics: readonly object[];
  /** Why nothing can be said; undefined when something can. */
  readonly blind?: string;
  /** The load asked for more, or less, than the limits allow. */
  readonly limited?: 'TooManyReplicas' | 'TooFewReplicas';
}

/** How many replicas a target needs for the load that it carries. */
export function decide({ spec }: Autoscaler, target: Target | undefined): Outcome {
  if (!target) return { current: 0, desired: 0, metrics: [], blind: `there is no ${spec.scaleTargetRef.kind}` };
  const current = target.spec.replicas ?? 1;
  if (current === 0)
    return { current, desired: 0, metrics: [], blind: 'scaling is disabled: the target has 0 replicas' };
  const read = (spec.metrics ?? []).flatMap((metric) => readingOf(metric, target, current) ?? []);
  if (read.length === 0) {
    const blind = `no metric is known: annotate the target with ${loadAnnotation}NAME`;
    return { current, desired: clamped(current, spec).desired, metrics: [], blind };
  }
  const wanted = Math.max(...read.map(({ replicas }) => replicas));
  return { current, metrics: read.map(({ metric }) => metric), ...clamped(wanted, spec) };
}

function clamped(
  wanted: number,
  { minReplicas = 1, maxReplicas }: Autoscaler['spec'],
): Pick<Outcome, 'desired' | 'limited'> {
  if (wanted > maxReplicas) return { desired: maxReplicas, limited: 'TooManyReplicas' };
  if (wanted < minReplicas) return { desired: minReplicas, limited: 'TooFewReplicas' };
  return { desired: wanted };
}

interface MetricReading {
  readonly replicas: number;
  readonly metric: object;
}

const partOf = (whole: unknown, name: string): Record<string, unknown> => {
  const part = isObject(whole) ? whole[name] : undefined;
  return isObject(part) ? part : {};
};

function readingOf(metric: Metric, target: Target, current: number): MetricReading | undefined {
  const source = metric.type.charAt(0).toLowerCase() + metric.type.slice(1);
  const body = partOf(metric, source);
  const name = (body['name'] ?? partOf(body, 'metric')['name'] ?? '') as string;
  const load = quantity(target.metadata.annotations?.[loadAnnotation + name] ?? '');
  const goal = partOf(body, 'target');
  const per = quantity(goal['averageUtilization'] ?? goal['averageValue'] ?? goal['value'] ?? '');
  if (load === undefined || !per) return undefined;
  const { target: _, ...rest } = body;
  return {
    replicas: Math.ceil(load / per),
    metric: { type: metric.type, [source]: { ...rest, current: currentOf(goal, load, current) } },
  };
}

function currentOf(goal: Record<string, unknown>, load: number, replicas: number): object {
  const average = Math.round((load / replicas) * 1000);
  if (goal['averageUtilization'] !== undefined)
    return { averageUtilization: Math.round(load / replicas), averageValue: `${average}m` };
  return goal['averageValue'] === undefined ? { value: String(load) } : { averageValue: `${average}m` };
}

/** Type, status, reason and message. */
type ConditionWords = readonly [type: string, status: string, reason: string, message: string];

function wordsOf({ current, desired, blind, limited }: Outcome): readonly ConditionWords[] {
  const size: ConditionWords =
    current === desired
      ? ['AbleToScale', 'True', 'ReadyForNewScale', 'recommended size matches current size']
      : ['AbleToScale', 'True', 'SucceededRescale', `the target scale was updated to ${desired}`];
  const sight: ConditionWords = blind
    ? ['ScalingActive', 'False', 'FailedGetResourceMetric', blind]
    : ['ScalingActive', 'True', 'ValidMetricFound', 'the replica count was computed from the metrics'];
  const limit: ConditionWords = limited
    ? ['ScalingLimited', 'True', limited, `the desired replica count is beyond the limit of ${desired}`]
    : ['ScalingLimited', 'False', 'DesiredWithinRange', 'the desired count is within the acceptable range'];
  return [size, sight, limit];
}

function statusOf({ metadata, status }: Autoscaler, outcome: Outcome, now: string): object {
  const { current, desired, metrics } = outcome;
  const lastScaleTime = current === desired ? status?.lastScaleTime : now;
  const conditions = wordsOf(outcome).map(([type, state, reason, message]): StatusCondition => {
    const before = conditionOf(status?.conditions, type);
    const since = before?.status === state ? before.lastTransitionTime : undefined;
    return { type, status: state, lastTransitionTime: since ?? now, reason, message };
  });
  return {
    ...(metadata.generation && { observedGeneration: metadata.generation }),
    ...(lastScaleTime && { lastScaleTime }),
    currentReplicas: current,
    desiredReplicas: desired,
    ...(metrics.length > 0 && { currentMetrics: metrics }),
    conditions,
  };
}

import { templateGenerationAnnotation } from '../../api/index.ts';
import type { AggregatedStatusItem, Health, KubeObject } from '../../api/index.ts';
import { at, isObject } from '../../base/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the product knows about the status of a kind. */
interface StatusKind {
  /** The fields of a member's status that are reported to the hub. */
  readonly reflected: readonly string[];
  /** The counters that add up over members. */
  readonly summed: readonly string[];
  readonly healthy: (object: KubeObject, status: Fields) => boolean;
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

function observed(object: KubeObject, status: Fields): boolean {
  return number(status['observedGeneration']) === (object.metadata.generation ?? 0);
}

function rolledOut(object: KubeObject, status: Fields, wanted: unknown): boolean {
  const updated = number(status['updatedReplicas']);
  return observed(object, status) && updated >= number(wanted) && number(status['availableReplicas']) >= updated;
}

const byReplicas = (object: KubeObject, status: Fields): boolean =>
  rolledOut(object, status, at(object, ['spec', 'replicas']) ?? 1);

const deploymentCounters = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'];
const statefulSetCounters = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'currentReplicas'];
const daemonSetCounters = [
  'currentNumberScheduled',
  'desiredNumberScheduled',
  'numberAvailable',
  'numberMisscheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberUnavailable',
];

const kinds: Readonly<Record<string, StatusKind>> = {
  'apps/v1|Deployment': { reflected: deploymentCounters, summed: deploymentCounters, healthy: byReplicas },
  'apps/v1|StatefulSet': { reflected: statefulSetCounters, summed: statefulSetCounters, healthy: byReplicas },
  'apps/v1|DaemonSet': {
    reflected: daemonSetCounters,
    summed: daemonSetCounters,
    healthy: (object, status) =>
      observed(object, status) &&
      number(status['updatedNumberScheduled']) >= number(status['desiredNumberScheduled']) &&
      number(status['numberAvailable']) >= number(status['updatedNumberScheduled']),
  },
};

function statusKind(object: KubeObject): StatusKind | undefined {
  return kinds[`${object.apiVersion}|${object.kind}`];
}

function statusOf(object: KubeObject): Fields | undefined {
  const { status } = object as KubeObject & { readonly status?: unknown };
  return isObject(status) ? status : undefined;
}

/** What a member's object reports to the hub; undefined when it has no status yet. */
export function reflectStatus(present: KubeObject): unknown {
  const status = statusOf(present);
  const kind = statusKind(present);
  if (!status || !kind) return status;
  const reflected: Record<string, unknown> = {};
  for (const field of [...kind.reflected, 'observedGeneration'])
    if (status[field] !== undefined) reflected[field] = status[field];
  if (Object.keys(reflected).length === 0) return undefined;
  const generation = Number(present.metadata.annotations?.[templateGenerationAnnotation]);
  return {
    ...reflected,
    ...(present.metadata.generation !== undefined && { generation: present.metadata.generation }),
    ...(generation > 0 && { resourceTemplateGeneration: generation }),
  };
}

/** Is the object in the member well? Kinds of which nothing is known are healthy as soon as they exist. */
export function healthOf(present: KubeObject): Health {
  const kind = statusKind(present);
  if (!kind) return 'Healthy';
  return kind.healthy(present, statusOf(present) ?? {}) ? 'Healthy' : 'Unhealthy';
}

/** The template's status from those of the members; undefined for kinds that are not aggregated. */
export function aggregateStatus(template: KubeObject, items: readonly AggregatedStatusItem[]): unknown {
  const kind = statusKind(template);
  if (!kind) return undefined;
  const present = statusOf(template) ?? {};
  const total: Record<string, unknown> = { ...present };
  for (const field of kind.summed)
    total[field] = items.reduce((sum, item) => sum + number(at(item.status, [field])), 0);
  const generation = template.metadata.generation ?? 0;
  if (items.length > 0 && items.every((item) => caughtUp(item.status, generation)))
    total['observedGeneration'] = generation;
  return total;
}

/** The member has seen its own newest spec, and that spec came from the template's newest. */
function caughtUp(status: unknown, generation: number): boolean {
  if (!isObject(status)) return false;
  const seen = number(status['observedGeneration']) >= number(status['generation']);
  return seen && number(status['resourceTemplateGeneration']) >= generation;
}

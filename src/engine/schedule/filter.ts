import type { Binding, Cluster, ObjectReference, Placement, SpreadConstraint } from '../../api/index.ts';
import { isMove } from '../move/index.ts';
import type { Reason } from '../reasons.ts';
import { serves } from '../serving.ts';
import { fieldOf, tierOf } from './affinity.ts';
import type { AffinityGroup } from './affinity.ts';
import { dividesByCapacity } from './facts.ts';
import type { ScheduleFacts } from './facts.ts';
import { repellingTaint, taintText } from './taints.ts';

/** The reason why a cluster is not a candidate. */
export interface Exclusion {
  readonly because: Reason;
  readonly detail?: string;
  /** A cluster where the workload runs already is not refused for this: what runs may stay. */
  readonly waived: boolean;
}

/** The filters' verdict about every cluster, for all bindings of one kind of object and one placement. */
interface Screen {
  /** Clusters that pass every filter, by name. */
  readonly open: readonly Cluster[];
  readonly refused: ReadonlyMap<string, Exclusion>;
  /** Clusters that pass for those who are there already. */
  readonly waivable: ReadonlyMap<string, Cluster>;
}

type Screens = Map<string, Screen>;
const memory = new WeakMap<readonly Cluster[], WeakMap<AffinityGroup, WeakMap<Placement, Screens>>>();

/**
 * The clusters that the workload of a binding may be placed on, by name. All that does not depend on the binding itself
 * is computed once per fleet, placement and kind: the same array comes back for every binding with nothing special.
 */
export function candidatesOf(facts: ScheduleFacts, group: AffinityGroup): readonly Cluster[] {
  const { binding } = facts;
  const { open, waivable } = screenOf(facts, group);
  const staying = waivable.size > 0 ? stayingOn(binding, waivable) : [];
  const evicting = binding.spec.gracefulEvictionTasks?.filter((task) => !isMove(task));
  if (staying.length === 0 && !evicting?.length && !facts.neighbours) return open;
  const leaving = new Set(evicting?.map((task) => task.fromCluster));
  const fits = ({ metadata: { name } }: Cluster): boolean => !leaving.has(name) && !refusedByGroup(facts, name);
  return [...open, ...staying].filter(fits).sort(byName);
}

/** Why the groups of a workload keep it out of a cluster; where it runs already it may stay. */
function refusedByGroup({ binding, neighbours }: ScheduleFacts, cluster: string): Exclusion | undefined {
  if (!neighbours || binding.spec.clusters?.some(({ name }) => name === cluster)) return undefined;
  const { affinityGroup, antiAffinityGroup } = binding.spec.workloadAffinityGroups ?? {};
  if (neighbours.apart.has(cluster)) return groupRefusal('WorkloadsApart', antiAffinityGroup);
  const isWithAll = neighbours.together.every((places) => places.has(cluster));
  return isWithAll ? undefined : groupRefusal('WorkloadsTogether', affinityGroup);
}

function groupRefusal(because: Reason, group: string | undefined): Exclusion {
  return { because, ...(group !== undefined && { detail: group }), waived: true };
}

function stayingOn({ spec }: Binding, waivable: ReadonlyMap<string, Cluster>): readonly Cluster[] {
  return (spec.clusters ?? []).flatMap(({ name }) => waivable.get(name) ?? []);
}

/** The reason why this cluster is not a candidate for this binding; undefined when it is one. */
export function refusalOf(facts: ScheduleFacts, group: AffinityGroup, cluster: string): Exclusion | undefined {
  const { spec } = facts.binding;
  const refusal = screenOf(facts, group).refused.get(cluster);
  const runsThere = spec.clusters?.some(({ name }) => name === cluster);
  if (refusal && !(refusal.waived && runsThere)) return refusal;
  const task = spec.gracefulEvictionTasks?.find((one) => one.fromCluster === cluster && !isMove(one));
  if (task) return { because: 'BeingEvicted', detail: task.reason, waived: false };
  return refusedByGroup(facts, cluster);
}

function screenOf({ clusters, binding: { spec }, failover = false }: ScheduleFacts, group: AffinityGroup): Screen {
  const { placement = {}, resource } = spec;
  const screens = screensFor(clusters, group, placement);
  const overflows = group.overflowAffinities !== undefined && dividesByCapacity(spec);
  const kind = `${resource.apiVersion}|${resource.kind}|${failover}|${overflows}`;
  let screen = screens.get(kind);
  if (!screen) screens.set(kind, (screen = screened(clusters, { placement, group, resource, failover, overflows })));
  return screen;
}

function screensFor(clusters: readonly Cluster[], group: AffinityGroup, placement: Placement): Screens {
  const byGroup = remembered(memory, clusters, () => new WeakMap<AffinityGroup, WeakMap<Placement, Screens>>());
  const byPlacement = remembered(byGroup, group, () => new WeakMap<Placement, Screens>());
  return remembered(byPlacement, placement, () => new Map());
}

function remembered<K extends WeakKey, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

interface Wish {
  readonly placement: Placement;
  readonly group: AffinityGroup;
  readonly resource: ObjectReference;
  readonly failover: boolean;
  readonly overflows: boolean;
}

function screened(clusters: readonly Cluster[], wish: Wish): Screen {
  const open: Cluster[] = [];
  const refused = new Map<string, Exclusion>();
  const waivable = new Map<string, Cluster>();
  for (const cluster of [...clusters].sort(byName)) {
    const refusal = filters.reduce<Exclusion | undefined>((found, filter) => found ?? filter(cluster, wish), undefined);
    if (!refusal) open.push(cluster);
    else refused.set(cluster.metadata.name, refusal);
    if (refusal?.waived) waivable.set(cluster.metadata.name, cluster);
  }
  return { open, refused, waivable };
}

function byName(a: Cluster, b: Cluster): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

type Filter = (cluster: Cluster, wish: Wish) => Exclusion | undefined;

/** In the order in which people ask; those that are waived come last, so that none hides one that is not. */
const filters: readonly Filter[] = [
  ({ metadata }) => (metadata.deletionTimestamp ? { because: 'ClusterDeleting', waived: false } : undefined),
  (cluster, { group, overflows }) =>
    tierOf(group, cluster, overflows) === undefined ? { because: 'AffinityDiffers', waived: false } : undefined,
  (cluster, { placement }) => lacksProperty(cluster, placement.spreadConstraints),
  // One that has not said anything yet gets nothing new.
  (cluster, { resource }) => {
    if (serves(cluster, resource)) return undefined;
    return { because: 'ApiMissing', detail: `${resource.apiVersion} ${resource.kind}`, waived: true };
  },
  (cluster, { placement, failover }) => {
    const taint = repellingTaint(cluster.spec.taints, placement.clusterTolerations, failover);
    return taint && { because: 'TaintUntolerated', detail: taintText(taint), waived: true };
  },
];

function lacksProperty(cluster: Cluster, constraints: readonly SpreadConstraint[] | undefined): Exclusion | undefined {
  for (const { spreadByField } of constraints ?? []) {
    if (!spreadByField || spreadByField === 'cluster' || fieldOf(cluster, spreadByField).length > 0) continue;
    return { because: 'PropertyMissing', detail: spreadByField, waived: false };
  }
  return undefined;
}

import { clusterFinalizer, executionNamespace, keyOf, refOf, systemLabel } from '../../api/index.ts';
import type { Binding, Cluster, ClusterTaintPolicy, KubeObject, Taint, View } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { conditionStatus, withCondition } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { bindingsKey, memberWorksKey } from '../match/index.ts';
import { reasons } from '../reasons.ts';
import { isKindGoing } from '../sight.ts';
import { failuresOf, outageCondition, outageText } from './outage.ts';
import { accessWrites } from './agent-access.ts';
import { taintPoliciesOf, taintsByPolicies } from './taint-policies.ts';

/** All that the place of a member in the fleet depends on. */
export interface ClusterFacts {
  readonly cluster: Cluster;
  /** The namespace of its Works. */
  readonly space: KubeObject | undefined;
  /** Works for it still exist. */
  readonly works: boolean;
  /** The Works of a leaving Pull member that are not being deleted yet. */
  readonly ownWorks: readonly KubeObject[];
  /** Writes that give the agent of a Pull member its rights. */
  readonly access: ReturnType<typeof accessWrites>;
  /** Some binding still names it. */
  readonly targeted: boolean;
  /** The definition of clusters itself is being deleted. */
  readonly isKindGoing: boolean;
  /** Policies that taint members by their conditions, the oldest first. */
  readonly taintPolicies: readonly ClusterTaintPolicy[];
  /** The outage that this member is part of, in words. */
  readonly outage: string | undefined;
  readonly now: string;
}

export type ClusterAction = Action<'prepare' | 'report' | 'grant' | 'taint' | 'clear' | 'finalize'>;

/** Gathers the facts; undefined when the Cluster is gone. */
export function gatherCluster(view: View, key: string): ClusterFacts | undefined {
  const cluster = view.get(key) as Cluster | undefined;
  if (!cluster) return undefined;
  const { name } = cluster.metadata;
  const space = view.get(keyOf({ apiVersion: 'v1', kind: 'Namespace', name: executionNamespace(name) }));
  const works = view.has(memberWorksKey(executionNamespace(name)));
  const isDeleting = cluster.metadata.deletionTimestamp !== undefined;
  return {
    cluster,
    space,
    works,
    ownWorks: isDeleting && cluster.spec.syncMode === 'Pull' ? worksLeftIn(view, name) : [],
    access: accessWrites(view, cluster),
    targeted: isTargeted(view, cluster),
    isKindGoing: isDeleting && isKindGoing(view, 'Cluster'),
    taintPolicies: isDeleting ? [] : taintPoliciesOf(view),
    outage: isDeleting ? undefined : outageOn(view, name),
    now: view.now,
  };
}

function worksLeftIn(view: View, member: string): readonly KubeObject[] {
  const found: KubeObject[] = [];
  view.each(memberWorksKey(executionNamespace(member)), (work) => {
    if (!work.metadata.deletionTimestamp) found.push(work);
  });
  return found;
}

function outageOn(view: View, name: string): string | undefined {
  const { outage } = failuresOf(view);
  return outage?.failed.includes(name) ? outageText(outage, view.settings) : undefined;
}

/** Only a leaving member is asked for: the look goes through every binding. */
function isTargeted(view: View, { metadata }: Cluster): boolean {
  if (!metadata.deletionTimestamp) return true;
  let found = false;
  view.each(bindingsKey, (binding) => {
    found ||= (binding as Binding).spec.clusters?.some(({ name }) => name === metadata.name) === true;
  });
  return found;
}

/** What does a member need on the hub, and may a leaving one go? */
export function decideCluster(facts: ClusterFacts): Decision<ClusterAction> {
  if (facts.isKindGoing) return rest('KindGoing');
  return facts.cluster.metadata.deletionTimestamp ? leave(facts) : prepare(facts);
}

function prepare(facts: ClusterFacts): Decision<ClusterAction> {
  const { cluster, space, access, taintPolicies, now } = facts;
  const actions: ClusterAction[] = [];
  if (!space) actions.push({ do: 'prepare', write: { verb: 'create', object: spaceFor(cluster) } });
  for (const write of access) actions.push({ do: 'grant', write });
  const wanted = withTaints(withFinalizer(cluster), taintPolicies, now);
  if (wanted !== cluster) actions.push({ do: 'taint', write: { verb: 'update', object: wanted } });
  return actions.length ? act('ClusterPrepared', ...actions) : (reportOutage(facts) ?? rest('UpToDate'));
}

/** Says on each member that failed that evictions are paused, and later that they are not. */
function reportOutage({ cluster, outage, now }: ClusterFacts): Decision<ClusterAction> | undefined {
  const before = cluster.status?.conditions;
  if (outage === undefined && conditionStatus(before, outageCondition) !== 'True') return undefined;
  const because = outage === undefined ? 'OutageOver' : 'OutageBegan';
  const [status, message] =
    outage === undefined ? (['False', reasons.OutageOver] as const) : (['True', outage] as const);
  const conditions = withCondition(before, { type: outageCondition, status, reason: because, message }, now);
  if (conditions === before) return undefined;
  const object: Cluster = { ...cluster, status: { ...cluster.status, conditions } };
  return { ...act(because, { do: 'report', write: { verb: 'updateStatus', object } }), detail: message };
}

function spaceFor({ metadata }: Cluster): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: executionNamespace(metadata.name), labels: { [systemLabel]: 'true' } },
  };
}

function withFinalizer(cluster: Cluster): Cluster {
  const { finalizers = [] } = cluster.metadata;
  if (finalizers.includes(clusterFinalizer)) return cluster;
  return { ...cluster, metadata: { ...cluster.metadata, finalizers: [...finalizers, clusterFinalizer] } };
}

const notReady = 'cluster.karmada.io/not-ready';
const unreachable = 'cluster.karmada.io/unreachable';

/**
 * Taints follow the Ready condition, and what policies make of all conditions; a member that was never probed is not ready.
 * The taints of the Ready condition are not for policies to add or remove.
 */
function withTaints(cluster: Cluster, policies: readonly ClusterTaintPolicy[], now: string): Cluster {
  const wanted = taintFor(cluster);
  const others = taintsByPolicies(cluster, policies, now).filter((taint) => !isByCondition(taint));
  const present = cluster.spec.taints?.find((taint) => isByCondition(taint) && taint.key === wanted);
  const own = wanted ? [present ?? { key: wanted, effect: 'NoSchedule' as const, timeAdded: now }] : [];
  const taints = [...others, ...own];
  if (equal(taints, cluster.spec.taints ?? [])) return cluster;
  const { taints: _, ...spec } = cluster.spec;
  return { ...cluster, spec: taints.length ? { ...spec, taints } : spec };
}

function isByCondition({ key, effect }: Taint): boolean {
  return effect === 'NoSchedule' && (key === notReady || key === unreachable);
}

function taintFor({ status }: Cluster): string | undefined {
  const ready = conditionStatus(status?.conditions, 'Ready');
  if (ready === 'True') return undefined;
  return ready === 'Unknown' ? unreachable : notReady;
}

/** A leaving member goes when its Works are gone and no binding names it. */
function leave(facts: ClusterFacts): Decision<ClusterAction> {
  const { cluster, space, works, targeted } = facts;
  // The namespace of an agent's Works also has its rights: it is deleted after its Works.
  if (works && cluster.spec.syncMode === 'Pull') return clearWorks(facts);
  if (space && !space.metadata.deletionTimestamp) {
    const ref = { apiVersion: 'v1', kind: 'Namespace', name: space.metadata.name };
    return act('ClusterDeleting', { do: 'clear', write: { verb: 'delete', ref } });
  }
  const { finalizers } = cluster.metadata;
  if (space || works || targeted || !finalizers?.includes(clusterFinalizer)) return rest('ClusterDeleting');
  const kept = finalizers.filter((name) => name !== clusterFinalizer);
  const object = { ...cluster, metadata: { ...cluster.metadata, finalizers: kept } };
  return act('ClusterDeleting', { do: 'finalize', write: { verb: 'update', object } });
}

function clearWorks({ ownWorks }: ClusterFacts): Decision<ClusterAction> {
  const clear = ownWorks.map((work) => ({ do: 'clear', write: { verb: 'delete', ref: refOf(work) } }) as const);
  return clear.length > 0 ? act('ClusterDeleting', ...clear) : rest('ClusterDeleting');
}

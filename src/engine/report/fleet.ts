import { cordonTaint, keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import type { Cluster, KubeObject, Ref, Taint, Work } from '../../api/index.ts';
import { bindingOf, claimOf, isPropagated } from '../claim/index.ts';
import { isReady, removalsSuspension, unreadyWords } from '../dispatch/index.ts';
import type { RemovalsSuspension } from '../dispatch/index.ts';
import { failuresOf, isSpread, outageText } from '../fleet/index.ts';
import { obstacleOf } from '../plan/index.ts';
import type { World } from '../world/index.ts';
import { nothingHidden } from './hidden.ts';
import type { Hidden } from './hidden.ts';
import { reportOn } from './template.ts';
import type { TemplateReport, TemplateState } from './template.ts';

/** How many templates are in which state. */
export type StateTotals = Readonly<Record<TemplateState | 'templates', number>>;

/** A member in the status of the fleet. */
export interface MemberReport {
  readonly name: string;
  readonly ready: boolean;
  /** Nothing new is placed on it. */
  readonly cordoned: boolean;
  /** As `key=value:Effect`, without the one of the cordon. */
  readonly taints: readonly string[];
  readonly templates: number;
  readonly suspended: number;
  readonly unhealthy: number;
  readonly failing: number;
  readonly message?: string;
  /** When it became ready, or ceased to be. */
  readonly since?: string;
}

/** An object that is to be removed from a member, and is still there. */
export interface Removal {
  readonly template: Ref;
  readonly cluster: string;
  readonly message: string;
}

/** The status of the fleet, a namespace or a policy; `sluice status -o json` prints it. */
export interface FleetReport {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'FleetStatus';
  readonly totals: StateTotals;
  readonly members: readonly MemberReport[];
  readonly templates: readonly TemplateReport[];
  /** Removals that wait: for a member that does not answer, or for the end of the suspension of removals. */
  readonly removals: readonly Removal[];
  /** Nothing is deleted in members, after a restore for example. */
  readonly removalsSuspended?: RemovalsSuspension;
  /** So many members failed together that nothing is evicted. */
  readonly outage?: string;
}

/** The part of the fleet that is asked for: what a policy manages, a namespace, or all of it. */
export interface FleetSelection {
  /** Objects that the caller may not see. */
  readonly hidden?: Hidden;
  readonly policy?: Ref | undefined;
  readonly namespace?: string | undefined;
}

/** Reports on the fleet, or a part of it. */
export function fleetOf(world: World, { policy, namespace, hidden = nothingHidden }: FleetSelection): FleetReport {
  const isWanted = policy
    ? (template: KubeObject) => isManagedBy(template, policy)
    : (template: KubeObject) => namespace === undefined || template.metadata.namespace === namespace;
  const templates = reportAll(world, isWanted, hidden);
  const removals = policy ? [] : removalsOf(world, isWanted);
  const removalsSuspended = removalsSuspension(world);
  const { outage } = failuresOf(world);
  return {
    apiVersion: 'sluice.dev/v1',
    kind: 'FleetStatus',
    totals: totalsOf(templates),
    members: membersOf(world, templates),
    templates,
    removals,
    ...(removalsSuspended && { removalsSuspended }),
    ...(outage && { outage: outageText(outage, world.settings) }),
  };
}

/** Tells whether this policy manages the template. */
export function isManagedBy(template: KubeObject, policy: Omit<Ref, 'apiVersion'>): boolean {
  const claim = claimOf(template);
  return claim?.family.kind === policy.kind && claim.name === policy.name && claim.namespace === policy.namespace;
}

/** Every template that a policy manages or a workload depends on, and namespaces in trouble, in the order of their names. */
function reportAll(
  world: World,
  isWanted: (template: KubeObject) => boolean,
  hidden: Hidden,
): readonly TemplateReport[] {
  const found: { readonly key: string; readonly report: TemplateReport }[] = [];
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@') || !isPropagated(object) || !isWanted(object)) continue;
    const report = reportWorthwhile(world, object, hidden);
    if (report) found.push({ key, report });
  }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ report }) => report);
}

const trouble: ReadonlySet<TemplateState> = new Set(['suspended', 'unhealthy', 'failing']);

/** A namespace that every member gets by itself is nobody's template: it is named only where it is in trouble. */
function reportWorthwhile(world: World, object: KubeObject, hidden: Hidden): TemplateReport | undefined {
  if (claimOf(object) || bindingOf(world, object)) return reportOn(world, object, hidden);
  if (obstacleOf(world, refOf(object)) !== undefined) return reportOn(world, object, hidden);
  const report = isSpread(object) ? reportOn(world, object, hidden) : undefined;
  return report && trouble.has(report.state) ? report : undefined;
}

/** Works whose deletion waits; no template reports them once it is gone. */
function removalsOf(world: World, isWanted: (template: KubeObject) => boolean): readonly Removal[] {
  const found: Removal[] = [];
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@') || object.kind !== 'Work' || !object.metadata.deletionTimestamp) continue;
    const work = object as Work;
    const cluster = memberOfNamespace(work.metadata.namespace);
    const [manifest] = work.spec.workload.manifests;
    if (cluster === undefined || !manifest || !isWanted(manifest)) continue;
    const why = whyNotRemoved(world, cluster);
    if (why) found.push({ template: refOf(manifest), cluster, message: `is to be removed, but ${why}` });
  }
  return found.sort((a, b) => (keyOf(a.template) + a.cluster < keyOf(b.template) + b.cluster ? -1 : 1));
}

/** Why nothing is removed from a member for now; undefined when removals are on their way. */
function whyNotRemoved(world: World, cluster: string): string | undefined {
  const member = world.clusters.find(({ metadata }) => metadata.name === cluster);
  if (!isReady(member)) return unreadyWords(cluster, member);
  return removalsSuspension(world) && 'removals are suspended';
}

function totalsOf(templates: readonly TemplateReport[]): StateTotals {
  const totals = {
    templates: templates.length,
    failing: 0,
    unhealthy: 0,
    unknown: 0,
    suspended: 0,
    pending: 0,
    progressing: 0,
    inEffect: 0,
    notPropagated: 0,
  };
  for (const { state } of templates) totals[state]++;
  return totals;
}

function membersOf({ clusters }: World, templates: readonly TemplateReport[]): readonly MemberReport[] {
  return clusters.map((cluster) => memberOf(cluster, templates));
}

function memberOf(cluster: Cluster, templates: readonly TemplateReport[]): MemberReport {
  const { name } = cluster.metadata;
  const own = templates.flatMap((template) => template.clusters.filter((there) => there.name === name));
  const count = (wanted: TemplateState): number => own.filter(({ state }) => state === wanted).length;
  const ready = cluster.status?.conditions?.find(({ type }) => type === 'Ready');
  const { taints = [] } = cluster.spec;
  return {
    name,
    ready: isReady(cluster),
    cordoned: taints.some(isCordon),
    taints: taints.filter((taint) => !isCordon(taint)).map(taintText),
    templates: own.length,
    suspended: count('suspended'),
    unhealthy: count('unhealthy'),
    failing: count('failing'),
    ...(ready?.message && { message: ready.message, since: ready.lastTransitionTime }),
  };
}

const isCordon = ({ key, effect }: Taint): boolean => key === cordonTaint.key && effect === cordonTaint.effect;

/** `key=value:Effect`. */
export function taintText({ key, value, effect }: Taint): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`;
}

import type { KubeObject, Ref } from '../../api/index.ts';
import { claimOf, isReady } from '../../engine/index.ts';
import type { World } from '../../engine/index.ts';
import { reportAll } from './report.ts';
import type { TemplateReport, TemplateState } from './report.ts';

/** How many templates stand in which state. */
export type Totals = Readonly<Record<TemplateState | 'templates', number>>;

/** A member as the status of the fleet names it. */
export interface MemberReport {
  readonly name: string;
  readonly ready: boolean;
  readonly templates: number;
  readonly held: number;
  readonly failing: number;
  readonly message?: string;
  /** When it became ready, or ceased to be. */
  readonly since?: string;
}

/** What `sluice status -o json` prints for the fleet, a namespace or a policy. */
export interface FleetReport {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'FleetStatus';
  readonly totals: Totals;
  readonly members: readonly MemberReport[];
  readonly templates: readonly TemplateReport[];
}

/** What of the fleet is meant: what a policy holds, a namespace, or all of it. */
export interface Part {
  /** The rights that the caller lacks to see members, or what is sent to them. */
  readonly lacking?: readonly string[];
  readonly policy?: Ref | undefined;
  readonly namespace?: string | undefined;
}

/** Reports on the fleet, or a part of it. */
export function fleetOf(world: World, { policy, namespace, lacking = [] }: Part): FleetReport {
  const wanted = policy
    ? (template: KubeObject) => isHeldBy(template, policy)
    : (template: KubeObject) => namespace === undefined || template.metadata.namespace === namespace;
  const templates = reportAll(world, wanted, lacking);
  const members = membersOf(world, templates);
  return { apiVersion: 'sluice.dev/v1', kind: 'FleetStatus', totals: totalsOf(templates), members, templates };
}

/** Is the template held by this policy? */
export function isHeldBy(template: KubeObject, policy: Omit<Ref, 'apiVersion'>): boolean {
  const claim = claimOf(template);
  return claim?.family.kind === policy.kind && claim.name === policy.name && claim.namespace === policy.namespace;
}

function totalsOf(templates: readonly TemplateReport[]): Totals {
  const totals = {
    templates: templates.length,
    failing: 0,
    held: 0,
    pending: 0,
    progressing: 0,
    inEffect: 0,
    notPropagated: 0,
  };
  for (const { state } of templates) totals[state]++;
  return totals;
}

function membersOf({ clusters }: World, templates: readonly TemplateReport[]): readonly MemberReport[] {
  return clusters.map((cluster) => {
    const { name } = cluster.metadata;
    const own = templates.flatMap((template) => template.clusters.filter((there) => there.name === name));
    const ready = cluster.status?.conditions?.find(({ type }) => type === 'Ready');
    return {
      name,
      ready: isReady(cluster),
      templates: own.length,
      held: own.filter(({ state }) => state === 'held').length,
      failing: own.filter(({ state }) => state === 'failing').length,
      ...(ready?.message && { message: ready.message, since: ready.lastTransitionTime }),
    };
  });
}

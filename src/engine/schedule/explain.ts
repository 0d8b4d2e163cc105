import type { Placement, TargetCluster } from '../../api/index.ts';
import type { Reason } from '../reasons.ts';
import { groupsOf } from './affinity.ts';
import type { AffinityGroup } from './affinity.ts';
import { isDue, notOurs } from './due.ts';
import type { ScheduleFacts } from './facts.ts';
import { refusalOf } from './filter.ts';
import { outcomeOf } from './outcome.ts';
import { groupInForce } from './placement.ts';
import { repellingTaint, taintText } from './taints.ts';

/** Why a cluster has the workload, or has it not. */
export interface Verdict {
  readonly cluster: string;
  readonly chosen: boolean;
  readonly because: Reason;
  readonly detail?: string;
}

/** The scheduler's verdict about every cluster of the fleet, by name. */
export function verdicts(facts: ScheduleFacts): readonly Verdict[] {
  const names = facts.clusters.map(({ metadata }) => metadata.name).sort();
  const { placement } = facts.binding.spec;
  const alone = notOurs(facts.binding);
  const present = facts.binding.spec.clusters ?? [];
  if (alone || !placement) return names.map((cluster) => asItStands(cluster, present, alone ?? 'NoPlacement'));
  const choice = choiceOf(facts, placement);
  return names.map((cluster) => verdictOn(facts, choice, cluster));
}

/** The choice in effect, or the one that the scheduler would make next. */
interface Choice {
  readonly targets: readonly TargetCluster[];
  readonly group: AffinityGroup;
  /** Why a cluster that no filter refuses is left out. */
  readonly otherwise: Reason;
  readonly detail?: string;
}

function choiceOf(facts: ScheduleFacts, placement: Placement): Choice {
  const targets = facts.binding.spec.clusters ?? [];
  const groups = groupsOf(placement);
  const inForce = groupInForce(facts.binding);
  const group = groups.find(({ affinityName }) => affinityName === inForce) ?? groups[0] ?? {};
  if (!isDue(facts, placement)) return { targets, group, otherwise: 'AlreadyScheduled' };
  const outcome = outcomeOf(facts, placement);
  if (!('because' in outcome)) return { ...outcome, otherwise: 'NotSelected' };
  const { because, detail } = outcome;
  return { targets: because === 'NoClusterFits' ? [] : targets, group, otherwise: because, detail };
}

function verdictOn(facts: ScheduleFacts, choice: Choice, cluster: string): Verdict {
  const target = choice.targets.find(({ name }) => name === cluster);
  if (target) return chosen(target, stayingDespite(facts, cluster));
  const refusal = refusalOf(facts, choice.group, cluster);
  const because = refusal?.because ?? choice.otherwise;
  const detail = refusal ? refusal.detail : choice.detail;
  return { cluster, chosen: false, because, ...(detail && { detail }) };
}

function asItStands(cluster: string, present: readonly TargetCluster[], because: Reason): Verdict {
  const target = present.find(({ name }) => name === cluster);
  return target ? chosen(target) : { cluster, chosen: false, because };
}

function chosen({ name, replicas }: TargetCluster, despite?: string): Verdict {
  const parts = [replicas && `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`, despite].filter(Boolean);
  return { cluster: name, chosen: true, because: 'Chosen', ...(parts.length > 0 && { detail: parts.join('; ') }) };
}

/** A taint that keeps others out, though what runs there stays. */
function stayingDespite({ binding, clusters }: ScheduleFacts, cluster: string): string | undefined {
  const taints = clusters.find(({ metadata }) => metadata.name === cluster)?.spec.taints;
  const taint = repellingTaint(taints, binding.spec.placement?.clusterTolerations);
  return taint && `stays despite ${taintText(taint)}`;
}

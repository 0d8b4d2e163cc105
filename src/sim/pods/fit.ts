import { quantity } from '../../api/index.ts';
import { conditionOf } from '../cluster/objects.ts';
import type { Node, NodeRequirement, NodeTerm, Pod, Taint, Toleration } from '../cluster/objects.ts';
import { requestsOf } from './usage.ts';
import type { PodAmounts } from './usage.ts';

/** Why a pod cannot run on a node, in the words of Kubernetes' scheduler; undefined when it can. */
export function misfit(pod: Pod, node: Node, used: PodAmounts): string | undefined {
  const repelled = repulsion(node, pod.spec.tolerations ?? []);
  if (repelled) return repelled;
  if (conditionOf(node.status?.conditions, 'Ready')?.status !== 'True') return 'node(s) were not ready';
  if (!isWanted(pod, node)) return "node(s) didn't match Pod's node affinity/selector";
  return lack(pod, node, used);
}

/** Why a node turns a pod with these tolerations away; undefined when it does not. */
export function repulsion({ spec = {} }: Node, tolerations: readonly Toleration[]): string | undefined {
  if (spec.unschedulable && !tolerations.some(isForCordon)) return 'node(s) were unschedulable';
  const taint = spec.taints?.find((one) => !isTolerated(one, tolerations));
  return taint && `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
}

function lack(pod: Pod, node: Node, used: PodAmounts): string | undefined {
  const allocatable = node.status?.allocatable ?? {};
  const short = Object.entries(requestsOf(pod)).find(
    ([name, wanted]) => wanted > 0 && (used[name] ?? 0) + wanted > (quantity(allocatable[name]) ?? 0),
  );
  if (!short) return undefined;
  return short[0] === 'pods' ? 'Too many pods' : `Insufficient ${short[0]}`;
}

const cordonKey = 'node.kubernetes.io/unschedulable';
const isForCordon = (one: Toleration): boolean =>
  one.key === cordonKey || (one.key === undefined && one.operator === 'Exists');

function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  if (taint.effect === 'PreferNoSchedule' || taint.key === cordonKey) return true;
  return tolerations.some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (!effect || effect === taint.effect) &&
      (!key || key === taint.key) &&
      (operator === 'Exists' || (key === taint.key && value === (taint.value ?? ''))),
  );
}

/** Tells whether the node selector and the required affinity of a pod allow this node. */
export function isWanted({ spec }: Pick<Pod, 'spec'>, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  for (const key in spec.nodeSelector) if (labels[key] !== spec.nodeSelector[key]) return false;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return !terms || terms.some((term) => meetsTerm(term, node));
}

function meetsTerm({ matchExpressions = [], matchFields = [] }: NodeTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields: Readonly<Record<string, string>> = { 'metadata.name': node.metadata.name };
  return (
    matchExpressions.every((one) => meets(one, node.metadata.labels?.[one.key])) &&
    matchFields.every((one) => meets(one, fields[one.key]))
  );
}

function meets({ operator, values = [] }: NodeRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** The message of a pod that fits nowhere: `0/3 nodes are available: 3 Insufficient cpu.` */
export function nowhereText(reasons: readonly string[]): string {
  if (reasons.length === 0) return 'no nodes available to schedule pods';
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const list = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${reasons.length} nodes are available: ${list.join(', ')}.`;
}

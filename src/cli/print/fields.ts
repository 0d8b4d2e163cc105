import type { Cluster, ExcludedResource, LabelSelector, Placement, Policy } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { taintText } from '../../engine/index.ts';
import type { MemberReport } from '../../engine/index.ts';

/** A label and what it says; several lines are parted by line ends. */
export type LabelledValue = readonly [label: string, value: string];

/** The settings of a policy, without the templates that it manages. */
export function policyFields({ spec }: Policy): readonly LabelledValue[] {
  const excluded = spec.excludedResources ?? [];
  return [
    ['Selects', spec.resourceSelectors.map(selectorText).join('\n') || '-'],
    ...(excluded.length > 0 ? [['Excludes', excluded.map(selectorText).join('\n')] as const] : []),
    ['Places on', placementText(spec.placement)],
    ['Activation', spec.activationPreference === 'Lazy' ? 'Lazy: takes effect when a template changes' : 'at once'],
    ['Priority', `${spec.priority ?? 0}${spec.preemption === 'Always' ? ', preempts' : ''}`],
  ];
}

/** A resource selector in words. */
export function selectorText({ apiVersion, kind, namespace, name, labelSelector }: ExcludedResource): string {
  const what = kind ? `${kind}${apiVersion ? ` (${apiVersion})` : ''}` : (apiVersion ?? 'everything');
  return [
    what,
    ...(name ? [`named ${name}`] : []),
    ...(namespace ? [`in ${namespace}`] : []),
    ...(labelSelector ? [`with ${labelsText(labelSelector)}`] : []),
  ].join(' ');
}

function labelsText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const equal = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const others = matchExpressions.map(({ key, operator, values = [] }) =>
    `${key} ${operator} ${values.join(',')}`.trim(),
  );
  return [...equal, ...others].join(', ');
}

/** Names where it is only names; else what it says, flattened. */
/** A placement in words, a line for each condition. */
export function placementText(placement: Placement | undefined): string {
  if (!placement || Object.keys(placement).length === 0) return 'every member';
  const names = placement.clusterAffinity?.clusterNames;
  const rest: Record<string, unknown> = { ...placement };
  const onlyNames = names && Object.keys(placement.clusterAffinity ?? {}).length === 1;
  if (onlyNames) delete rest['clusterAffinity'];
  return [...(onlyNames ? [names.join(', ')] : []), ...flat(rest)].join('\n');
}

/** `a.b: value`, a line each. */
function flat(value: unknown, path = ''): readonly string[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key));
  if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
    return value.flatMap((item: unknown, i) => flat(item, `${path}[${i}]`));
  return [`${path}: ${Array.isArray(value) ? value.join(', ') : String(value)}`];
}

/** The known facts about a member. */
export function clusterFields({ spec, status }: Cluster, member: MemberReport): readonly LabelledValue[] {
  const { syncMode, apiEndpoint, provider, region, zones = [], taints = [] } = spec;
  return [
    ['Ready', member.ready ? 'yes' : `no: ${member.message ?? 'the hub has not probed it yet'}`],
    ['Templates', `${member.templates}${counts(member)}`],
    ['Reached by', [syncMode, apiEndpoint].filter(Boolean).join(', ')],
    ['Kubernetes', status?.kubernetesVersion ?? '-'],
    ['Nodes', nodesText(status)],
    ['Place', [provider, region, ...zones].filter(Boolean).join(', ') || '-'],
    ['Cordoned', member.cordoned ? 'yes: nothing new is placed on it' : 'no'],
    ['Taints', taints.map(taintText).join('\n') || '-'],
  ];
}

function nodesText(status: Cluster['status']): string {
  const { totalNum = 0, readyNum = 0 } = status?.nodeSummary ?? {};
  return `${readyNum} of ${totalNum} ready`;
}

function counts({ suspended, unhealthy, failing }: MemberReport): string {
  const parts = Object.entries({ suspended, unhealthy, failing })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

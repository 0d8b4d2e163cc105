import { clusterApi, keyOf, quantity } from '../../../api/index.ts';
import type { Cluster, Ref } from '../../../api/index.ts';
import { byName, policyKinds, whyOfTemplate } from '../../../cli/index.ts';
import { reasons, templateStates } from '../../../engine/index.ts';
import type {
  Reason,
  FleetReport,
  MemberReport,
  StateTotals,
  TemplateReport,
  TemplateState,
} from '../../../engine/index.ts';
import type { Cell, FleetView, MemberRow, NamespaceRow, Page, TemplateQuery, TemplateRow, Usage } from '../../wire.ts';
import type { Picture } from '../sight.ts';

/** The most templates in trouble that the first screen lists. */
const mostTrouble = 12;

/** The screen of the fleet. */
export function fleetView({ report, world, snapshot }: Picture): FleetView {
  const trouble = sorted(report.templates.filter(({ state }) => state !== 'inEffect' && state !== 'notPropagated'));
  const policies = snapshot.objects.filter(({ kind }) => policyKinds.has(kind)).length;
  return {
    totals: report.totals,
    members: report.members.map((member) =>
      memberRow(member, world.get(clusterKey(member.name)) as Cluster | undefined),
    ),
    namespaces: namespacesOf(report),
    trouble: trouble.slice(0, mostTrouble).map(templateRow),
    troubleTotal: trouble.length,
    removals: report.removals,
    removalsSuspended: report.removalsSuspended !== undefined,
    policies,
  };
}

const clusterKey = (name: string): string => keyOf({ apiVersion: clusterApi, kind: 'Cluster', name });

function memberRow(member: MemberReport, cluster: Cluster | undefined): MemberRow {
  return {
    ...member,
    ...placeOf(cluster?.spec),
    ...stateOf(cluster?.status),
    cpu: usageOf(cluster, 'cpu'),
    memory: usageOf(cluster, 'memory'),
    pods: usageOf(cluster, 'pods'),
    labels: cluster?.metadata.labels ?? {},
  };
}

function placeOf(spec: Partial<Cluster['spec']> = {}): Pick<MemberRow, 'mode' | 'region' | 'zone' | 'provider'> {
  const { syncMode = '', region = '', zone = '', zones = [zone], provider = '' } = spec;
  return { mode: syncMode, region, zone: zones.join(', '), provider };
}

function stateOf(status: Cluster['status'] = {}): Pick<MemberRow, 'version' | 'nodes'> {
  const { kubernetesVersion = '', nodeSummary: { totalNum = 0, readyNum = 0 } = {} } = status;
  return { version: kubernetesVersion, nodes: { ready: readyNum, total: totalNum } };
}

function usageOf(cluster: Cluster | undefined, resource: string): Usage {
  const { allocated, allocatable } = cluster?.status?.resourceSummary ?? {};
  return { used: quantity(allocated?.[resource]) ?? 0, total: quantity(allocatable?.[resource]) ?? 0 };
}

function namespacesOf({ templates }: FleetReport): readonly NamespaceRow[] {
  const groups = Map.groupBy(templates, ({ template }) => template.namespace ?? '');
  const rows = [...groups].map(([namespace, own]) => ({ namespace, totals: totalsOf(own), cells: cellsOf(own) }));
  return rows.sort((a, b) => severity(a.totals) - severity(b.totals) || (a.namespace < b.namespace ? -1 : 1));
}

/** Namespaces in trouble come first. */
function severity(totals: StateTotals): number {
  return templateStates.findIndex((state) => totals[state] > 0);
}

/** How many templates are in which state. */
export function totalsOf(templates: readonly TemplateReport[]): StateTotals {
  const totals: Record<string, number> = { templates: templates.length };
  for (const state of templateStates) totals[state] = 0;
  for (const { state } of templates) totals[state] = (totals[state] ?? 0) + 1;
  return totals as StateTotals;
}

function cellsOf(templates: readonly TemplateReport[]): Readonly<Record<string, Cell>> {
  const cells: Record<string, { templates: number; worst: TemplateState }> = {};
  for (const { clusters } of templates) {
    for (const { name, state } of clusters) {
      const cell = (cells[name] ??= { templates: 0, worst: 'inEffect' });
      cell.templates++;
      if (templateStates.indexOf(state) < templateStates.indexOf(cell.worst)) cell.worst = state;
    }
  }
  return cells;
}

/** A reason in words, and every other text as it is. */
const wordsOf = (why: string): string => (why in reasons ? reasons[why as Reason] : why);

/** A template for a list. */
export function templateRow(report: TemplateReport): TemplateRow {
  const { template, policy, state, clusters } = report;
  return {
    template,
    policy,
    state,
    why: wordsOf(whyOfTemplate(report)),
    clusters: clusters.map(({ name, state: there, ready, replicas }) => ({
      name,
      state: there,
      ...(ready !== undefined && { ready }),
      ...(replicas !== undefined && { replicas }),
    })),
  };
}

function sorted(reports: readonly TemplateReport[]): readonly TemplateReport[] {
  return [...reports].sort(
    (a, b) => templateStates.indexOf(a.state) - templateStates.indexOf(b.state) || byName(a.template, b.template),
  );
}

const orders = new WeakMap<FleetReport, readonly TemplateReport[]>();

/** A part of the list of templates, the worst first. */
export function templatesPage(
  { report }: Picture,
  query: TemplateQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Page<TemplateRow> {
  let order = orders.get(report);
  if (!order) orders.set(report, (order = sorted(report.templates)));
  const found = order.filter((one) => isWanted(one, query));
  return { rows: found.slice(offset, offset + limit).map(templateRow), offset, total: found.length };
}

function isWanted({ template, state, policy, clusters }: TemplateReport, query: TemplateQuery): boolean {
  const conditions = [
    query.namespace === undefined || (template.namespace ?? '') === query.namespace,
    query.state === undefined ||
      (query.state === 'trouble' ? state !== 'inEffect' && state !== 'notPropagated' : state === query.state),
    query.member === undefined || clusters.some(({ name }) => name === query.member),
    query.policy === undefined || (policy !== null && policyId(policy) === query.policy),
    query.text === undefined || textOf(template).includes(query.text.toLowerCase()),
  ];
  return conditions.every(Boolean);
}

/** `PropagationPolicy/shop/web`, or `ClusterPropagationPolicy//web`. */
export function policyId({ kind, namespace, name }: Pick<Ref, 'kind' | 'namespace' | 'name'>): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

const textOf = ({ kind, namespace, name }: Ref): string => `${kind}/${namespace ?? ''}/${name}`.toLowerCase();

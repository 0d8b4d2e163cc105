import { movingText, reasons, removalsWords, templateStates } from '../../engine/index.ts';
import type {
  ClusterReport,
  FleetReport,
  MemberReport,
  FleetSelection,
  Removal,
  RemovalsSuspension,
  StateTotals,
  TemplateReport,
  TemplateState,
} from '../../engine/index.ts';
import { nameOf } from '../change.ts';
import type { Io } from '../io.ts';
import { coloursOf } from './colour.ts';
import type { Colours } from './colour.ts';
import type { LabelledValue } from './fields.ts';
import { policyText } from './groups.ts';
import { byName } from './order.ts';
import { counted } from './output.ts';
import { pendingText } from './pending.ts';
import { table } from './table.ts';

const words: Readonly<Record<TemplateState, string>> = {
  failing: 'failing',
  unhealthy: 'unhealthy',
  unknown: 'unknown',
  suspended: 'suspended',
  pending: 'pending',
  progressing: 'progressing',
  inEffect: 'in effect',
  notPropagated: 'not propagated',
};

/** Number of rows that are listed by default. */
const listed = 20;

/** From so many templates on, one row stands for all that are in the same state for the same reason. */
const alike = 4;

/** The part that is shown, and in how much detail. */
export interface Shown extends FleetSelection {
  readonly wide: boolean;
}

/** The fleet or a part of it: members, what is not in effect (of a part: everything), removals that wait, totals. */
export function fleetText(report: FleetReport, io: Io, { policy, namespace, wide, hidden = [] }: Shown): string {
  const whole = policy === undefined && namespace === undefined && !wide;
  const shown = whole ? report.templates.filter(({ state }) => state !== 'inEffect') : report.templates;
  const most = { lines: wide ? shown.length : listed, advice: '-o wide lists them all', fold: !wide };
  const parts = [
    ...(policy || hidden.includes('clusters') ? [] : [membersText(report.members, io)]),
    ...(shown.length > 0 ? [templatesText(shown, io, most)] : []),
    ...removalsParts(report, io, wide),
    `${totalsText(report.totals)}\n`,
  ];
  return parts.join('\n');
}

/** The state of one template, cluster by cluster. */
export function templateText(report: TemplateReport, io: Io): string {
  const colours = coloursOf(io);
  const policy = report.policy ? policyText(report.policy) : 'no policy';
  const head = `${colours.strong(nameOf(report.template))}, managed by ${policy}: ${painted(report.state, colours)}\n`;
  const pending = pendingText(report.template, report.pending, colours);
  const moving = report.moving ? `${movingText(report.moving)}\n` : '';
  const message = report.message ? `${colours.danger(report.message)}\n` : '';
  const above = head + pending + moving + message;
  if (report.clusters.length === 0) return above;
  const heads = ['CLUSTER', 'STATE', 'REPLICAS', 'HEALTH', 'WHY'];
  return `${above}\n${table(heads, clusterRows(report, io), { ...io, prose: true })}`;
}

/** The state of a template in each cluster, a row each. */
export function clusterRows(report: TemplateReport, io: Io): readonly (readonly string[])[] {
  const colours = coloursOf(io);
  return report.clusters.map((cluster) => [
    cluster.name,
    painted(cluster.state, colours),
    replicasText(cluster),
    cluster.health ?? '-',
    whyOf(cluster) || '-',
  ]);
}

/** `1/2`: ready of wanted; `?/2` where the member has not reported. */
function replicasText({ ready, replicas, state }: ClusterReport): string {
  if (replicas === undefined) return '-';
  const isAbsent = ready === undefined && (state === 'failing' || state === 'suspended');
  return `${isAbsent ? 0 : (ready ?? '?')}/${replicas}`;
}

/** The same as `templateText` says above the clusters, as fields. */
export function reportFields(
  { policy, state, pending, moving, message }: TemplateReport,
  io: Io,
): readonly LabelledValue[] {
  return [
    ['Managed by', policy ? policyText(policy) : 'no policy'],
    ['State', painted(state, coloursOf(io))],
    ...(pending ? [['Pending', `${pending.because} (${reasons[pending.because]})`] as const] : []),
    ...(moving ? [['Moving', movingText(moving).replace('moving: ', '')] as const] : []),
    ...(message ? [[state === 'unknown' ? 'Hidden' : 'Failing', message] as const] : []),
  ];
}

/** The member's words, and who suspends it until when. */
function whyOf({ message, suspendedBy = [] }: ClusterReport): string {
  return [...(message ? [message] : []), ...suspendedBy.map(suspensionText)].join('; ');
}

/** The suspending objects, with end and reason. */
export function suspensionText({
  by,
  reason,
  owner,
  until,
}: NonNullable<ClusterReport['suspendedBy']>[number]): string {
  return `by ${by}${owner ? ` of ${owner}` : ''}${until ? ` until ${until}` : ''}${reason ? `: ${reason}` : ''}`;
}

/** How long a list may become, how to see all of it, and whether one row may stand for many templates. */
export interface Most {
  readonly lines: number;
  readonly advice: string;
  readonly fold?: boolean;
}

/** Templates, one row each or one for many that are alike, the worst first; `most` of them, with the advice where to see the rest. */
export function templatesText(reports: readonly TemplateReport[], io: Io, most: Most): string {
  const colours = coloursOf(io);
  const order = [...reports].sort(
    (a, b) => templateStates.indexOf(a.state) - templateStates.indexOf(b.state) || byName(a.template, b.template),
  );
  const groups = most.fold ? folded(order) : order.map((report) => [report]);
  const rows = groups.slice(0, most.lines).map((group) => rowOf(group, colours));
  const more = groups.slice(most.lines).flat().length;
  const rest = more > 0 ? `… and ${more} more: ${most.advice}\n` : '';
  return table(['TEMPLATE', 'NAMESPACE', 'STATE', 'CLUSTERS', 'POLICY', 'WHY'], rows, { ...io, prose: true }) + rest;
}

/** Templates in the same state for the same reason become one group where there are many; the others stay alone. */
function folded(order: readonly TemplateReport[]): readonly (readonly TemplateReport[])[] {
  const groups = Map.groupBy(order, (report) => `${report.state}|${whyOfTemplate(report)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const isFolded = group.length >= alike && first !== undefined && whyOfTemplate(first) !== '';
    return isFolded ? [group] : group.map((report) => [report]);
  });
}

const one = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

function rowOf(group: readonly TemplateReport[], colours: Colours): readonly string[] {
  const [first] = group;
  if (!first) return [];
  const namespaces = one(group.map(({ template }) => template.namespace ?? '-'));
  const policies = one(group.map(({ policy }) => (policy ? policyText(policy) : '-')));
  const clusters = one(group.flatMap((report) => report.clusters.map(({ name }) => name)));
  return [
    group.length === 1 ? `${first.template.kind}/${first.template.name}` : counted(group.length, 'template'),
    namespaces.length === 1 ? (namespaces[0] ?? '-') : counted(namespaces.length, 'namespace'),
    painted(first.state, colours),
    clusters.join(',') || '-',
    policies.length === 1 ? (policies[0] ?? '-') : `${policies.length} policies`,
    whyOfTemplate(first) || '-',
  ];
}

/** Why a template is in its state, in words; empty where there is nothing to say. */
export function whyOfTemplate(report: TemplateReport): string {
  if (report.message) return report.message;
  if (report.moving && report.state === 'progressing') return movingText(report.moving);
  if (report.state === 'pending' && report.pending) return report.pending.because;
  if (report.state === 'inEffect') return '';
  const clusters = Map.groupBy(
    report.clusters.filter(({ state }) => state === report.state),
    (cluster) => whyOf(cluster) || words[cluster.state],
  );
  return [...clusters].map(([why, members]) => located(members, why)).join('; ');
}

/** `member1, member2: why`, unless the words name the member themselves. */
function located(members: readonly ClusterReport[], why: string): string {
  const names = members.map(({ name }) => name).join(', ');
  return why.startsWith(`${names} `) ? why : `${names}: ${why}`;
}

/** The removals that wait, and the suspension of all removals: since when, why, and how to end it. */
function removalsParts({ removals, removalsSuspended, outage }: FleetReport, io: Io, wide: boolean): readonly string[] {
  const list = removals.length > 0 ? [removalsText(removals, io, wide)] : [];
  if (outage) list.push(`Outage: ${outage}. Nothing is evicted until enough of them are back.\n`);
  return removalsSuspended ? [...list, suspensionLine(removalsSuspended)] : list;
}

function suspensionLine(suspension: RemovalsSuspension): string {
  const words = removalsWords(suspension);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}. \`sluice resume removals\` ends this.\n`;
}

function removalsText(removals: readonly Removal[], io: Io, wide: boolean): string {
  const groups = wide
    ? removals.map((removal) => [removal])
    : [...Map.groupBy(removals, ({ cluster, message }) => `${cluster}|${message}`).values()];
  const rows = groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return [
      [group.length === 1 ? nameOf(first.template) : counted(group.length, 'object'), first.cluster, first.message],
    ];
  });
  return table(['REMOVAL', 'CLUSTER', 'WHY'], rows, { ...io, prose: true });
}

/** The members, one row each. */
function membersText(members: readonly MemberReport[], io: Io): string {
  if (members.length === 0) return 'there are no members: `sluice join` makes a cluster one\n';
  const colours = coloursOf(io);
  const bad = (count: number): string => (count > 0 ? colours.danger(String(count)) : '0');
  const rows = members.map((member) => [
    member.name,
    member.ready ? colours.good('yes') : colours.danger('no'),
    String(member.templates),
    String(member.suspended),
    bad(member.unhealthy),
    bad(member.failing),
    memberWords(member) || '-',
  ]);
  const heads = ['MEMBER', 'READY', 'TEMPLATES', 'SUSPENDED', 'UNHEALTHY', 'FAILING', 'WHY'];
  return table(heads, rows, { ...io, prose: true });
}

/** The conditions of a member that matter: not reachable, cordoned or tainted. */
function memberWords({ ready, message, since, cordoned, taints }: MemberReport): string {
  return [
    ...(ready || !message ? [] : [`since ${since ?? 'never'}: ${message}`]),
    ...(cordoned ? ['cordoned'] : []),
    ...(taints.length > 0 ? [`tainted ${taints.join(', ')}`] : []),
  ].join('; ');
}

/** `12 templates: 10 in effect, 1 pending, 1 suspended`. */
export function totalsText(totals: StateTotals): string {
  const states = ['inEffect', 'progressing', 'pending', 'suspended', 'unknown', 'unhealthy', 'failing'] as const;
  const parts = states.filter((state) => state === 'inEffect' || totals[state] > 0);
  return `${counted(totals.templates, 'template')}: ${parts.map((state) => `${totals[state]} ${words[state]}`).join(', ')}`;
}

function painted(state: TemplateState, { danger, caution, good, faint }: Colours): string {
  const paint = {
    failing: danger,
    unhealthy: danger,
    unknown: caution,
    suspended: caution,
    pending: caution,
    progressing: faint,
    inEffect: good,
    notPropagated: faint,
  }[state];
  return paint(words[state]);
}

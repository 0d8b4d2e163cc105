import { reasons } from '../../engine/index.ts';
import { nameOf } from '../change.ts';
import type { Io } from '../io.ts';
import type { FleetReport, MemberReport, Part, Totals } from '../world/fleet.ts';
import { clusterRight } from '../world/hidden.ts';
import { worst } from '../world/report.ts';
import type { ClusterReport, TemplateReport, TemplateState } from '../world/report.ts';
import { coloursOf } from './colour.ts';
import type { Colours } from './colour.ts';
import type { Field } from './fields.ts';
import { policyText } from './groups.ts';
import { byName } from './order.ts';
import { counted } from './output.ts';
import { pendingText } from './pending.ts';
import { table } from './table.ts';

const words: Readonly<Record<TemplateState, string>> = {
  failing: 'failing',
  held: 'held',
  pending: 'pending',
  progressing: 'progressing',
  inEffect: 'in effect',
  notPropagated: 'not propagated',
};

/** So many templates are listed without being asked for. */
const listed = 20;

/** Which part is shown, and how much of it. */
export interface Shown extends Part {
  readonly wide: boolean;
}

/** The fleet or a part of it: members, what is not in effect (of a part: everything), totals. */
export function fleetText(report: FleetReport, io: Io, { policy, namespace, wide, lacking = [] }: Shown): string {
  const whole = policy === undefined && namespace === undefined && !wide;
  const shown = whole ? report.templates.filter(({ state }) => state !== 'inEffect') : report.templates;
  const most = { lines: wide ? shown.length : listed, advice: '-o wide lists them all' };
  const parts = [
    ...(policy || lacking.includes(clusterRight) ? [] : [membersText(report.members, io)]),
    ...(shown.length > 0 ? [templatesText(shown, io, most)] : []),
    `${totalsText(report.totals)}\n`,
  ];
  return parts.join('\n');
}

/** The state of one template, cluster by cluster. */
export function templateText(report: TemplateReport, io: Io): string {
  const colours = coloursOf(io);
  const policy = report.policy ? policyText(report.policy) : 'no policy';
  const head = `${colours.strong(nameOf(report.template))} of ${policy}: ${painted(report.state, colours)}\n`;
  const pending = pendingText(report.template, report.pending, colours);
  const message = report.message ? `${colours.danger(report.message)}\n` : '';
  if (report.clusters.length === 0) return head + pending + message;
  const places = table(['CLUSTER', 'STATE', 'REPLICAS', 'HEALTH', 'WHY'], clusterRows(report, io), {
    ...io,
    prose: true,
  });
  return `${head}${pending}${message}\n${places}`;
}

/** The state of a template in each cluster, a line each. */
export function clusterRows(report: TemplateReport, io: Io): readonly (readonly string[])[] {
  const colours = coloursOf(io);
  return report.clusters.map((cluster) => [
    cluster.name,
    painted(cluster.state, colours),
    cluster.replicas === undefined ? '-' : String(cluster.replicas),
    cluster.health ?? '-',
    whyOf(cluster) || '-',
  ]);
}

/** The same as `templateText` says above the clusters, as fields. */
export function reportFields({ policy, state, pending, message }: TemplateReport, io: Io): readonly Field[] {
  return [
    ['Policy', policy ? policyText(policy) : 'no policy'],
    ['State', painted(state, coloursOf(io))],
    ...(pending ? [['Pending', `${pending.because} (${reasons[pending.because]})`] as const] : []),
    ...(message ? [['Failing', message] as const] : []),
  ];
}

/** Who holds it and until when, or what the member said. */
function whyOf({ message, heldBy = [] }: ClusterReport): string {
  return [...(message ? [message] : []), ...heldBy.map(holdText)].join('; ');
}

/** Who holds, until when and why. */
export function holdText({ by, reason, owner, until }: NonNullable<ClusterReport['heldBy']>[number]): string {
  return `by ${by}${owner ? ` of ${owner}` : ''}${until ? ` until ${until}` : ''}${reason ? `: ${reason}` : ''}`;
}

/** Templates, one line each, the worst first; `most` of them, with the advice where to see the rest. */
export function templatesText(reports: readonly TemplateReport[], io: Io, most: Most): string {
  const colours = coloursOf(io);
  const order = [...reports].sort(
    (a, b) => worst.indexOf(a.state) - worst.indexOf(b.state) || byName(a.template, b.template),
  );
  const rows = order
    .slice(0, most.lines)
    .map((report) => [
      `${report.template.kind}/${report.template.name}`,
      report.template.namespace ?? '-',
      painted(report.state, colours),
      report.clusters.map(({ name }) => name).join(',') || '-',
      report.policy ? policyText(report.policy) : '-',
      whyOfTemplate(report) || '-',
    ]);
  const more = order.length - rows.length;
  const rest = more > 0 ? `… and ${more} more: ${most.advice}\n` : '';
  return table(['TEMPLATE', 'NAMESPACE', 'STATE', 'CLUSTERS', 'POLICY', 'WHY'], rows, { ...io, prose: true }) + rest;
}

/** How long a list may become, and how to see all of it. */
export interface Most {
  readonly lines: number;
  readonly advice: string;
}

function whyOfTemplate(report: TemplateReport): string {
  if (report.message) return report.message;
  if (report.state === 'pending' && report.pending) return report.pending.because;
  if (report.state === 'inEffect') return '';
  const clusters = Map.groupBy(
    report.clusters.filter(({ state }) => state === report.state),
    (cluster) => whyOf(cluster) || words[cluster.state],
  );
  return [...clusters].map(([why, alike]) => `${alike.map(({ name }) => name).join(', ')}: ${why}`).join('; ');
}

/** The members, one line each. */
function membersText(members: readonly MemberReport[], io: Io): string {
  if (members.length === 0) return 'there are no members: `sluice join` makes a cluster one\n';
  const colours = coloursOf(io);
  const rows = members.map(({ name, ready, templates, held, failing, message, since }) => [
    name,
    ready ? colours.good('yes') : colours.danger('no'),
    String(templates),
    String(held),
    failing > 0 ? colours.danger(String(failing)) : '0',
    ready || !message ? '-' : `since ${since ?? 'never'}: ${message}`,
  ]);
  return table(['MEMBER', 'READY', 'TEMPLATES', 'HELD', 'FAILING', 'WHY'], rows, { ...io, prose: true });
}

/** `12 templates: 10 in effect, 1 pending, 1 held`. */
export function totalsText(totals: Totals): string {
  const states = ['inEffect', 'progressing', 'pending', 'held', 'failing'] as const;
  const parts = states.filter((state) => state === 'inEffect' || totals[state] > 0);
  return `${counted(totals.templates, 'template')}: ${parts.map((state) => `${totals[state]} ${words[state]}`).join(', ')}`;
}

function painted(state: TemplateState, { danger, caution, good, faint }: Colours): string {
  const paint = {
    failing: danger,
    held: caution,
    pending: caution,
    progressing: faint,
    inEffect: good,
    notPropagated: faint,
  }[state];
  return paint(words[state]);
}

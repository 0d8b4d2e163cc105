import { reasons } from '../../engine/index.ts';
import { nameOf } from '../change.ts';
import type { Io } from '../io.ts';
import type { ClusterReport, TemplateReport, TemplateState } from '../world/report.ts';
import { coloursOf } from './colour.ts';
import type { Colours } from './colour.ts';
import { policyText } from './groups.ts';
import { counted } from './output.ts';
import { table } from './table.ts';

const words: Readonly<Record<TemplateState, string>> = {
  failing: 'failing',
  held: 'held',
  pending: 'pending',
  progressing: 'progressing',
  inEffect: 'in effect',
};

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
}

/** The state of one template, cluster by cluster. */
export function templateText(report: TemplateReport, io: Io): string {
  const colours = coloursOf(io);
  const policy = report.policy ? policyText(report.policy) : 'no policy';
  const head = `${colours.strong(nameOf(report.template))} of ${policy}: ${painted(report.state, colours)}\n`;
  const pending = report.pending ? `pending: ${report.pending.because} (${reasons[report.pending.because]})\n` : '';
  const message = report.message ? `${colours.danger(report.message)}\n` : '';
  if (report.clusters.length === 0) return head + pending + message;
  const rows = report.clusters.map((cluster) => [
    cluster.name,
    painted(cluster.state, colours),
    cluster.replicas === undefined ? '-' : String(cluster.replicas),
    cluster.health ?? '-',
    whyOf(cluster) || '-',
  ]);
  return `${head}${pending}${message}\n${table(['CLUSTER', 'STATE', 'REPLICAS', 'HEALTH', 'WHY'], rows, io)}`;
}

/** Who holds it and until when, or what the member said. */
function whyOf({ message, heldBy = [] }: ClusterReport): string {
  const holds = heldBy.map(
    ({ by, reason, until }) => `by ${by}${until ? ` until ${until}` : ''}${reason ? `: ${reason}` : ''}`,
  );
  return [...(message ? [message] : []), ...holds].join('; ');
}

/** Templates, one line each. */
export function templatesText(reports: readonly TemplateReport[], io: Io): string {
  const colours = coloursOf(io);
  const rows = reports.map((report) => [
    `${report.template.kind}/${report.template.name}`,
    report.template.namespace ?? '-',
    painted(report.state, colours),
    report.clusters.map(({ name }) => name).join(',') || '-',
    report.policy ? policyText(report.policy) : '-',
    whyOfTemplate(report) || '-',
  ]);
  return table(['TEMPLATE', 'NAMESPACE', 'STATE', 'CLUSTERS', 'POLICY', 'WHY'], rows, io);
}

function whyOfTemplate(report: TemplateReport): string {
  if (report.message) return report.message;
  const trouble = report.clusters.find(({ state }) => state === report.state);
  if (report.state === 'pending' && report.pending) return report.pending.because;
  return trouble && report.state !== 'inEffect' ? `${trouble.name}: ${whyOf(trouble) || words[trouble.state]}` : '';
}

/** The members, one line each. */
export function membersText(members: readonly MemberReport[], io: Io): string {
  const colours = coloursOf(io);
  const rows = members.map(({ name, ready, templates, held, failing, message }) => [
    name,
    ready ? colours.good('yes') : colours.danger('no'),
    String(templates),
    String(held),
    failing > 0 ? colours.danger(String(failing)) : '0',
    ready ? '-' : (message ?? '-'),
  ]);
  return table(['MEMBER', 'READY', 'TEMPLATES', 'HELD', 'FAILING', 'WHY'], rows, io);
}

/** `12 templates: 10 in effect, 1 pending, 1 held`. */
export function totalsText(totals: Totals): string {
  const states = ['inEffect', 'progressing', 'pending', 'held', 'failing'] as const;
  const parts = states.filter((state) => state === 'inEffect' || totals[state] > 0);
  return `${counted(totals.templates, 'template')}: ${parts.map((state) => `${totals[state]} ${words[state]}`).join(', ')}`;
}

function painted(state: TemplateState, { danger, caution, good, faint }: Colours): string {
  const paint = { failing: danger, held: caution, pending: caution, progressing: faint, inEffect: good }[state];
  return paint(words[state]);
}

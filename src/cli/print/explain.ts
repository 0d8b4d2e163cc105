import { permissionWords, reasons } from '../../engine/index.ts';
import type { Explanation } from '../../engine/index.ts';
import { nameOf } from '../change.ts';
import type { Io } from '../io.ts';
import { coloursOf } from './colour.ts';
import type { Colours } from './colour.ts';
import { policyText } from './groups.ts';
import { pendingText } from './pending.ts';
import { table } from './table.ts';

/** An explanation for people. */
export function explanationText(explanation: Explanation, io: Io): string {
  const colours = coloursOf(io);
  const parts = [
    headOf(explanation, colours),
    candidatesOf(explanation, io),
    clustersOf(explanation, io),
    overridesOf(explanation, io),
    suspendedOf(explanation, io),
    hiddenOf(explanation),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function headOf({ template, holder, pending }: Explanation, colours: Colours): string {
  const manager = colours.strong(holder ? policyText(holder) : 'no policy');
  return `${colours.strong(nameOf(template))} is managed by ${manager}\n${pendingText(template, pending, colours)}`;
}

function candidatesOf({ candidates, hidden = [] }: Explanation, io: Io): string {
  const isWhole = !hidden.some((plural) => plural.endsWith('policies'));
  if (candidates.length === 0) return isWhole ? 'no policy selects it\n' : '';
  const rows = candidates.map(({ policy, outcome, because, detail }) => [
    policyText(policy),
    outcome === 'holds' ? 'manages' : outcome,
    because,
    words(because, detail),
  ]);
  return table(['POLICY', 'OUTCOME', 'BECAUSE', 'WHICH MEANS'], rows, { ...io, prose: true });
}

function clustersOf({ clusters }: Explanation, io: Io): string {
  if (clusters.length === 0) return '';
  const rows = clusters.map(({ name, chosen, because, detail }) => [
    name,
    chosen ? 'yes' : 'no',
    because,
    words(because, detail),
  ]);
  return table(['CLUSTER', 'CHOSEN', 'BECAUSE', 'WHICH MEANS'], rows, { ...io, prose: true });
}

function overridesOf({ overrides = [] }: Explanation, io: Io): string {
  if (overrides.length === 0) return '';
  const rows = overrides.map(({ policy, outcome, clusters, because, detail }) => [
    policyText(policy),
    outcome,
    clusters.join(', ') || '-',
    because,
    words(because, detail),
  ]);
  return table(['OVERRIDE', 'OUTCOME', 'CLUSTERS', 'BECAUSE', 'WHICH MEANS'], rows, { ...io, prose: true });
}

function suspendedOf({ suspended }: Explanation, io: Io): string {
  if (suspended.length === 0) return '';
  const rows = suspended.map(({ cluster, by, reason, owner, until }) => [
    cluster,
    by,
    owner ?? '-',
    until ?? '-',
    reason ?? '-',
  ]);
  return table(['SUSPENDED ON', 'BY', 'OWNER', 'UNTIL', 'REASON'], rows, { ...io, prose: true });
}

/** The parts that the explanation omits because the caller may not see them. */
function hiddenOf({ hidden = [] }: Explanation): string {
  return hidden.length === 0 ? '' : `incomplete: ${permissionWords(hidden)}\n`;
}

function words(because: Explanation['clusters'][number]['because'], detail: string | undefined): string {
  return detail ? `${reasons[because]}: ${detail}` : reasons[because];
}

/**
 * Writes docs/events.md from the table of events by action: `node tools/events.ts`. A test keeps page and code equal.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { singleEvents, eventRules } from '../src/controllers/index.ts';

const intro = `# Events

What happens to an object is told by core/v1 Events beside it: \`kubectl describe\`, \`kubectl events --for\`. The reasons are Karmada's, so that what
watches for them goes on working. The same thing said again within ten minutes is counted on the Event that is there, at most every ten seconds, and an object that says too
much is not written about for a while. Events are news, not state: beyond two thousand at once, or fifty a
second, those of success are dropped. The hub keeps them for an hour, and 20,000 at most.
`;

const pairs = `## Success and failure

Each comes as \`…Succeed\` (Normal) and \`…Failed\` (Warning). A success says its [reason](reasons.md) and what was decided: which policy, which
clusters, how many replicas. A failure is in the words of whoever refused, with the name of the member.
`;

const singles = '## Others\n';

const absent = `## Of Karmada's events, not sent

\`GetComponents…\`, \`DescheduleBinding…\`, \`SyncImpersonationConfig…\` and those of FederatedResourceQuota, MultiClusterService and
ServiceImport belong to parts that do not exist here. Counting replicas, finding dependencies and judging health cannot fail, so \`GetReplicasFailed\`,
\`GetDependenciesFailed\` and \`InterpretHealthFailed\` are sent only when what was found cannot be written.
`;

/** The page for the events that there are. */
export function eventsPage(): string {
  return [
    intro,
    pairs,
    table(['event', 'on', 'meaning'], pairRows()),
    singles,
    table(['event', 'on', 'meaning'], singleRows()),
    absent,
  ].join('\n');
}

function pairRows(): readonly (readonly string[])[] {
  const rows = new Map<string, { on: Set<string>; meaning: string; failures: boolean }>();
  for (const { stem, on, meaning, onlyFailures = false } of eventRules) {
    const row = rows.get(stem) ?? { on: new Set(), meaning, failures: true };
    for (const subject of on) row.on.add(subject);
    row.failures &&= onlyFailures;
    rows.set(stem, row);
  }
  return [...rows].map(([stem, { on, meaning, failures }]) => [
    `\`${stem}${failures ? 'Failed' : '…'}\``,
    [...on].join(', '),
    meaning,
  ]);
}

function singleRows(): readonly (readonly string[])[] {
  return singleEvents.map(({ reason, on, meaning }) => [`\`${reason}\``, on, meaning]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return `${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}\n`;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', 'docs/events.md'), eventsPage());

import { isSystemKey } from '../../api/index.ts';
import type { Cluster, Condition, KubeObject, Policy } from '../../api/index.ts';
import type { Description } from '../commands/describe.ts';
import type { EventNote } from '../events.ts';
import { suspendedClustersOf, clustersText } from '../suspension.ts';
import type { Io } from '../io.ts';
import { isPolicyRef } from '../kinds.ts';
import type { FleetReport, TemplateReport } from '../../engine/index.ts';
import { yamlOf } from '../../base/index.ts';
import { clusterFields, policyFields } from './fields.ts';
import type { LabelledValue } from './fields.ts';
import { policyText } from './groups.ts';
import { ageOf, counted } from './output.ts';
import { clusterRows, suspensionText, reportFields, templatesText, totalsText } from './status.ts';
import { table } from './table.ts';

const mostEvents = 10;
const mostTemplates = 20;

/** Everything about an object, for people. */
export function descriptionText(description: Description, io: Io): string {
  const { object } = description;
  const parts = [
    fieldsText([...identity(object), ...particulars(description, io)]),
    ...(description.template ? [placesText(description, description.template, io)] : []),
    ...(description.manages ? [managesText(description, io)] : []),
    conditionsText(conditionsOf(description), io),
    eventsText(description.events, io),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function identity({ apiVersion, kind, metadata }: KubeObject): readonly LabelledValue[] {
  const { name, namespace, labels, annotations, creationTimestamp } = metadata;
  return [
    ['Name', name],
    ...(namespace ? [['Namespace', namespace] as const] : []),
    ['Kind', `${kind} (${apiVersion})`],
    ['Labels', pairs(labels)],
    ['Annotations', pairs(annotations)],
    ['Age', ageOf(creationTimestamp, Date.now())],
  ];
}

/** The annotations that people wrote; those of the control plane are shown in other words. */
function pairs(map: Readonly<Record<string, string>> | undefined): string {
  const own = Object.entries(map ?? {}).filter(
    ([key]) => !isSystemKey(key) && !key.endsWith('last-applied-configuration'),
  );
  return own.map(([key, value]) => `${key}=${value}`).join('\n') || '-';
}

function particulars(description: Description, io: Io): readonly LabelledValue[] {
  const { object, template, binding, member, manages } = description;
  if (template) {
    const name = binding && `${binding.kind}/${binding.metadata.namespace ?? ''}/${binding.metadata.name}`;
    return [...reportFields(template, io), ['Binding', name ?? '-']];
  }
  if (isPolicyRef(object)) {
    const policy = object as Policy;
    return [
      ...policyFields(policy),
      ['Suspended', suspendedText(policy, manages)],
      ['Manages', manages ? totalsText(manages.totals) : '-'],
    ];
  }
  if (member) return clusterFields(object as Cluster, member);
  return contentFields(object);
}

/** Suspensions of the policy itself, and others of the templates that it manages. */
function suspendedText({ kind, metadata, spec }: Policy, manages: FleetReport | undefined): string {
  const others = new Map<string, number>();
  for (const { clusters } of manages?.templates ?? []) {
    const all = clusters
      .flatMap(({ suspendedBy = [] }) => suspendedBy)
      .filter(({ by }) => by !== policyText({ kind, ...metadata }));
    for (const text of new Set(all.map(suspensionText))) others.set(text, (others.get(text) ?? 0) + 1);
  }
  const told = [...others].map(([text, count]) => `${counted(count, 'template')} ${text}`);
  const own = clustersText(suspendedClustersOf(spec.suspension));
  return (told.length > 0 && own === 'nowhere' ? told : [own, ...told]).join('\n');
}

/** Everything but what stands elsewhere; of a Secret no more than how long its values are. */
function contentFields(object: KubeObject): readonly LabelledValue[] {
  const { apiVersion: _, kind, metadata: __, status: ___, ...content } = object as KubeObject & { status?: unknown };
  const shown = kind === 'Secret' ? { ...content, data: sizesOf((object as Secretive).data) } : content;
  return Object.keys(shown).length === 0 ? [] : [['Content', yamlOf(shown).trimEnd()]];
}

type Secretive = KubeObject & { readonly data?: Readonly<Record<string, string>> };

function sizesOf(data: Secretive['data'] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, `${Buffer.from(value, 'base64').length} bytes`]),
  );
}

/** Labels and values, the values below each other. */
export function fieldsText(fields: readonly LabelledValue[]): string {
  const width = Math.max(...fields.map(([label]) => label.length)) + 3;
  return fields
    .map(([label, value]) => {
      const lines = value.split('\n').map((line, i) => (i === 0 ? line : ' '.repeat(width) + line));
      return `${`${`${label}:`.padEnd(width)}${lines.join('\n')}`.trimEnd()}\n`;
    })
    .join('');
}

function placesText({ works = [] }: Description, report: TemplateReport, io: Io): string {
  if (report.clusters.length === 0) return '';
  const names = new Map(works.map(({ metadata }) => [metadata.namespace ?? '', metadata.name]));
  const rows = clusterRows(report, io).map(([cluster = '', ...cells]) => {
    const namespace = `karmada-es-${cluster}`;
    const name = names.get(namespace);
    return [cluster, ...cells.slice(0, -1), name ? `${namespace}/${name}` : '-', cells.at(-1) ?? ''];
  });
  return table(['CLUSTER', 'STATE', 'REPLICAS', 'HEALTH', 'WORK', 'WHY'], rows, { ...io, prose: true });
}

function managesText({ manages }: Description, io: Io): string {
  const troubled = manages?.templates.filter(({ state }) => state !== 'inEffect') ?? [];
  if (troubled.length === 0) return '';
  return templatesText(troubled, io, {
    lines: mostTemplates,
    advice: '`sluice status policy/NAME -o wide` lists them all',
  });
}

function conditionsOf({ object, binding }: Description): readonly Condition[] {
  const { status } = (binding ?? object) as KubeObject & { readonly status?: { readonly conditions?: unknown } };
  return Array.isArray(status?.conditions) ? (status.conditions as readonly Condition[]) : [];
}

function conditionsText(conditions: readonly Condition[], io: Io): string {
  if (conditions.length === 0) return '';
  const rows = conditions.map(({ type, status, reason, message, lastTransitionTime }) => [
    type,
    status,
    ageOf(lastTransitionTime, Date.now()),
    reason ?? '-',
    message || '-',
  ]);
  return table(['CONDITION', 'STATUS', 'FOR', 'REASON', 'MESSAGE'], rows, { ...io, prose: true });
}

function eventsText(events: readonly EventNote[], io: Io): string {
  if (events.length === 0) return '';
  const rows = events
    .slice(0, mostEvents)
    .map(({ type, reason, message, count, lastSeen }) => [
      type,
      `${ageOf(lastSeen, Date.now())}${count > 1 ? ` (x${count})` : ''}`,
      reason,
      message.replaceAll('\n', ' '),
    ]);
  const more = events.length - rows.length;
  return (
    table(['EVENT', 'AGO', 'REASON', 'MESSAGE'], rows, { ...io, prose: true }) +
    (more > 0 ? `… and ${more} older\n` : '')
  );
}

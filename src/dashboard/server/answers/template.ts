import { keyOf, memberOfNamespace, refOf } from '../../../api/index.ts';
import type { KubeObject, Ref, Work } from '../../../api/index.ts';
import { whyUnreadable } from '../../../cli/index.ts';
import { conditionStatus, explain, reasons, reportOn } from '../../../engine/index.ts';
import type { TimelineEntry, TemplateView, WorkView } from '../../wire.ts';
import { Refusal } from '../guard.ts';
import { shownYaml } from '../secrets.ts';
import type { Sight } from '../sight.ts';

/** The screen of one template: the five questions about it, answered by the engine. */
export async function templateView(sight: Sight, ref: Ref): Promise<TemplateView> {
  const { world, snapshot } = await sight.picture();
  const template = world.get(keyOf(ref));
  if (!template) throw new Refusal(404, `there is no ${ref.kind} ${ref.name}, or you may not see it`);
  const explanation = explain(world, ref, snapshot.hidden);
  if (!explanation) throw new Refusal(404, `${ref.kind} is not a kind that is placed on members`);
  const report = reportOn(world, template, snapshot.hidden);
  const works = snapshot.objects.filter(
    (object): object is Work => object.kind === 'Work' && carries(object as Work, ref),
  );
  const names = [
    ...explanation.candidates.map(({ because }) => because),
    ...explanation.clusters.map(({ because }) => because),
    ...(explanation.pending ? [explanation.pending.because] : []),
  ];
  return {
    report,
    explanation,
    yaml: shownYaml(template),
    works: await Promise.all(works.map((work) => workView(sight, work))),
    events: eventsOf(sight, (about) => concerns(about, ref)),
    reasons: Object.fromEntries(names.map((name) => [name, reasons[name]])),
  };
}

function carries({ spec }: Work, ref: Ref): boolean {
  const [manifest] = spec.workload.manifests;
  return manifest !== undefined && keyOf(refOf(manifest)) === keyOf(ref);
}

async function workView(sight: Sight, work: Work): Promise<WorkView> {
  const member = memberOfNamespace(work.metadata.namespace) ?? '';
  const [manifest] = work.spec.workload.manifests;
  const applied = work.status?.conditions?.find(({ type }) => type === 'Applied');
  const base = {
    member,
    work: work.metadata.name,
    applied: conditionStatus(work.status?.conditions, 'Applied') === 'True',
    message: applied?.message ?? '',
    manifest: manifest ? shownYaml(manifest) : '',
  };
  return manifest ? { ...base, ...(await liveOf(sight, member, manifest)) } : base;
}

/** The object as it is in the member, read with the rights of the caller. */
async function liveOf(
  { members }: Sight,
  member: string,
  manifest: KubeObject,
): Promise<Pick<WorkView, 'live' | 'unreadable'>> {
  const server = await members.server(member);
  if ('unreadable' in server) {
    members.forget(member);
    return { unreadable: server.unreadable };
  }
  try {
    const live = await server.client.find(refOf(manifest));
    return live ? { live: shownYaml(live) } : {};
  } catch (error) {
    return { unreadable: whyUnreadable(error) };
  }
}

interface EventLike extends KubeObject {
  readonly involvedObject?: Partial<Ref>;
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
}

const mostEvents = 500;

/** The events about some objects, the newest first. */
export function eventsOf({ events }: Sight, isWanted: (about: Ref) => boolean): readonly TimelineEntry[] {
  const found: TimelineEntry[] = [];
  for (const event of events.values()) {
    const entry = entryOf(event);
    if (isWanted(entry.object)) found.push(entry);
  }
  return found.sort((a, b) => (a.time < b.time ? 1 : -1)).slice(0, mostEvents);
}

function entryOf(event: EventLike): TimelineEntry {
  const { involvedObject = {}, type = 'Normal', reason = '', message = '', count = 1 } = event;
  return { time: timeOf(event), type, reason, message, count, object: aboutOf(involvedObject), by: reporterOf(event) };
}

const timeOf = ({ lastTimestamp, eventTime, metadata }: EventLike): string =>
  lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';

const reporterOf = ({ source, reportingComponent = '' }: EventLike): string => source?.component || reportingComponent;

function aboutOf({ apiVersion = '', kind = '', namespace, name = '' }: Partial<Ref>): Ref {
  return { apiVersion, kind, ...(namespace && { namespace }), name };
}

/** Events about the template itself, its binding, or its Works. */
function concerns(about: Ref, { kind, namespace, name }: Ref): boolean {
  if (about.kind === kind) return about.name === name && about.namespace === namespace;
  const derived = about.kind === 'ResourceBinding' || about.kind === 'ClusterResourceBinding';
  return derived && (about.namespace ?? '') === (namespace ?? '') && about.name === `${name}-${kind.toLowerCase()}`;
}

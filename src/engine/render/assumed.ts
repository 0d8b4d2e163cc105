import type { AggregatedStatusItem, Binding, KubeObject, View, Work } from '../../api/index.ts';
import { reflectsContent } from '../claim/index.ts';
import { reportedStatus } from '../collect/reported.ts';
import { movesOf } from '../move/index.ts';
import { isSuspendedOn } from '../suspension/index.ts';
import { gatherRender } from './facts.ts';
import type { RenderFacts } from './facts.ts';
import { blankOf } from './manifest.ts';
import { renderedTargetsOf } from './targets.ts';
import { keptWork, workFor } from './work.ts';

/**
 * The Works of a binding as its spec, its status and its template describe them, for callers who may not read Works. A
 * Work is assumed wherever the binding wants the template or a member has reported it. Content that the binding has not
 * taken up is left out of the manifest, so that taking it up still shows as a change. Empty when the template is
 * hidden.
 */
export function assumedWorks(view: View, key: string): readonly Work[] {
  const facts = gatherRender(view, key);
  if (!facts?.template) return [];
  const { binding } = facts;
  const blank = blankOf(facts.template, binding, facts.interpreter);
  const reported = new Map((binding.status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]));
  return placesOf(facts.binding).flatMap((target) => {
    const made = workFor(blank, { target, present: undefined, facts });
    if ('error' in made) return [];
    const isLeft = !wantedIn(binding).has(target.name) && isSuspendedOn(facts.suspensions, target.name);
    const work = isLeft ? keptWork(made.work) : made.work;
    return [withReport(isTakenUp(facts) ? work : bare(work), reported.get(target.name))];
  });
}

const wantedIn = (binding: Binding): ReadonlySet<string> => new Set(renderedTargetsOf(binding).map(({ name }) => name));

/** Where the binding wants the template, where a move keeps it, and where a member has reported it. */
function placesOf(binding: Binding): readonly { readonly name: string; readonly replicas?: number }[] {
  const places = new Map<string, { readonly name: string; readonly replicas?: number }>();
  for (const target of renderedTargetsOf(binding)) places.set(target.name, target);
  for (const { fromCluster: name, replicas } of movesOf(binding))
    if (!places.has(name)) places.set(name, { name, ...(replicas !== undefined && { replicas }) });
  for (const { clusterName: name } of binding.status?.aggregatedStatus ?? [])
    if (!places.has(name)) places.set(name, { name });
  return [...places.values()];
}

function isTakenUp({ binding, template }: RenderFacts): boolean {
  return template === undefined || reflectsContent(binding, template);
}

/** The Work with a manifest of which only the name is known. */
function bare(work: Work): Work {
  const manifests = work.spec.workload.manifests.map(({ apiVersion, kind, metadata }): KubeObject => {
    return { apiVersion, kind, metadata };
  });
  return { ...work, spec: { ...work.spec, workload: { manifests } } };
}

/** The Work with what its member has reported to the binding; without a status when nothing was sent so far. */
function withReport(work: Work, item: AggregatedStatusItem | undefined): Work {
  const told = reportedStatus(item, item?.since ?? work.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z');
  const [manifest] = work.spec.workload.manifests;
  if (!told || !manifest) return work;
  const { apiVersion: version, kind, metadata } = manifest;
  const identifier = { ordinal: 0, version, kind, resource: '', name: metadata.name };
  const manifestStatuses = told.manifestStatuses.map((status) => ({ identifier, ...status }));
  return { ...work, status: { conditions: told.conditions, manifestStatuses } };
}

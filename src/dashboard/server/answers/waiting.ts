import { keyOf, policyApi, rolloutFamilies } from '../../../api/index.ts';
import type { KubeObject, Policy, Ref, RolloutPolicy } from '../../../api/index.ts';
import { activatable, policyKinds, resume, suspended } from '../../../cli/index.ts';
import { isManagedBy, matchSelectors, reasons, suspendedClusters } from '../../../engine/index.ts';
import type { SuspensionRow, WaitingRow, WaitingView } from '../../wire.ts';
import type { Picture, Sight } from '../sight.ts';
import { runOf } from './activate.ts';

/** The most pending templates that are listed. */
const mostPending = 500;

/** The screen of what waits: pending changes, suspensions, and the run that activates them. */
export async function waitingView(sight: Sight): Promise<WaitingView> {
  const picture = await sight.picture();
  const pending = pendingRows(picture);
  return {
    pending: pending.slice(0, mostPending),
    pendingTotal: pending.length,
    suspensions: suspensionsIn(picture),
    run: runOf(sight),
  };
}

function pendingRows({ report }: Picture): readonly WaitingRow[] {
  return report.templates.flatMap(({ template, policy, pending }) =>
    pending
      ? [
          {
            template,
            policy,
            because: pending.because,
            why: reasons[pending.because],
            since: pending.since,
            activatable: activatable.has(pending.because),
          },
        ]
      : [],
  );
}

const rolloutKinds: ReadonlySet<string> = new Set(Object.values(rolloutFamilies).map(({ kind }) => kind));

/** Policies that suspend themselves, and rollout policies that suspend others. */
function suspensionsIn(picture: Picture): readonly SuspensionRow[] {
  return picture.snapshot.objects.flatMap((object) => {
    const clusters = isOurs(object) ? suspendedClusters((object as Policy | RolloutPolicy).spec.suspension) : undefined;
    return clusters === undefined ? [] : [suspensionRow(picture, object as Policy | RolloutPolicy, clusters)];
  });
}

const isOurs = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion === policyApi && (policyKinds.has(kind) || rolloutKinds.has(kind));

function suspensionRow(
  { world, report }: Picture,
  object: Policy | RolloutPolicy,
  clusters: readonly string[] | 'all',
): SuspensionRow {
  const { apiVersion, kind, metadata, spec } = object;
  const ref: Ref = {
    apiVersion,
    kind,
    ...(metadata.namespace && { namespace: metadata.namespace }),
    name: metadata.name,
  };
  const covers = (template: KubeObject): boolean =>
    policyKinds.has(kind) ? isManagedBy(template, ref) : matchSelectors(spec.resourceSelectors, template).matches;
  const covered = report.templates.filter(({ template }) => {
    const found = world.get(keyOf(template));
    return found !== undefined && covers(found);
  });
  const { reason = '', owner = '', until = '' } = policyKinds.has(kind) ? {} : (object as RolloutPolicy).spec;
  return { target: ref, by: `${kind}/${metadata.name}`, clusters, reason, owner, until, templates: covered.length };
}

/** The target of a suspension, where, why and until when. */
export interface SuspendRequest {
  readonly target: Ref;
  readonly clusters?: readonly string[];
  readonly reason?: string;
  readonly owner?: string;
  readonly until?: string;
}

/** Suspends as `sluice suspend` does; returns what it has to say. */
export async function suspendTarget(
  sight: Sight,
  { target, clusters = [], reason, owner, until }: SuspendRequest,
): Promise<string> {
  const notes: string[] = [];
  const flags = {
    timeout: '30s',
    output: 'text',
    ...(clusters.length > 0 && { clusters: clusters.join(',') }),
    ...(reason && { reason }),
    ...(owner && { owner }),
    ...(until && { until }),
  };
  await suspended(sight.hub, target, { flags, io: { err: (text) => void notes.push(text) } });
  sight.touch();
  return notes.join('').trim();
}

/** Ends a suspension as `sluice resume` does. */
export async function resumeTarget(sight: Sight, { target, clusters = [] }: SuspendRequest): Promise<string> {
  const flags = { timeout: '30s', output: 'text', ...(clusters.length > 0 && { clusters: clusters.join(',') }) };
  await resume({ ...sight.hub, dryRun: false }, target, flags);
  sight.touch();
  return '';
}

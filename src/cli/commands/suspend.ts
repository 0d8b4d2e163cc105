import type { Command } from 'commander';
import { policyFamilies, refOf, scopeOf } from '../../api/index.ts';
import type { Policy, Ref, RolloutPolicy } from '../../api/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { isTemplateKind } from '../../engine/index.ts';
import { absenceOf, nameOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { withHub } from '../connect.ts';
import type { Hub } from '../connect.ts';
import { Failure } from '../failure.ts';
import {
  beyond,
  changed,
  clustersOf,
  suspendedClustersOf,
  clustersText,
  suspendingCommand,
  withSuspension,
  isSingle,
  laterEnd,
  rolloutRef,
  untilOf,
  withLess,
  withMore,
} from '../suspension.ts';
import type { SuspendedClusters, SuspendingFlags } from '../suspension.ts';
import type { Invocation, Io } from '../io.ts';
import { findTarget, isPolicyRef, isRolloutRef } from '../kinds.ts';
import { Members } from '../members.ts';
import { told } from '../print/output.ts';

/** The flags of `sluice suspend`. */
export interface SuspendFlags extends SuspendingFlags {
  readonly reason?: string;
  readonly owner?: string;
  readonly until?: string;
}

/** `sluice suspend` */
export function suspendCommand({ io }: Run): Command {
  return suspendingCommand(
    'suspend',
    'Stop dispatching to members at once, for all templates of a policy or for a single object. Running workloads are not changed; deletions still go through.',
  )
    .option('--reason <TEXT>', 'the reason, for other users')
    .option('--owner <NAME>', 'the contact, with --reason or --until or for a single object (default: you)')
    .option('--until <TIME>', 'when the suspension ends by itself: 2h, or 2026-12-24T18:00:00Z')
    .addHelpText(
      'after',
      `
Examples:
  sluice suspend policy/web -n shop                                  all templates of the policy
  sluice suspend policy/web -n shop --clusters member2,member3       only there
  sluice suspend policy/web -n shop --reason "audit" --until 2h      all its templates, for two hours
  sluice suspend deployment/nginx -n shop --reason "freeze" --until 2h
  sluice suspend clusterrole/reader --reason "freeze"                a cluster-scoped object
`,
    )
    .action((word: string, flags: SuspendFlags) => withHub(flags, io, (hub) => suspend(hub, word, { flags, io })));
}

async function suspend(hub: Hub, word: string, { flags, io }: Invocation<SuspendFlags>): Promise<void> {
  const target = await findTarget(hub, word, flags.namespace ?? hub.namespace);
  // A misspelt name would suspend nothing, and nobody would notice.
  if (clustersOf(flags)) await new Members(hub, flags.timeout).chosen(flags.clusters);
  const { done, itself = [] } = await suspended(hub, target, { flags, io });
  const also = clustersText(itself) === 'nowhere' ? '' : `, ${clustersText(itself)} by itself`;
  const words = `${nameOf(target)} is suspended ${clustersText(suspendedClustersOf(done.spec.suspension))}${byRollout(target, done)}${also}\n`;
  told(io, flags.output, { objects: [done], words });
}

/** The flags of a suspension, and where its notes go. */
interface Suspending {
  readonly flags: SuspendFlags;
  readonly io: Pick<Io, 'err'>;
}

/** The suspension after the command. */
export interface Suspended {
  readonly done: Policy | RolloutPolicy;
  /** The policy's own suspension, for a policy that is also suspended with a reason or an end. */
  readonly itself?: SuspendedClusters;
}

/** Suspends a policy or a single object. */
export async function suspended(hub: Hub, target: Ref, asked: Suspending): Promise<Suspended> {
  const { flags } = asked;
  const hasWords = flags.reason !== undefined || flags.owner !== undefined || flags.until !== undefined;
  if (isSingle(target)) return { done: await suspendSingle(hub, target, asked) };
  if (isPolicyRef(target) && hasWords) return suspendWithWords(hub, target, asked);
  return { done: await suspendPolicy(hub, target, flags) };
}

function byRollout(target: Ref, done: Policy | RolloutPolicy): string {
  if (!isRolloutRef(done) || isRolloutRef(target)) return '';
  const { until } = (done as RolloutPolicy).spec;
  return ` by ${nameOf(refOf(done))}${until ? ` until ${until}` : ''}`;
}

async function suspendPolicy(hub: Hub, target: Ref, flags: SuspendFlags): Promise<Policy> {
  const words = isRolloutRef(target) ? await wordsOf(hub, flags) : {};
  return changed<Policy>(hub, target, (policy) => {
    const suspendedPolicy = withSuspension(
      policy,
      withMore(suspendedClustersOf(policy.spec.suspension), clustersOf(flags)),
    );
    return { ...suspendedPolicy, spec: { ...suspendedPolicy.spec, ...words } };
  });
}

/**
 * A policy itself has no field for a reason of its suspension, so a rollout policy of its scope suspends everything
 * that carries its mark. Where the rollout policy suspends, the policy itself must not suspend any more, or it would do
 * so when the time is over.
 */
async function suspendWithWords(hub: Hub, target: Ref, asked: Suspending): Promise<Suspended> {
  const policy = await hub.client.get<Policy>(target);
  const done = await putRollout(hub, target, { asked, resourceSelectors: markedBy(policy) });
  if (suspendedClustersOf(policy.spec.suspension).length === 0) return { done };
  const everybody = asked.flags.clusters === undefined ? [] : await new Members(hub, asked.flags.timeout).names();
  const left = await changed<Policy>(hub, target, (present) =>
    withSuspension(present, withLess(suspendedClustersOf(present.spec.suspension), clustersOf(asked.flags), everybody)),
  );
  return { done, itself: suspendedClustersOf(left.spec.suspension) };
}

/** Selects the templates that a policy manages: every kind in its selectors, with its mark. */
function markedBy(policy: Policy): RolloutPolicy['spec']['resourceSelectors'] {
  const { metadata, spec } = policy;
  const { idLabel } = policyFamilies[scopeOf(policy)];
  const matchLabels = { [idLabel]: metadata.labels?.[idLabel] ?? '' };
  const kinds = new Map(
    spec.resourceSelectors.map(({ apiVersion, kind }) => [`${apiVersion}|${kind}`, { apiVersion, kind }]),
  );
  return [...kinds.values()].map((kind) => ({ ...kind, labelSelector: { matchLabels } }));
}

async function suspendSingle(hub: Hub, target: Ref, asked: Suspending): Promise<RolloutPolicy> {
  // It would suspend nothing, and say that it does.
  if (!isTemplateKind(target))
    throw new Failure(`${nameOf(target)} is not a kind that is propagated: name a template or a policy`);
  if (!(await hub.client.find(target))) throw new Failure(absenceOf(target));
  const { apiVersion, kind, namespace, name } = target;
  const resourceSelectors = [{ apiVersion, kind, ...(namespace && { namespace }), name }];
  return putRollout(hub, target, { asked, resourceSelectors });
}

interface Wanted extends Pick<RolloutPolicy['spec'], 'resourceSelectors'> {
  readonly asked: Suspending;
}

/** Makes the rollout policy that is named after a target, or makes it suspend more. */
async function putRollout(hub: Hub, target: Ref, { asked, resourceSelectors }: Wanted): Promise<RolloutPolicy> {
  const ref = rolloutRef(target);
  const words = await wordsOf(hub, asked.flags);
  const clusters = clustersOf(asked.flags);
  if (await hub.client.find(ref)) {
    let others: SuspendedClusters = [];
    const done = await changed<RolloutPolicy>(hub, ref, (present) => {
      const more = grown(present, { clusters, words });
      others = more.others;
      return { ...more.rollout, spec: { ...more.rollout.spec, resourceSelectors } };
    });
    if (others.length > 0)
      asked.io.err(
        `note: ${clustersText(others)} it is suspended already, with another end: the later end counts for the whole suspension\n`,
      );
    return done;
  }
  const { apiVersion, kind, ...metadata } = ref;
  const bare = { apiVersion, kind, metadata, spec: { resourceSelectors, ...words } } as RolloutPolicy;
  return hub.client.create(withSuspension(bare, withMore([], clusters)));
}

interface More {
  readonly clusters: readonly string[] | undefined;
  readonly words: SuspensionWords;
}

/** A suspension has one end, and suspending another member must not end it sooner. */
function grown(
  rollout: RolloutPolicy,
  { clusters, words }: More,
): { rollout: RolloutPolicy; others: SuspendedClusters } {
  const { until: before, ...spec } = rollout.spec;
  const { until: asked, ...said } = words;
  const already = isOver(rollout) ? [] : suspendedClustersOf(spec.suspension);
  const others = before === asked ? [] : beyond(already, clusters);
  const alone = isOver(rollout) ? asked : (asked ?? before);
  const until = others.length > 0 ? laterEnd(before, asked) : alone;
  const wanted = { ...rollout, spec: { ...spec, ...said, ...(until && { until }) } };
  return { rollout: withSuspension(wanted, withMore(already, clusters)), others };
}

/** A rollout policy whose time is over suspends nothing any more. */
const isOver = ({ spec }: RolloutPolicy): boolean => spec.until !== undefined && Date.parse(spec.until) <= Date.now();

type SuspensionWords = Pick<RolloutPolicy['spec'], 'reason' | 'owner' | 'until'>;

async function wordsOf({ client }: Hub, flags: SuspendFlags): Promise<SuspensionWords> {
  const owner = flags.owner ?? (await callerOf(client));
  return {
    ...(flags.reason !== undefined && { reason: flags.reason }),
    ...(owner !== undefined && { owner }),
    ...(flags.until && { until: untilOf(flags.until, Date.now()) }),
  };
}

/** The name of the caller, as the hub knows it; undefined when the hub does not tell. */
async function callerOf(client: ApiClient): Promise<string | undefined> {
  try {
    const { body } = await client.raw({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    return (body as { readonly status?: { readonly userInfo?: { readonly username?: string } } }).status?.userInfo
      ?.username;
  } catch {
    return undefined;
  }
}

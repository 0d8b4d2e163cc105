import type { Command } from 'commander';
import { removalsRef } from '../../api/index.ts';
import type { Policy, Ref, RolloutPolicy } from '../../api/index.ts';
import type { ProposedChange } from '../../engine/index.ts';
import { nameOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { dryRunOption, dryWords, withHub } from '../connect.ts';
import type { Hub } from '../connect.ts';
import { consentTo, yesOption } from '../consent.ts';
import type { ConsentFlags } from '../consent.ts';
import { Failure, UsageError } from '../failure.ts';
import {
  changed,
  clustersOf,
  suspendedClustersOf,
  clustersText,
  suspendingCommand,
  withSuspension,
  isSingle,
  rolloutRef,
  withLess,
  withMore,
} from '../suspension.ts';
import type { SuspendedClusters, SuspendingFlags } from '../suspension.ts';
import type { Invocation } from '../io.ts';
import { findTarget, isPolicyRef } from '../kinds.ts';
import { Members } from '../members.ts';
import { told } from '../print/output.ts';

type ResumeFlags = SuspendingFlags & ConsentFlags;

/** `sluice resume` */
export function resumeCommand({ io }: Run): Command {
  return suspendingCommand(
    'resume',
    'Resume dispatching to members after `sluice suspend`; pending changes are sent at once. Shows its plan and asks first if that takes something away from a member.',
  )
    .addOption(yesOption())
    .addOption(dryRunOption('print the plan, and write nothing'))
    .addHelpText(
      'after',
      `
Examples:
  sluice resume policy/web -n shop
  sluice resume policy/web -n shop --dry-run              what would be sent and deleted?
  sluice resume policy/web -n shop --clusters member2     one member after the other
  sluice resume deployment/nginx -n shop
  sluice resume clusterrole/reader
  sluice resume removals                                  after \`sluice restore\`: delete in members again
`,
    )
    .action((word: string, flags: ResumeFlags) =>
      withHub(flags, io, async (hub) => {
        if (word === 'removals') return resumeRemovals({ hub, io, flags });
        const target = await findTarget(hub, word, flags.namespace ?? hub.namespace);
        const { before, after, object } = await resumeWithConsent({ hub, io, flags }, target);
        const there = flags.clusters === undefined ? '' : ' there';
        const done = clustersText(after) === clustersText(before) ? `was not suspended${there}` : 'is resumed';
        const still = clustersText(before) === 'nowhere' ? '' : `; suspended ${clustersText(after)}`;
        const words = `${nameOf(target)} ${done}${still}${dryWords(flags)}\n`;
        return told(io, flags.output, { objects: [object], words });
      }),
    );
}

/** Ends the suspension of all removals; the removals that wait happen at once, so they are planned first. */
async function resumeRemovals({ hub, io, flags }: Resumption): Promise<void> {
  if (flags.clusters !== undefined) throw new UsageError('--clusters: removals are resumed on all members at once');
  const found = await hub.client.find(removalsRef);
  if (!found) return told(io, flags.output, { objects: [], words: 'removals were not suspended\n' });
  await consentTo({ hub, io, flags, what: 'Resume removals', deletionsOnly: true }, { delete: [removalsRef] });
  const { uid } = found.metadata;
  await hub.client.delete(removalsRef, { dryRun: flags.dryRun === true, ...(uid && { uid }) });
  told(io, flags.output, { objects: [found], words: `removals are resumed${dryWords(flags)}\n` });
}

/** A suspension before and after a resumption. */
export interface Resumed {
  readonly before: SuspendedClusters;
  readonly after: SuspendedClusters;
  /** The object that suspended it: as it is now, or as it was when it was deleted. */
  readonly object: Policy | RolloutPolicy;
  /** The same as a change that can be planned. */
  readonly change: ProposedChange;
}

interface Resumption extends Invocation<ResumeFlags> {
  readonly hub: Hub;
}

/** The end of a suspension also sends deletions that waited for it, so it is tried and planned first. */
async function resumeWithConsent({ hub, io, flags }: Resumption, target: Ref): Promise<Resumed> {
  if (flags.yes && !flags.dryRun) return resume({ ...hub, dryRun: false }, target, flags);
  const tried = await resume({ ...hub, dryRun: true }, target, flags);
  await consentTo({ hub, io, flags, what: `Resume ${nameOf(target)}`, deletionsOnly: true }, tried.change);
  return flags.dryRun ? tried : resume({ ...hub, dryRun: false }, target, flags);
}

/** A hub that is written to, or only asked what it would do. */
export type ResumeHub = Hub & { readonly dryRun: boolean };

/** Resumes a policy or a single object. */
export async function resume(hub: ResumeHub, target: Ref, flags: SuspendingFlags): Promise<Resumed> {
  // The end of a suspension everywhere needs no list of members.
  const everybody = flags.clusters === undefined ? [] : await new Members(hub, flags.timeout).names();
  const less = (suspended: SuspendedClusters): SuspendedClusters => withLess(suspended, clustersOf(flags), everybody);
  return isSingle(target) ? resumeSingle(hub, target, less) : resumePolicy(hub, target, less);
}

/** Resumes a policy: it is suspended by itself, and by a rollout policy where a reason or an end was given. */
async function resumePolicy(
  hub: ResumeHub,
  target: Ref,
  less: (suspended: SuspendedClusters) => SuspendedClusters,
): Promise<Resumed> {
  let before: SuspendedClusters = [];
  const done = await changed<Policy>(hub, target, (policy) => {
    before = suspendedClustersOf(policy.spec.suspension);
    return withSuspension(policy, less(before));
  });
  const own = { before, after: suspendedClustersOf(done.spec.suspension), object: done, change: { apply: [done] } };
  const isAlone = !isPolicyRef(target) || !(await hub.client.find(rolloutRef(target)));
  if (isAlone) return own;
  const single = await resumeSingle(hub, target, less);
  const change = { ...single.change, apply: [done, ...(single.change.apply ?? [])] };
  return { ...single, before: both(before, single.before), after: both(own.after, single.after), change };
}

const both = (one: SuspendedClusters, other: SuspendedClusters): SuspendedClusters =>
  withMore(one, other === 'all' ? undefined : other);

/** Deletes a rollout policy that we named after the object and that suspends nothing any more. */
async function resumeSingle(
  hub: ResumeHub,
  target: Ref,
  less: (suspended: SuspendedClusters) => SuspendedClusters,
): Promise<Resumed> {
  const ref = rolloutRef(target);
  const rollout = await hub.client.find<RolloutPolicy>(ref);
  if (!rollout) {
    throw new Failure(
      `${nameOf(target)} is not suspended by ${nameOf(ref)}: \`sluice status\` names the object that suspends it`,
    );
  }
  const before = suspendedClustersOf(rollout.spec.suspension);
  const after = less(before);
  const { uid } = rollout.metadata;
  if (clustersText(after) === 'nowhere') {
    await hub.client.delete(ref, { dryRun: hub.dryRun, ...(uid && { uid }) });
    return { before, after, object: withSuspension(rollout, after), change: { delete: [ref] } };
  }
  const change = (present: RolloutPolicy): RolloutPolicy =>
    withSuspension(present, less(suspendedClustersOf(present.spec.suspension)));
  const object = await changed<RolloutPolicy>(hub, ref, change);
  return { before, after, object, change: { apply: [object] } };
}

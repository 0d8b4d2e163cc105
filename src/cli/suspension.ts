import { Command } from 'commander';
import { policyApi, rolloutFamilies, safeHash } from '../api/index.ts';
import type { KubeObject, Policy, Ref, RolloutPolicy, Suspension } from '../api/index.ts';
import { isConflict } from '../client/index.ts';
import { suspendedClusters } from '../engine/index.ts';
import { absenceOf } from './change.ts';
import { connecting, durationOf, namespaceOption } from './connect.ts';
import type { Hub, WritingFlags } from './connect.ts';
import { Failure, UsageError } from './failure.ts';
import { isPolicyRef, isRolloutRef } from './kinds.ts';
import { writtenOption } from './print/output.ts';

/** The flags that suspending and resuming have in common. */
export interface SuspendingFlags extends WritingFlags {
  readonly namespace?: string;
  readonly clusters?: string;
}

/** A command that suspends or resumes. */
export function suspendingCommand(name: string, description: string): Command {
  return connecting(new Command(name))
    .description(description)
    .argument(
      '<KIND/NAME>',
      'policy/NAME for all templates that it manages, or one object, for example deployment/nginx',
    )
    .addOption(namespaceOption())
    .option('-C, --clusters <NAMES>', 'only on these members, for example member1,member2 (default: on all)')
    .addOption(writtenOption());
}

/** The names of `--clusters`; undefined for all. */
export function clustersOf(flags: SuspendingFlags): readonly string[] | undefined {
  if (flags.clusters === undefined) return undefined;
  const names = flags.clusters.split(',').map((name) => name.trim());
  if (names.includes('')) throw new UsageError('--clusters: a name is empty');
  return [...new Set(names)];
}

/** The suspended clusters: all, some, or none. */
export type SuspendedClusters = 'all' | readonly string[];

/** The suspended clusters after adding these. */
export function withMore(suspended: SuspendedClusters, more: readonly string[] | undefined): SuspendedClusters {
  if (more === undefined || suspended === 'all') return 'all';
  return [...new Set([...suspended, ...more])].sort();
}

/** The suspended clusters after removing these; `everybody` is the present meaning of "all". */
export function withLess(
  suspended: SuspendedClusters,
  less: readonly string[] | undefined,
  everybody: readonly string[],
): SuspendedClusters {
  if (less === undefined) return [];
  return (suspended === 'all' ? everybody : suspended).filter((name) => !less.includes(name)).sort();
}

/** The clusters that are suspended besides these. */
export function beyond(suspended: SuspendedClusters, some: readonly string[] | undefined): SuspendedClusters {
  if (some === undefined) return [];
  return suspended === 'all' ? 'all' : suspended.filter((name) => !some.includes(name));
}

/** The later of two ends; none is later than any. */
export function laterEnd(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  return Date.parse(one) < Date.parse(other) ? other : one;
}

/** The clusters that a suspension covers. */
export function suspendedClustersOf(suspension: Suspension | undefined): SuspendedClusters {
  return suspendedClusters(suspension) ?? [];
}

/** The suspension that covers these; undefined when it would cover nothing. */
export function suspensionOf(suspended: SuspendedClusters): Suspension | undefined {
  if (suspended === 'all') return { suspendDispatching: true };
  return suspended.length === 0 ? undefined : { suspendDispatchingOnClusters: { clusterNames: suspended } };
}

/** `on all members`, `on member1, member2`, `nowhere`. */
export function clustersText(suspended: SuspendedClusters): string {
  if (suspended === 'all') return 'on all members';
  return suspended.length === 0 ? 'nowhere' : `on ${suspended.join(', ')}`;
}

/** The rollout policy with which an object is suspended: it has its scope and is named after it. */
export function rolloutRef(target: Ref): Ref {
  const { namespace } = target;
  const { kind } = rolloutFamilies[namespace ? 'namespace' : 'cluster'];
  return { apiVersion: policyApi, kind, ...(namespace && { namespace }), name: nameAfter(target) };
}

const plainName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const longestName = 253;

/**
 * Roles may have colons and capitals in their names, a long name leaves no space for the kind, and independent groups
 * may have kinds of the same name: they get a hash.
 */
function nameAfter({ apiVersion, kind, name }: Ref): string {
  const plain = `${kind.toLowerCase()}-${name}`;
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
  const isAlone = isWellKnown(group);
  if (isAlone && plain.length <= longestName && plainName.test(plain)) return plain;
  const hash = safeHash(isAlone ? plain : `${group}/${plain}`);
  const legible = plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestName - hash.length - 1);
  return `${legible.replace(/-$/, '')}-${hash}`;
}

/** Tells whether a group is one of Kubernetes, where no two kinds share a name, or the one of policies. */
function isWellKnown(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io') || policyApi.startsWith(`${group}/`);
}

/** Reads, changes and writes an object, again when somebody was faster, or only tries; undefined: it is right already. */
export async function changed<T extends KubeObject>(
  { client, dryRun = false }: Pick<Hub, 'client'> & { readonly dryRun?: boolean | undefined },
  ref: Ref,
  change: (present: T) => T | undefined,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const present = await client.find<T>(ref);
    if (!present) throw new Failure(absenceOf(ref));
    const wanted = change(present);
    if (!wanted) return present;
    try {
      return await client.update(wanted, { dryRun });
    } catch (error) {
      if (!isConflict(error) || attempt >= 5) throw error;
    }
  }
}

/** The same policy, suspending these. Removes both spellings of what it suspended before. */
export function withSuspension<T extends Policy | RolloutPolicy>(policy: T, suspended: SuspendedClusters): T {
  const { suspension: _, ...spec } = policy.spec;
  const suspension = suspensionOf(suspended);
  return { ...policy, spec: { ...spec, ...(suspension && { suspension }) } };
}

/** A single object is suspended by a rollout policy, everything else by its own suspension. */
export function isSingle(target: Ref): boolean {
  return !isPolicyRef(target) && !isRolloutRef(target);
}

/** A time, or how long from now, as RFC 3339. */
export function untilOf(text: string, now: number): string {
  const time = /^[\d.]+[a-z]/.test(text) ? now + durationOf(text, '--until') : dateOf(text);
  // Beyond the last year of four digits nothing is a time that a hub can read.
  if (!(time < Date.parse('9999-12-31')))
    throw new UsageError(`--until: ${JSON.stringify(text)} must be a time (2h or 2026-12-24T18:00:00Z)`);
  if (time <= now) throw new UsageError(`--until: ${text} is in the past`);
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A number alone would pass for a month. */
function dateOf(text: string): number {
  return /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
}

import { Option } from 'commander';
import { lossesOf, plan } from '../engine/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import type { Effect, Plan, ProposedChange } from '../engine/index.ts';
import type { Hub, TryingFlags } from './connect.ts';
import { ConsentError, Failure } from './failure.ts';
import { changed } from './suspension.ts';
import type { Io } from './io.ts';
import { withMembers } from './members.ts';
import type { Members } from './members.ts';
import { counted } from './print/output.ts';
import { planText } from './print/plan.ts';
import { unseenFor } from './world/assumed.ts';
import { tellHidden } from './world/hidden.ts';
import { fetchSnapshot, settledWorld } from './world/state.ts';

/** The flags of a command that may take something away from a member. */
export interface ConsentFlags extends TryingFlags {
  readonly yes?: boolean;
}

/** The flag with which a caller agrees beforehand. */
export function yesOption(): Option {
  return new Option('-y, --yes', 'do not ask');
}

/** A question that has to be agreed to. */
export interface ConsentQuestion {
  /** Asked on a terminal; ends with a question mark. */
  readonly question: string;
  /** Why the change needs consent; the error where nobody can be asked. */
  readonly why: string;
}

/** Returns when the caller agrees, with --yes or on a terminal; throws when not. */
export async function agree(
  io: Pick<Io, 'interactive' | 'ask'>,
  { yes }: Pick<ConsentFlags, 'yes'>,
  { question, why }: ConsentQuestion,
): Promise<void> {
  if (yes) return;
  if (!io.interactive) throw new ConsentError(`${why}: agree with --yes, or see the plan with --dry-run`);
  const answer = await io.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('nothing was changed');
}

/** A plan as a caller is asked about it. */
export interface Prospect {
  readonly plan: Plan;
  /** The effects that need consent. */
  readonly losses: readonly Effect[];
  /** Kinds that the caller may not list, and without which losses may be missing. */
  readonly unseen: readonly string[];
}

/** Plans a change that the hub has already accepted as a dry run. */
export async function prospectOf(hub: Hub, members: Members, change: ProposedChange): Promise<Prospect> {
  const snapshot = await fetchSnapshot(hub, members, 'plan');
  const foreseen = plan(settledWorld(snapshot), change);
  return { plan: foreseen, losses: lossesOf(foreseen, change), unseen: unseenFor(snapshot, change) };
}

/** The step that a command is about to take. */
export interface Intent {
  readonly hub: Hub;
  readonly io: Io;
  readonly flags: ConsentFlags;
  /** As a question without its end: `Apply 2 manifests`. */
  readonly what: string;
  /** Restarts and scalings need no consent: the caller has made these changes before, and now sends them. */
  readonly deletionsOnly?: boolean;
}

/**
 * Asks before a change that takes something away from a member. Shows the plan on standard error, and nothing when the
 * change takes nothing away. With --yes no plan is made; with --dry-run the plan goes to standard output.
 */
export async function consentTo(intent: Intent, change: ProposedChange): Promise<void> {
  const { hub, flags } = intent;
  if (flags.yes && !flags.dryRun) return;
  const prospect = await withMembers(hub, flags.timeout, (members) => prospectOf(hub, members, change));
  return consentToProspect(intent, prospect);
}

/** The same for a plan that was made already. */
async function consentToProspect({ io, flags, what, deletionsOnly }: Intent, prospect: Prospect): Promise<void> {
  const { unseen, plan: foreseen } = prospect;
  const losses = prospect.losses.filter(({ effect }) => !deletionsOnly || effect === 'delete');
  if (flags.dryRun) {
    if (flags.output === 'text' && foreseen.effects.length > 0) io.out(planText(foreseen, io, false));
    return;
  }
  if (losses.length === 0 && unseen.length === 0) return;
  if (losses.length > 0) io.err(planText(foreseen, io, false));
  tellHidden(io, { hidden: unseen });
  const why = losses.length > 0 ? `this ${lossWords(losses)}` : unseenWords(unseen);
  await agree(io, flags, { question: `${what}? ${sentence(why)}`, why });
}

/** Changes an object of the hub; asks before if that takes something away from a member. */
export async function changedWithConsent<T extends KubeObject>(
  intent: Intent,
  ref: Ref,
  change: (present: T) => T | undefined,
): Promise<T> {
  const { hub, flags } = intent;
  if (flags.yes && !flags.dryRun) return changed(hub, ref, change);
  const tried = await changed({ client: hub.client, dryRun: true }, ref, change);
  await consentTo(intent, { apply: [tried] });
  return flags.dryRun ? tried : changed(hub, ref, change);
}

/** `deletes 2 objects in member1, member2`. */
export function lossWords(losses: readonly Effect[]): string {
  const deleted = losses.filter(({ effect }) => effect === 'delete');
  const disturbed = losses.filter(({ effect }) => effect !== 'delete');
  return [
    ...(deleted.length > 0 ? [`deletes ${counted(deleted.length, 'object')} in ${clustersOf(deleted)}`] : []),
    ...(disturbed.length > 0
      ? [`restarts or scales ${counted(disturbed.length, 'running object')} in ${clustersOf(disturbed)}`]
      : []),
  ].join(' and ');
}

/** Number of clusters that are named. */
const named = 4;

function clustersOf(effects: readonly Effect[]): string {
  const clusters = [...new Set(effects.map(({ cluster }) => cluster))].sort();
  const more = clusters.length - named;
  return more <= 0 ? clusters.join(', ') : `${clusters.slice(0, named).join(', ')} and ${more} more`;
}

function unseenWords(unseen: readonly string[]): string {
  return `the deletions in members are unknown: you need permission to list ${unseen.join(', ')}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

import { Command } from 'commander';
import { clusterApi, executionNamespace, refOf, removalsRef, workApi } from '../../api/index.ts';
import type { Cluster, KubeObject, Work } from '../../api/index.ts';
import { isNotFound } from '../../client/index.ts';
import { conditionStatus, isReady } from '../../engine/index.ts';
import { nameOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, dryRunOption, dryWords, durationOf, withHub } from '../connect.ts';
import type { Hub } from '../connect.ts';
import { agree, lossWords, prospectOf, yesOption } from '../consent.ts';
import type { ConsentFlags, Prospect } from '../consent.ts';
import { Failure } from '../failure.ts';
import { changed } from '../suspension.ts';
import type { Io } from '../io.ts';
import { Members, withMembers } from '../members.ts';
import { deleteIfThere, revokeAccess, secretsOf } from '../membership.ts';
import { pollUntil } from '../poll.ts';
import { counted, told, writtenOption } from '../print/output.ts';
import { planText } from '../print/plan.ts';

interface UnjoinFlags extends ConsentFlags {
  readonly force?: boolean;
  readonly waitTimeout: string;
}

/** `sluice unjoin` */
export function unjoinCommand({ io }: Run): Command {
  return connecting(new Command('unjoin'))
    .description(
      'Remove a member and delete what Sluice placed there (policies with preserveResourcesOnDeletion keep theirs), then the Cluster, its credentials and its account. Shows its plan and asks first. Safe to repeat.',
    )
    .argument('<NAME>', 'a member')
    .option('--force', 'do not wait for a member that does not answer; its objects stay there')
    .option('--wait-timeout <DURATION>', 'how long to wait', '60s')
    .addOption(yesOption())
    .addOption(dryRunOption('print the plan step by step, and write nothing'))
    .addOption(writtenOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sluice unjoin member4\n  sluice unjoin member4 --dry-run\n  sluice unjoin member4 --yes\n  sluice unjoin member4 --force --yes\n',
    )
    .action((name: string, flags: UnjoinFlags) =>
      withHub(flags, io, (hub) =>
        withMembers(hub, flags.timeout, (members) => unjoin({ hub, members, io, flags }, name)),
      ),
    );
}

interface UnjoinContext {
  readonly hub: Hub;
  readonly members: Members;
  readonly io: Io;
  readonly flags: UnjoinFlags;
}

async function unjoin(context: UnjoinContext, name: string): Promise<void> {
  const { hub, members, io, flags } = context;
  const cluster = await hub.client.find<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
  if (!cluster) throw await members.absenceOf(name);
  if (flags.dryRun) {
    await showPlan(context, cluster);
    return told(io, flags.output, { objects: [cluster], words: `cluster ${name} would be unjoined (dry run)\n` });
  }
  if (!flags.yes) await consent(context, cluster);
  await carryOut(context, cluster);
}

async function carryOut({ hub, members, io, flags }: UnjoinContext, cluster: Cluster): Promise<void> {
  const { name } = cluster.metadata;
  const ref = refOf(cluster);
  const server = await members.server(name);
  await hub.client.delete(ref);
  const isGone = async (): Promise<boolean> => (await hub.client.find(ref)) === undefined;
  const wait = durationOf(flags.waitTimeout, '--wait-timeout');
  const left = await pollUntil({ wait: flags.force ? Math.min(wait, 5000) : wait, signal: io.interrupted }, isGone);
  if (!left && !flags.force)
    throw new Failure(
      `${name} is not removed in time: ${await whatIsLeft(hub, name)}; wait, or run it again with --force`,
    );
  if (!left) await letGo(hub, name);
  for (const secret of secretsOf(name)) await deleteIfThere(hub.client, secret, {});
  if (left && 'client' in server)
    await revokeAccess(server.client, name).catch((error: unknown) =>
      io.err(`warning: the account of the hub stays in ${name}: ${String(error)}\n`),
    );
  told(io, flags.output, { objects: [cluster], words: `cluster ${name} is unjoined${endWords(cluster, left)}\n` });
}

/** Says what stays in a member that could not be asked to delete it. */
function endWords(cluster: Cluster, left: boolean): string {
  if (left && isReady(cluster)) return '';
  return `, ${left ? 'while it was not ready' : 'by force'}: its objects stay there`;
}

/** Shows the plan and asks; a deletion that was begun by an earlier run needs no second consent. */
async function consent(context: UnjoinContext, cluster: Cluster): Promise<void> {
  if (cluster.metadata.deletionTimestamp !== undefined) return;
  const { name } = cluster.metadata;
  const { losses } = await showPlan(context, cluster);
  const loss = losses.length > 0 ? lossWords(losses) : `removes the member ${name}`;
  await agree(context.io, context.flags, { question: `Unjoin ${name}? This ${loss}.`, why: `this ${loss}` });
}

/** Prints every step, and what it does to running workloads: on standard output in a dry run, else beside the question. */
async function showPlan(context: UnjoinContext, cluster: Cluster): Promise<Prospect> {
  const { hub, members, io, flags } = context;
  const print = flags.dryRun ? io.out : io.err;
  const isShown = flags.output === 'text' || !flags.dryRun;
  const steps = await stepsOf(context, cluster);
  if (isShown) for (const step of steps) print(`${step}${dryWords(flags)}\n`);
  const prospect = await prospectOf(hub, members, { delete: [refOf(cluster)] });
  const { effects, warnings } = prospect.plan;
  if (isShown && effects.length + warnings.length > 0) print(`\n${planText(prospect.plan, io, false)}`);
  return prospect;
}

/** The deletions on the hub and in the member, a line each. */
async function stepsOf({ hub, members, flags }: UnjoinContext, cluster: Cluster): Promise<readonly string[]> {
  const { name } = cluster.metadata;
  const will = flags.dryRun ? '' : 'will be ';
  await hub.client.delete(refOf(cluster), { dryRun: true });
  const steps = [`on the hub: ${nameOf(refOf(cluster))} ${will}deleted`];
  if (isReady(cluster)) steps.push(`in ${name}: ${removalWords(await worksFor(hub, name), will)}`);
  for (const secret of secretsOf(name))
    if (await deleteIfThere(hub.client, secret, { dryRun: true }))
      steps.push(`on the hub: ${nameOf(secret)} ${will}deleted`);
  const server = await members.server(name);
  if ('unreadable' in server) return [...steps, `in ${name}: not checked: ${server.unreadable}`];
  const role = await revokeAccess(server.client, name, true);
  return role ? [...steps, `in ${name}: ${nameOf(role)} ${will}deleted, and the account that has it`] : steps;
}

/** Describes the objects that the hub has placed there. */
function removalWords(works: readonly Work[], will: string): string {
  const there = works.filter(({ status }) => conditionStatus(status?.conditions, 'Applied') === 'True');
  const kept = there.filter(({ spec }) => spec.preserveResourcesOnDeletion).length;
  return `${counted(there.length - kept, 'object')} ${will}removed${kept > 0 ? `, ${kept} kept` : ''}`;
}

async function worksFor({ client }: Hub, name: string): Promise<readonly Work[]> {
  const { items } = await client.listAll<Work>(
    { apiVersion: workApi, kind: 'Work' },
    { namespace: executionNamespace(name) },
  );
  return items;
}

async function whatIsLeft(hub: Hub, name: string): Promise<string> {
  const works = await worksFor(hub, name);
  if (works.length === 0) return 'the hub has not released it';
  const waiting = `${works.length} objects wait to be removed from it`;
  const isSuspended = (await hub.client.find(removalsRef)) !== undefined;
  return isSuspended ? `${waiting}, and removals are suspended until \`sluice resume removals\`` : waiting;
}

/** Takes the finalizers off the Works and the Cluster: nobody will ask the member any more. */
async function letGo(hub: Hub, name: string): Promise<void> {
  for (const { metadata } of await worksFor(hub, name)) {
    const ref = { apiVersion: workApi, kind: 'Work', namespace: executionNamespace(name), name: metadata.name };
    await ignoringGone(async () => void (await changed(hub, ref, bare)));
    await ignoringGone(async () => void (await hub.client.delete(ref)));
  }
  await ignoringGone(
    async () => void (await changed<Cluster>(hub, { apiVersion: clusterApi, kind: 'Cluster', name }, bare)),
  );
}

function bare<T extends KubeObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, finalizers: [] } };
}

async function ignoringGone(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isNotFound(error) && !(error instanceof Failure)) throw error;
  }
}

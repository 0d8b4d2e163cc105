import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { clusterApi, keyOf, refOf } from '../api/index.ts';
import type { Cluster, KubeObject } from '../api/index.ts';
import { explain, isPropagated, plan } from '../engine/index.ts';
import type { World } from '../engine/index.ts';
import { activationOf, ask, progressOf, requested } from './activation.ts';
import type { Activation, Progress } from './activation.ts';
import { batchesOf } from './batches.ts';
import { nameOf } from './change.ts';
import type { Run } from './commands.ts';
import { connecting, durationOf, withHub } from './connect.ts';
import type { Hub, HubFlags } from './connect.ts';
import { Failure, UsageError } from './failure.ts';
import type { Io } from './io.ts';
import { findPolicy, findTarget } from './kinds.ts';
import { withMembers } from './members.ts';
import type { Members } from './members.ts';
import { byName } from './print/order.ts';
import { counted } from './print/output.ts';
import { planText } from './print/plan.ts';
import { selectorOf } from './selector.ts';
import { isHeldBy } from './world/fleet.ts';
import { fetchSnapshot, settledWorld } from './world/state.ts';

interface ReconcileFlags extends HubFlags {
  readonly selector?: string;
  readonly policy?: string;
  readonly namespace?: string;
  readonly batch?: string;
  readonly pause: string;
  readonly wait?: boolean;
  readonly waitTimeout: string;
  readonly yes?: boolean;
}

/** `sluice reconcile` */
export function reconcileCommand({ io }: Run): Command {
  return connecting(new Command('reconcile'))
    .description(
      'Let templates take up what is pending under a lazy or static policy, batch after batch. Shows what that does first. A batch that fails stops it; running it again goes on where it stopped.',
    )
    .argument('[all|KIND/NAME]', 'everything that is pending, or one object')
    .option('-l, --selector <SELECTOR>', 'only these, as app=web or clusterpropagationpolicy.karmada.io/name=web')
    .option('--policy <NAME>', 'only what this policy holds')
    .option('-n, --namespace <NS>', 'only this namespace; for an object or a policy its namespace')
    .option('--batch <N|N%>', 'so many templates at a time, or such a share (default: all at once)')
    .option('--pause <DURATION>', 'rest so long between batches', '0s')
    .option('--wait', 'wait until the last batch has arrived too')
    .option('--wait-timeout <DURATION>', 'how long a batch may take to arrive', '5m')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      `
Examples:
  sluice reconcile --policy web -n shop --batch 20% --pause 30s --wait
  sluice reconcile all -l clusterpropagationpolicy.karmada.io/name=web --yes
  sluice reconcile deployment/nginx -n shop --yes --wait
`,
    )
    .action((word: string | undefined, flags: ReconcileFlags) =>
      withHub(flags, io, (hub) =>
        withMembers(hub, flags.timeout, (members) => reconcile({ hub, members, io, flags }, word)),
      ),
    );
}

interface Desk {
  readonly hub: Hub;
  readonly members: Members;
  readonly io: Io;
  readonly flags: ReconcileFlags;
}

async function reconcile(desk: Desk, word: string | undefined): Promise<void> {
  const { hub, members, io, flags } = desk;
  const wanted = await wantedBy(desk, word);
  const world = settledWorld(await fetchSnapshot(hub, members));
  const activations = pendingIn(world, wanted);
  const batches = batchesOf(activations, flags.batch);
  if (activations.length === 0) {
    io.out('nothing is pending\n');
    return;
  }
  io.out(planText(plan(world, { apply: activations.map(requested) }), io, false));
  if (!(await isAgreed(desk, activations.length))) throw new Failure('nothing was done');
  await runBatches(desk, batches);
}

type Wanted = (template: KubeObject) => boolean;

/** Which templates are meant; all conditions count together. */
async function wantedBy({ hub, flags }: Desk, word: string | undefined): Promise<Wanted> {
  if (word === undefined && flags.policy === undefined)
    throw new UsageError('say what to reconcile: all, KIND/NAME or --policy NAME');
  const namespace = flags.namespace ?? hub.namespace;
  const conditions: Wanted[] = [];
  if (word !== undefined && word !== 'all') {
    const key = keyOf(await findTarget(hub, word, namespace));
    conditions.push((template) => keyOf(refOf(template)) === key);
  } else if (flags.namespace !== undefined && flags.policy === undefined) {
    conditions.push(({ metadata }) => metadata.namespace === flags.namespace);
  }
  if (flags.selector !== undefined) conditions.push(selectorOf(flags.selector));
  if (flags.policy !== undefined) {
    const policy = await findPolicy(hub, flags.policy, namespace);
    conditions.push((template) => isHeldBy(template, policy));
  }
  return (template) => conditions.every((condition) => condition(template));
}

function pendingIn(world: World, wanted: Wanted): readonly Activation[] {
  const found: Activation[] = [];
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@') || !isPropagated(object) || !wanted(object)) continue;
    const explanation = explain(world, refOf(object));
    if (explanation?.pending?.because === 'WaitingForTemplateChange')
      found.push(activationOf(world, object, explanation));
  }
  return found.sort((a, b) => byName(refOf(a.template), refOf(b.template)));
}

async function isAgreed({ io, flags }: Desk, count: number): Promise<boolean> {
  if (flags.yes) return true;
  if (!io.interactive) throw new UsageError('this changes what runs: agree with --yes');
  return /^y(es)?$/i.test((await io.ask(`let ${counted(count, 'template')} take up what is pending? [y/N] `)).trim());
}

async function runBatches(desk: Desk, batches: readonly (readonly Activation[])[]): Promise<void> {
  const { io, flags, hub } = desk;
  const total = batches.flat().length;
  let done = 0;
  for (const [i, batch] of batches.entries()) {
    if (io.interrupted.aborted) throw interrupted(done, total);
    for (const activation of batch) await ask(hub, activation);
    const last = i === batches.length - 1;
    const title = batches.length > 1 ? `batch ${i + 1} of ${batches.length}: ` : '';
    if (last && !flags.wait) {
      io.out(`${title}${counted(batch.length, 'template')} asked to take up what is pending\n`);
      return;
    }
    const held = await arrived(desk, batch, { done, total });
    done += batch.length;
    io.out(
      `${title}${counted(batch.length, 'template')} in effect${held > 0 ? `, ${held} of them held by a suspension` : ''}\n`,
    );
    if (!last) await rest(desk, { done, total });
  }
}

interface Tally {
  readonly done: number;
  readonly total: number;
}

function interrupted(done: number, total: number): Failure {
  return new Failure(
    `interrupted: ${done} of ${total} are in effect, the rest is as it was or on its way; run it again to go on`,
  );
}

async function rest({ io, flags }: Desk, { done, total }: Tally): Promise<void> {
  try {
    await sleep(durationOf(flags.pause, '--pause'), undefined, { signal: io.interrupted });
  } catch {
    throw interrupted(done, total);
  }
}

const firstMilliseconds = 50;
const longestMilliseconds = 2000;

/** Waits until a batch is where it belongs; answers how many of it are held. */
async function arrived(desk: Desk, batch: readonly Activation[], tally: Tally): Promise<number> {
  const { flags } = desk;
  const deadline = Date.now() + durationOf(flags.waitTimeout, '--wait-timeout');
  let open = batch;
  let held = 0;
  for (let wait = firstMilliseconds; ; wait = Math.min(longestMilliseconds, wait * 2)) {
    const looks = await look(desk, open);
    for (const { activation, progress } of looks) check(activation, progress, tally);
    held += looks.filter(({ progress }) => progress.is === 'done' && progress.held).length;
    open = looks.filter(({ progress }) => progress.is === 'underWay').map(({ activation }) => activation);
    if (open.length === 0) return held;
    if (Date.now() > deadline) throw tooLate(looks, tally);
    await rest({ ...desk, flags: { ...flags, pause: `${wait}ms` } }, tally);
  }
}

interface Look {
  readonly activation: Activation;
  readonly progress: Progress;
}

async function look({ hub: { client }, members }: Desk, open: readonly Activation[]): Promise<readonly Look[]> {
  const { items: clusters } = await client.listAll<Cluster>({ apiVersion: clusterApi, kind: 'Cluster' });
  const from = { client, members, clusters };
  return Promise.all(open.map(async (activation) => ({ activation, progress: await progressOf(from, activation) })));
}

const goOn = 'mend it and run the same command again to go on';

function check({ template }: Activation, progress: Progress, { done, total }: Tally): void {
  if (progress.is !== 'failed') return;
  throw new Failure(
    `${nameOf(refOf(template))} failed: ${progress.why}; stopped with ${done} of ${total} in effect: ${goOn}`,
  );
}

function tooLate(looks: readonly Look[], { done, total }: Tally): Failure {
  const late = looks.find(({ progress }) => progress.is === 'underWay');
  const what = late?.progress.is === 'underWay' ? late.progress.what : '';
  const name = late ? nameOf(refOf(late.activation.template)) : '';
  return new Failure(`${name} did not arrive in time (${what}); stopped with ${done} of ${total} in effect: ${goOn}`);
}

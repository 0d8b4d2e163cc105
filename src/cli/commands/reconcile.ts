import { Command } from 'commander';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Ref } from '../../api/index.ts';
import { explain, isHidden, isManagedBy, isPropagated, plan } from '../../engine/index.ts';
import type { Plan, Reason, World } from '../../engine/index.ts';
import { activationOf, requested } from '../activation.ts';
import type { Activation } from '../activation.ts';
import { batchesOf } from '../batches.ts';
import { begunIn, concerning, refuseUnhealthy } from '../begun.ts';
import type { Begun } from '../begun.ts';
import { absenceOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, dryRunOption, durationOf, withHub } from '../connect.ts';
import type { Hub } from '../connect.ts';
import { agree, yesOption } from '../consent.ts';
import type { ConsentFlags, ConsentQuestion } from '../consent.ts';
import { Failure, UsageError } from '../failure.ts';
import type { Io } from '../io.ts';
import type { NotedPlan } from '../judge.ts';
import { findPolicy, findTarget, isPolicyRef } from '../kinds.ts';
import { unseenMembers, withMembers } from '../members.ts';
import type { Members } from '../members.ts';
import { byName } from '../print/order.ts';
import { counted, formatOption, printed } from '../print/output.ts';
import { planText } from '../print/plan.ts';
import { Rollout } from '../rollout.ts';
import type { BatchReport, Pace } from '../rollout.ts';
import { selectorOf } from '../selector.ts';
import { decisiveHidden, hiddenNotes, tellHidden } from '../world/hidden.ts';
import { fetchSnapshot, foundWorld, settle } from '../world/state.ts';
import type { Snapshot } from '../world/state.ts';

interface ReconcileFlags extends ConsentFlags {
  readonly selector?: string;
  readonly policy?: string;
  readonly namespace?: string;
  readonly batch?: string;
  readonly pause: string;
  readonly wait?: boolean;
  readonly waitTimeout: string;
  readonly skipUnhealthy?: boolean;
  readonly details?: boolean;
}

/** `sluice reconcile` */
export function reconcileCommand({ io }: Run): Command {
  return connecting(new Command('reconcile'))
    .description(
      'Apply pending changes of a lazy or static policy, batch after batch. Shows the plan first. Stops at a batch that fails or is unhealthy; run the command again to continue. It refuses to continue while templates of any earlier run are unhealthy.',
    )
    .argument('[all|KIND/NAME]', 'all pending changes, those of one object, or those of one policy')
    .option(
      '-l, --selector <SELECTOR>',
      'only templates with these labels: app=web or clusterpropagationpolicy.karmada.io/name=web',
    )
    .option(
      '--policy <NAME>',
      'only templates of this policy: the one of the namespace, or else the cluster policy of this name',
    )
    .option('-n, --namespace <NS>', 'only this namespace; for an object or a policy its namespace')
    .option(
      '--batch <N|N%>',
      'templates in a batch: a number, or a percentage of all that are pending, rounded down to at least 1 (default: one batch)',
    )
    .option('--pause <DURATION>', 'pause between batches', '0s')
    .option('--wait', 'wait until the last batch and those of an earlier run have arrived')
    .option('--wait-timeout <DURATION>', 'how long a batch may take to arrive', '5m')
    .option('--skip-unhealthy', 'continue although templates of an earlier run are unhealthy or failing')
    .option('--details', 'list every effect of the plan')
    .addOption(dryRunOption('print the plan, and write nothing'))
    .addOption(yesOption())
    .addOption(formatOption('text', 'json', 'yaml'))
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

interface ReconcileContext {
  readonly hub: Hub;
  readonly members: Members;
  readonly io: Io;
  readonly flags: ReconcileFlags;
}

/** The report that `sluice reconcile -o json` prints. */
export interface Reconciliation {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'Reconciliation';
  /** The plan of the activation, as it was made before. */
  readonly plan: NotedPlan;
  readonly batches: readonly BatchReport[];
  /** Why it stopped before its end. */
  readonly failure?: string;
}

async function reconcile(context: ReconcileContext, word: string | undefined): Promise<void> {
  const { hub, members, io, flags } = context;
  const pace = paceOf(flags);
  const wanted = await wantedBy(context, word);
  const snapshot = await fetchSnapshot(hub, members, 'planAndReport');
  tellHidden(io, snapshot);
  const world = foundWorld(snapshot);
  const earlier = begunIn(world);
  settle(world, snapshot);
  const activations = pendingIn(world, wanted);
  const underWay = openOf(concerning(earlier, activations, wanted), activations, flags);
  const foreseen = { ...plan(world, { apply: activations.map(requested) }), notes: hiddenNotes(snapshot) };
  const say = (text: string): void => (flags.output === 'text' ? io.out(text) : undefined);
  const batches = batchesOf(activations, flags.batch);
  // A run in batches does not go on while a batch of an earlier run has not arrived.
  const waits = pace.waitForLast || batches.length > 1;
  const begun = waits ? underWay : [];
  const steps = begun.length > 0 ? [begun, ...batches] : batches;
  if (waits && steps.length > 0) checkSight(snapshot);
  const rollout = new Rollout({ hub, members, io, say }, steps, { ...pace, goesOn: begun.length > 0 });
  if (begun.length > 0) say(`${counted(begun.length, 'template')} of an earlier run on the way\n`);
  say(activations.length === 0 ? nothingText(snapshot) : foreseenText(foreseen, snapshot, context));
  if (flags.dryRun) return report(context, { plan: foreseen, batches: rollout.reports });
  if (activations.length > 0) await agree(io, flags, questionFor(activations.length, batches.length));
  await carryOut(context, rollout, foreseen);
}

/** The templates of earlier runs that this run waits for; refuses where more damage may follow. */
function openOf(
  begun: readonly Begun[],
  activations: readonly Activation[],
  { skipUnhealthy }: ReconcileFlags,
): readonly Begun[] {
  if (skipUnhealthy) return [];
  if (activations.length > 0) refuseUnhealthy(begun);
  return begun;
}

async function carryOut(context: ReconcileContext, rollout: Rollout, foreseen: NotedPlan): Promise<void> {
  try {
    await rollout.run();
    report(context, { plan: foreseen, batches: rollout.reports });
  } catch (error) {
    if (error instanceof Failure) report(context, { plan: foreseen, batches: rollout.reports, failure: error.message });
    throw error;
  }
}

/** Nobody sees that something has arrived where they cannot look, so they do not begin. */
function checkSight(snapshot: Snapshot): void {
  if (isHidden(snapshot.hidden, 'clusters')) throw unseenMembers();
}

function nothingText({ hidden }: Snapshot): string {
  return `nothing is pending${hidden.length > 0 ? ', as far as you may see' : ''}\n`;
}

/** The plan as text. A caller who cannot see the affected objects is not told that there is no effect. */
function foreseenText(foreseen: Plan, snapshot: Snapshot, { io, flags }: ReconcileContext): string {
  const unseen = decisiveHidden(snapshot);
  if (foreseen.effects.length > 0 || unseen.length === 0) return planText(foreseen, io, flags.details === true);
  return `the effects are unknown: you need permission to list ${unseen.join(', ')}\n`;
}

function report({ io, flags }: ReconcileContext, content: Omit<Reconciliation, 'apiVersion' | 'kind'>): void {
  const value: Reconciliation = { apiVersion: 'sluice.dev/v1', kind: 'Reconciliation', ...content };
  printed(io, flags.output, value);
}

/** Wrong durations are found out before anything is done. */
function paceOf({ pause, wait, waitTimeout }: ReconcileFlags): Omit<Pace, 'goesOn'> {
  return {
    pause: durationOf(pause, '--pause'),
    waitForLast: wait === true,
    longest: durationOf(waitTimeout, '--wait-timeout'),
  };
}

/** Tells whether a template is among those that are asked for. */
export type Wanted = (template: KubeObject) => boolean;

/** The templates to activate; all conditions count together. */
async function wantedBy({ hub, flags }: ReconcileContext, word: string | undefined): Promise<Wanted> {
  if (word === undefined && flags.policy === undefined)
    throw new UsageError('name what to reconcile: all, KIND/NAME or --policy NAME');
  const namespace = flags.namespace ?? hub.namespace;
  const conditions: Wanted[] = [];
  if (word !== undefined && word !== 'all') {
    conditions.push(only(await existing(hub, await findTarget(hub, word, namespace))));
  } else if (flags.namespace !== undefined && flags.policy === undefined) {
    conditions.push(({ metadata }) => metadata.namespace === flags.namespace);
  }
  if (flags.selector !== undefined) conditions.push(selectorOf(flags.selector));
  if (flags.policy !== undefined) {
    conditions.push(only(await findPolicy(hub, flags.policy, namespace)));
  }
  return (template) => conditions.every((condition) => condition(template));
}

/** Just this object; of a policy all templates that it manages. */
function only(ref: Ref): Wanted {
  if (isPolicyRef(ref)) return (template) => isManagedBy(template, ref);
  const key = keyOf(ref);
  return (template) => keyOf(refOf(template)) === key;
}

/** A name that was mistyped must not pass for one that has nothing pending. */
async function existing({ client }: Hub, ref: Ref): Promise<Ref> {
  if (await client.find(ref)) return ref;
  throw new Failure(absenceOf(ref));
}

/** A request activates changes of policies, and of overrides. */
export const activatable: ReadonlySet<Reason> = new Set(['WaitingForTemplateChange', 'OverrideWaits']);

/** The templates whose pending changes a request activates, in the order of their names. */
export function pendingIn(world: World, wanted: Wanted): readonly Activation[] {
  const found: Activation[] = [];
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@') || !isPropagated(object) || !wanted(object)) continue;
    const explanation = explain(world, refOf(object));
    if (explanation?.pending && activatable.has(explanation.pending.because))
      found.push(activationOf(world, object, explanation));
  }
  return found.sort((a, b) => byName(refOf(a.template), refOf(b.template)));
}

function questionFor(count: number, batches: number): ConsentQuestion {
  const inBatches = batches > 1 ? ` in ${batches} batches` : '';
  return {
    question: `Apply pending changes to ${counted(count, 'workload')}${inBatches}?`,
    why: 'this changes running workloads',
  };
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import type { Run } from '../commands.ts';
import { connecting, withHub } from '../connect.ts';
import type { HubFlags } from '../connect.ts';
import { Failure, UsageError } from '../failure.ts';
import { manifestsOf } from '../files.ts';
import type { Io } from '../io.ts';
import { groundOf, judgeLive, judgeOffline } from '../judge.ts';
import type { JudgedChange, NotedPlan, Outcome } from '../judge.ts';
import { withMembers } from '../members.ts';
import { markdownOf } from '../print/markdown.ts';
import { outputOption, printed } from '../print/output.ts';
import { planText } from '../print/plan.ts';
import { parseSnapshot } from '../world/file.ts';
import { fetchSnapshot } from '../world/state.ts';
import type { Snapshot } from '../world/state.ts';

interface PlanFlags extends HubFlags {
  readonly filename?: readonly string[];
  readonly delete?: readonly string[];
  readonly namespace?: string;
  readonly output: string;
  readonly snapshot?: string;
  readonly details?: boolean;
}

/** `sluice plan` */
export function planCommand(run: Run): Command {
  return connecting(new Command('plan'))
    .description(
      'Show what a change would do to running workloads. The plan is made by the rules that the controllers run, for all objects of the change together; nothing is written. An effect happens now, or it is pending (waits for the template), suspended (waits for the end of a suspension) or unreachable (waits until the member is back). Warnings name what you should look at first: clusters that do not exist, templates that lose their policy, a policy that wins nothing.\n\nUses your permissions. Objects that you cannot read are listed as notes, on standard error and in JSON and YAML; if too much is hidden, the plan fails.\n\nExit code 0: no effect on running workloads; 3: an effect, now or when a member is back; 1: the change would be refused, or an error.',
    )
    .option('-f, --filename <FILE...>', 'manifests to apply: files, folders, - for standard input')
    .option('--delete <KIND/NAME...>', 'objects to delete')
    .option('-n, --namespace <NS>', 'namespace of objects that name none (default: that of the context)')
    .addOption(outputOption('json', 'yaml', 'markdown'))
    .option('--snapshot <FILE>', 'plan on a snapshot of `sluice snapshot` instead of the live hub')
    .option('--details', 'list every effect, template by template and cluster by cluster')
    .addHelpText(
      'after',
      `
Examples:
  sluice plan -f policy.yaml                      what would this policy edit move, restart or delete?
  sluice plan -f app/ -f policy.yaml --details    a folder and a policy as one change, every effect
  sluice plan --delete policy/web -n shop         what if the policy were deleted?
  sluice plan -f policy.yaml -o markdown          for a comment on a pull request
  sluice snapshot > state.json; sluice plan -f policy.yaml --snapshot state.json`,
    )
    .action((flags: PlanFlags) => runPlan(flags, run));
}

async function runPlan(flags: PlanFlags, run: Run): Promise<void> {
  const asked = await askedBy(flags, run.io);
  const outcome =
    flags.snapshot === undefined
      ? await planLive(flags, run.io, asked)
      : judgeOffline(groundOf(await readSnapshot(flags.snapshot, run.io)), asked);
  for (const note of outcome.notes) run.io.err(`note: ${note}\n`);
  checkSight(outcome);
  print(outcome, flags, run.io);
  if (outcome.plan.errors.length > 0) run.exit(1);
  else if (outcome.touches) run.exit(3);
}

/** Plans on the live hub. The hub warns of the same things as the plan; only the rest of its warnings is printed. */
async function planLive(flags: PlanFlags, io: Io, asked: JudgedChange): Promise<Outcome> {
  const heard = new Set<string>();
  const onWarning = (text: string): void => void heard.add(text);
  const outcome = await withHub({ ...flags, onWarning }, io, (hub) =>
    withMembers(hub, flags.timeout, async (members) =>
      judgeLive({ hub, members, ground: groundOf(await fetchSnapshot(hub, members, 'plan')) }, asked),
    ),
  );
  for (const { message } of outcome.plan.warnings) heard.delete(message);
  for (const text of heard) io.err(`warning: ${text}\n`);
  return outcome;
}

async function askedBy(flags: PlanFlags, io: Io): Promise<JudgedChange> {
  const { filename = [], delete: deletes = [], namespace } = flags;
  if (filename.length + deletes.length === 0)
    throw new UsageError('say what would change: -f FILE or --delete KIND/NAME');
  return { manifests: filename.length > 0 ? await manifestsOf(filename, io) : [], deletes, namespace };
}

async function readSnapshot(file: string, io: Io): Promise<Snapshot> {
  try {
    return parseSnapshot(await readFile(path.resolve(io.directory, file), 'utf8'), file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`the snapshot ${file} cannot be read`, { cause: error });
  }
}

/** Fails if too much is hidden: a script that goes on at "no effect" relies on it. */
function checkSight({ plan, touches, unseen }: Outcome): void {
  if (unseen.length === 0 || touches || plan.errors.length > 0) return;
  throw new Failure(`cannot plan: you need permission to list ${unseen.join(', ')}`);
}

function print({ plan, notes }: Outcome, { output, details }: PlanFlags, io: Io): void {
  if (printed(io, output, { ...plan, notes } satisfies NotedPlan)) return;
  io.out(output === 'markdown' ? markdownOf(plan, notes) : planText(plan, io, details === true));
}

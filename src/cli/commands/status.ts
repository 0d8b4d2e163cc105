import { Command } from 'commander';
import { keyOf, policyFamilies } from '../../api/index.ts';
import type { Ref } from '../../api/index.ts';
import { fleetOf, isHidden, reportOn, templateStates } from '../../engine/index.ts';
import type { FleetReport, Hidden, TemplateReport, TemplateState, World } from '../../engine/index.ts';
import { absenceOf, nameOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, durationOf, withHub } from '../connect.ts';
import type { HubFlags } from '../connect.ts';
import { Failure, UsageError } from '../failure.ts';
import type { Io } from '../io.ts';
import { findTarget, isPolicyRef } from '../kinds.ts';
import { withMembers } from '../members.ts';
import { formatted, outputOption, resourceName } from '../print/output.ts';
import { keepShowing } from '../print/screen.ts';
import { fleetText, templateText } from '../print/status.ts';
import { tellHidden } from '../world/hidden.ts';
import { fetchSnapshot, fetchWith, foundWorld } from '../world/state.ts';

interface StatusFlags extends HubFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly failOn?: string;
  readonly output: string;
  readonly watch?: boolean;
  readonly interval: string;
}

/** `sluice status` */
export function statusCommand(run: Run): Command {
  return connecting(new Command('status'))
    .description(
      'Show the state of one object, of everything that a policy manages, or of the whole fleet: in effect, progressing, unhealthy, pending, suspended or failing, and why.',
    )
    .argument('[KIND/NAME]', 'an object of the hub, or policy/NAME for everything that it manages')
    .option('-n, --namespace <NS>', 'only this namespace; for an object its namespace (default: that of the context)')
    .option('-A, --all-namespaces', 'all namespaces, which is the default for the fleet')
    .option(
      '--fail-on <STATES>',
      'exit 1 if a template is in one of these states: failing, unhealthy, suspended, pending, progressing',
    )
    .option('-w, --watch', 'refresh until you press Ctrl-C')
    .option('--interval <DURATION>', 'with --watch: look again after this time', '2s')
    .addOption(outputOption('wide', 'json', 'yaml', 'name'))
    .addHelpText(
      'after',
      `
States:
  in effect     delivered and healthy, or of a kind without health
  progressing   on its way, or delivered and not healthy yet, inside its deadline
  unhealthy     past its deadline, or the member says that it failed; WHY has the words of the member
  pending       a change of the policy waits for the next change of the template (lazy, static)
  suspended     a suspension keeps something from a member
  failing       not delivered: a member refused it, or no cluster fits
  unknown       hidden from you; WHY names the permission that you need
The deadline of a Deployment is its progressDeadlineSeconds; all other kinds have 10 minutes.

Examples:
  sluice status                          the whole fleet, and what is not in effect
  sluice status -o wide                  every template
  sluice status -n shop                  everything in a namespace
  sluice status deployment/nginx -n shop
  sluice status policy/web -n shop       everything that the policy manages
  sluice status policy/web -n shop -w    the same, again and again
  sluice status --fail-on unhealthy,failing
`,
    )
    .action((word: string | undefined, flags: StatusFlags) => runStatus(word, flags, run));
}

async function runStatus(word: string | undefined, given: StatusFlags, { io, exit }: Run): Promise<void> {
  const { namespace, ...others } = given;
  const flags: StatusFlags = given.allNamespaces
    ? others
    : { ...others, ...(namespace !== undefined && { namespace }) };
  const interval = durationOf(flags.interval, '--interval');
  const failing = statesOf(flags);
  await withHub(flags, io, async (hub) => {
    const target = word === undefined ? undefined : await findTarget(hub, word, flags.namespace ?? hub.namespace);
    await withMembers(hub, flags.timeout, async (members) => {
      let isTold = false;
      const look = async (): Promise<Shown> => {
        const snapshot = isTemplate(target) ? await fetchWith(hub, members, target) : await fetchSnapshot(hub, members);
        if (!isTold) tellHidden(io, snapshot);
        isTold = true;
        return shownOf(foundWorld(snapshot), target, { flags, io, hidden: snapshot.hidden });
      };
      if (flags.watch) return keepShowing(async () => (await look()).text, io, interval);
      const { text, states } = await look();
      io.out(text);
      if (states.some((state) => failing.has(state))) exit(1);
    });
  });
}

/** The states of `--fail-on`; every template is in one state, the worst that is true of it. */
function statesOf({ failOn, watch }: StatusFlags): ReadonlySet<TemplateState> {
  if (failOn === undefined) return new Set();
  if (watch) throw new UsageError('--fail-on and --watch exclude each other');
  const allowed = templateStates.filter(
    (state) => state !== 'inEffect' && state !== 'notPropagated' && state !== 'unknown',
  );
  const named = failOn.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !(allowed as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--fail-on: "${unknown}" is not a state; use one or more of ${allowed.join(', ')}`);
  return new Set(named as TemplateState[]);
}

/** A screen, and the states of the templates on it. */
interface Shown {
  readonly text: string;
  readonly states: readonly TemplateState[];
}

interface Printing {
  readonly flags: StatusFlags;
  readonly io: Io;
  readonly hidden: Hidden;
}

function shownOf(world: World, target: Ref | undefined, printing: Printing): Shown {
  if (isTemplate(target)) {
    const report = templateIn(world, target, printing.hidden);
    return { text: templateScreen(report, printing), states: [report.state] };
  }
  if (target && !world.get(keyOf(target)) && !isUnseen(target, printing.hidden))
    throw new Failure(`there is no ${nameOf(target)}`);
  const part = { policy: target, namespace: printing.flags.namespace, hidden: printing.hidden };
  const report = fleetOf(world, part);
  const states = report.templates.map(({ state }) => state);
  return { text: fleetScreen(report, part, printing), states };
}

const isTemplate = (target: Ref | undefined): target is Ref => target !== undefined && !isPolicyRef(target);

/** Templates name the policy that manages them, also to those who may not see the policy. */
function isUnseen({ kind, namespace }: Ref, hidden: Hidden): boolean {
  const family = Object.values(policyFamilies).find((one) => one.kind === kind);
  return family !== undefined && isHidden(hidden, family.plural, namespace);
}

function templateIn(world: World, target: Ref, hidden: Hidden): TemplateReport {
  const template = world.get(keyOf(target));
  if (!template) throw new Failure(absenceOf(target));
  return reportOn(world, template, hidden);
}

function templateScreen(report: TemplateReport, { flags, io }: Printing): string {
  if (flags.output === 'name') return `${resourceName(report.template)}\n`;
  const named = { apiVersion: 'sluice.dev/v1', kind: 'TemplateStatus', ...report };
  return formatted(flags.output, named) ?? templateText(report, io);
}

function fleetScreen(report: FleetReport, part: Parameters<typeof fleetOf>[1], { flags, io }: Printing): string {
  if (flags.output === 'name') return report.templates.map(({ template }) => `${resourceName(template)}\n`).join('');
  return formatted(flags.output, report) ?? fleetText(report, io, { ...part, wide: flags.output === 'wide' });
}

import { Command } from 'commander';
import { keyOf } from '../api/index.ts';
import type { Ref } from '../api/index.ts';
import type { World } from '../engine/index.ts';
import { absenceOf, nameOf } from './change.ts';
import type { Run } from './commands.ts';
import { connecting, durationOf, withHub } from './connect.ts';
import type { HubFlags } from './connect.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { findTarget, isPolicyRef } from './kinds.ts';
import { withMembers } from './members.ts';
import { formatted, outputOption, resourceName } from './print/output.ts';
import { keepShowing } from './print/screen.ts';
import { fleetText, templateText } from './print/status.ts';
import { fleetOf } from './world/fleet.ts';
import { lackingRights, tellHidden } from './world/hidden.ts';
import { reportOn } from './world/report.ts';
import { fetchSnapshot, foundWorld } from './world/state.ts';

interface StatusFlags extends HubFlags {
  readonly namespace?: string;
  readonly output: string;
  readonly watch?: boolean;
  readonly interval: string;
}

/** `sluice status` */
export function statusCommand(run: Run): Command {
  return connecting(new Command('status'))
    .description(
      'Say what is in effect, what waits and why, what is held and by whom, and what fails in the words of the member: for one object, for all that a policy holds, or for the whole fleet.',
    )
    .argument('[KIND/NAME]', 'an object of the hub, or policy/NAME for all that it holds')
    .option('-n, --namespace <NS>', 'only this namespace; for an object its namespace (default: that of the context)')
    .option('-w, --watch', 'go on, and show it again when it has changed')
    .option('--interval <DURATION>', 'with --watch: look again after this time', '2s')
    .addOption(outputOption('wide', 'json', 'yaml', 'name'))
    .addHelpText(
      'after',
      `
Examples:
  sluice status                          the whole fleet, and what is not in effect
  sluice status -o wide                  every template
  sluice status -n shop                  everything in a namespace
  sluice status deployment/nginx -n shop
  sluice status policy/web -n shop       everything that the policy holds
  sluice status policy/web -n shop -w    the same, again and again
`,
    )
    .action((word: string | undefined, flags: StatusFlags) => runStatus(word, flags, run.io));
}

async function runStatus(word: string | undefined, flags: StatusFlags, io: Io): Promise<void> {
  const interval = durationOf(flags.interval, '--interval');
  await withHub(flags, io, async (hub) => {
    const target = word === undefined ? undefined : await findTarget(hub, word, flags.namespace ?? hub.namespace);
    await withMembers(hub, flags.timeout, (members) => {
      let isTold = false;
      const look = async (): Promise<string> => {
        const snapshot = await fetchSnapshot(hub, members);
        if (!isTold) tellHidden(io, snapshot);
        isTold = true;
        return statusText(foundWorld(snapshot), target, { flags, io, lacking: lackingRights(snapshot) });
      };
      return flags.watch ? keepShowing(look, io, interval) : look().then(io.out);
    });
  });
}

interface Printing {
  readonly flags: StatusFlags;
  readonly io: Io;
  readonly lacking: readonly string[];
}

function statusText(world: World, target: Ref | undefined, printing: Printing): string {
  return target && !isPolicyRef(target)
    ? textOfTemplate(world, target, printing)
    : textOfFleet(world, target, printing);
}

function textOfTemplate(world: World, target: Ref, { flags, io, lacking }: Printing): string {
  const template = world.get(keyOf(target));
  if (!template) throw new Failure(absenceOf(target));
  if (flags.output === 'name') return `${resourceName(target)}\n`;
  const report = reportOn(world, template, lacking);
  return formatted(flags.output, report) ?? templateText(report, io);
}

function textOfFleet(world: World, policy: Ref | undefined, { flags, io, lacking }: Printing): string {
  if (policy && !world.get(keyOf(policy))) throw new Failure(`there is no ${nameOf(policy)}`);
  const part = { policy, namespace: flags.namespace, lacking };
  const report = fleetOf(world, part);
  if (flags.output === 'name') return report.templates.map(({ template }) => `${resourceName(template)}\n`).join('');
  return formatted(flags.output, report) ?? fleetText(report, io, { ...part, wide: flags.output === 'wide' });
}

import { Command } from 'commander';
import { keyOf } from '../api/index.ts';
import type { Ref } from '../api/index.ts';
import type { World } from '../engine/index.ts';
import { nameOf } from './change.ts';
import type { Run } from './commands.ts';
import { connecting, withHub } from './connect.ts';
import type { HubFlags } from './connect.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { findTarget, isPolicyRef } from './kinds.ts';
import { withMembers } from './members.ts';
import { outputOption, printed } from './print/output.ts';
import { fleetText, templateText } from './print/status.ts';
import { fleetOf } from './world/fleet.ts';
import { reportOn } from './world/report.ts';
import { fetchSnapshot, foundWorld } from './world/state.ts';

interface StatusFlags extends HubFlags {
  readonly namespace?: string;
  readonly output: 'table' | 'wide' | 'json' | 'yaml';
}

/** `sluice status` */
export function statusCommand(run: Run): Command {
  return connecting(new Command('status'))
    .description(
      'Say what is in effect, what waits and why, what is held and by whom, and what fails in the words of the member: for one object, for all that a policy holds, or for the whole fleet.',
    )
    .argument('[KIND/NAME]', 'an object of the hub, or policy/NAME for all that it holds')
    .option('-n, --namespace <NS>', 'only this namespace; for an object its namespace (default: that of the context)')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .addHelpText(
      'after',
      `
Examples:
  sluice status                          the whole fleet, and what is not in effect
  sluice status -o wide                  every template
  sluice status -n shop                  everything in a namespace
  sluice status deployment/nginx -n shop
  sluice status policy/web -n shop       everything that the policy holds
`,
    )
    .action((word: string | undefined, flags: StatusFlags) => runStatus(word, flags, run.io));
}

async function runStatus(word: string | undefined, flags: StatusFlags, io: Io): Promise<void> {
  const { world, target } = await withHub(flags, io, async (hub) => {
    const found = word === undefined ? undefined : await findTarget(hub, word, flags.namespace ?? hub.namespace);
    const snapshot = await withMembers(hub, flags.timeout, (members) => fetchSnapshot(hub, members));
    return { world: foundWorld(snapshot), target: found };
  });
  if (target && !isPolicyRef(target)) printTemplate(world, target, { flags, io });
  else printFleet(world, target, { flags, io });
}

interface Printing {
  readonly flags: StatusFlags;
  readonly io: Io;
}

function printTemplate(world: World, target: Ref, { flags, io }: Printing): void {
  const template = world.get(keyOf(target));
  if (!template) throw new Failure(`there is no ${nameOf(target)}: name its namespace with -n`);
  const report = reportOn(world, template);
  if (!printed(io, flags.output, report)) io.out(templateText(report, io));
}

function printFleet(world: World, policy: Ref | undefined, { flags, io }: Printing): void {
  if (policy && !world.get(keyOf(policy))) throw new Failure(`there is no ${nameOf(policy)}`);
  const part = { policy, namespace: flags.namespace };
  const report = fleetOf(world, part);
  if (!printed(io, flags.output, report)) io.out(fleetText(report, io, { ...part, wide: flags.output === 'wide' }));
}

import { Command } from 'commander';
import { keyOf } from '../api/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import { claimOf, isReady } from '../engine/index.ts';
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
import { membersText, templatesText, templateText, totalsText } from './print/status.ts';
import type { MemberReport, Totals } from './print/status.ts';
import { reportAll, reportOn } from './world/report.ts';
import type { TemplateReport } from './world/report.ts';
import { fetchSnapshot, foundWorld } from './world/state.ts';

interface StatusFlags extends HubFlags {
  readonly namespace?: string;
  readonly output: 'table' | 'json' | 'yaml';
}

/** What `sluice status -o json` prints for the fleet, a namespace or a policy. */
export interface FleetReport {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'FleetStatus';
  readonly totals: Totals;
  readonly members: readonly MemberReport[];
  readonly templates: readonly TemplateReport[];
}

/** `sluice status` */
export function statusCommand(run: Run): Command {
  return connecting(new Command('status'))
    .description(
      'Say what is in effect, what waits and why, what is held and by whom, and what fails in the words of the member: for one object, for all that a policy holds, or for the whole fleet.',
    )
    .argument('[KIND/NAME]', 'an object of the hub, or policy/NAME for all that it holds')
    .option('-n, --namespace <NS>', 'only this namespace; for an object its namespace (default: that of the context)')
    .addOption(outputOption('json', 'yaml'))
    .addHelpText(
      'after',
      `
Examples:
  sluice status                          the whole fleet, and what is not in effect
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
  const { namespace } = flags;
  const wanted = policy
    ? (template: KubeObject) => isHeldBy(template, policy)
    : (template: KubeObject) => namespace === undefined || template.metadata.namespace === namespace;
  const templates = reportAll(world, wanted);
  const members = membersOf(world, templates);
  const report: FleetReport = {
    apiVersion: 'sluice.dev/v1',
    kind: 'FleetStatus',
    totals: totalsOf(templates),
    members,
    templates,
  };
  if (printed(io, flags.output, report)) return;
  const whole = policy === undefined && namespace === undefined;
  const shown = whole ? templates.filter(({ state }) => state !== 'inEffect') : templates;
  const parts = [
    ...(policy ? [] : [membersText(members, io)]),
    ...(shown.length > 0 ? [templatesText(shown, io)] : []),
    `${totalsText(report.totals)}\n`,
  ];
  io.out(parts.join('\n'));
}

function isHeldBy(template: KubeObject, policy: Ref): boolean {
  const claim = claimOf(template);
  return claim?.family.kind === policy.kind && claim.name === policy.name && claim.namespace === policy.namespace;
}

function totalsOf(templates: readonly TemplateReport[]): Totals {
  const totals = { templates: templates.length, failing: 0, held: 0, pending: 0, progressing: 0, inEffect: 0 };
  for (const { state } of templates) totals[state]++;
  return totals;
}

function membersOf({ clusters }: World, templates: readonly TemplateReport[]): readonly MemberReport[] {
  return clusters.map((cluster) => {
    const { name } = cluster.metadata;
    const own = templates.flatMap((template) => template.clusters.filter((there) => there.name === name));
    const ready = cluster.status?.conditions?.find(({ type }) => type === 'Ready');
    return {
      name,
      ready: isReady(cluster),
      templates: own.length,
      held: own.filter(({ state }) => state === 'held').length,
      failing: own.filter(({ state }) => state === 'failing').length,
      ...(ready?.message && { message: ready.message }),
    };
  });
}

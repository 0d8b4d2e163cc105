import { Command } from 'commander';
import { controlPath } from '../../app/index.ts';
import type { FaultChange, Faults } from '../../app/index.ts';
import { ApiClient, contextOf, HttpsTransport, memberBounds, readKubeconfig } from '../../client/index.ts';
import type { Run } from '../commands.ts';
import { durationOf, kubeconfigsOf } from '../connect.ts';
import { Failure, UsageError } from '../failure.ts';
import type { Io } from '../io.ts';
import { formatOption, printed } from '../print/output.ts';

interface SimFlags {
  readonly kubeconfig?: string;
  readonly down?: boolean;
  readonly up?: boolean;
  readonly latency?: string;
  readonly errors?: string;
  readonly throttle?: string;
  readonly partition?: boolean;
  readonly refuse?: readonly string[];
  readonly forget?: boolean;
  readonly cutWatches?: boolean;
  readonly clockSkew?: string;
  readonly reset?: boolean;
  readonly output: string;
}

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `sluice sim` */
export function simCommand({ io }: Run): Command {
  return new Command('sim')
    .description(
      'Inject faults into a simulated member of `sluice up`, or remove them; without a flag: show what is set.',
    )
    .argument('<NAME>', 'the member, as its context in the kubeconfig')
    .option('--kubeconfig <FILE>', 'kubeconfig that sluice up wrote (default: $KUBECONFIG, ./.sluice/kubeconfig)')
    .option('--down', 'every connection is reset')
    .option('--up', 'connections are accepted again')
    .option('--partition', 'connections are accepted and nothing is answered')
    .option('--latency <DURATION>', 'delay every request by this time: 500ms or 2s')
    .option('--errors <PERCENT>', 'this share of requests fails with 500: 10%')
    .option('--throttle <PERCENT>', 'this share of requests is answered with 429')
    .option('--refuse <KIND>', 'refuse writes of a kind; may be given more than once', collected)
    .option('--clock-skew <DURATION>', 'the clock of the member is ahead by this time')
    .option('--forget', 'lose every object, like a new cluster')
    .option('--cut-watches', 'end the watches that are open now')
    .option('--reset', 'heal everything')
    .addOption(formatOption('text', 'json', 'yaml'))
    .addHelpText(
      'after',
      '\nExamples:\n  sluice sim member1 --down\n  sluice sim member2 --latency 500ms --errors 10%\n  sluice sim member1 --reset\n',
    )
    .action((name: string, flags: SimFlags) => sim(name, flags, io));
}

async function sim(name: string, flags: SimFlags, io: Io): Promise<void> {
  const config = await readKubeconfig(kubeconfigsOf(flags, io));
  const transport = new HttpsTransport(contextOf(config, name).connection, { bounds: memberBounds });
  const member = new ApiClient({ transport, resources: () => ({ kinds: [], byKind: () => undefined }) });
  try {
    const faults = await asked(member, flags);
    const value = { apiVersion: 'sluice.dev/v1', kind: 'Faults', member: name, ...faults };
    if (!printed(io, flags.output, value)) io.out(faultsText(name, faults));
  } catch (error) {
    if ((error as { readonly status?: { readonly code?: number } }).status?.code !== 404) throw error;
    throw new Failure(`${name} is not a simulated member: faults are for members of sluice up only`);
  } finally {
    await member.close();
  }
}

async function asked(member: ApiClient, flags: SimFlags): Promise<Faults> {
  if (flags.reset) return (await member.raw({ method: 'DELETE', path: controlPath })).body as Faults;
  const change = changeOf(flags);
  if (Object.keys(change).length === 0) return (await member.raw({ method: 'GET', path: controlPath })).body as Faults;
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return (await member.raw({ method: 'PUT', path: controlPath, body: change, headers })).body as Faults;
}

/** The changes that the flags ask for; faults without a flag stay. */
export function changeOf(flags: Omit<SimFlags, 'output'>): FaultChange {
  if (flags.down && flags.up) throw new UsageError('--down and --up exclude each other');
  return {
    ...(flags.down && { down: true }),
    ...(flags.up && { down: false, partition: false }),
    ...(flags.partition && { partition: true }),
    ...(flags.latency !== undefined && { latencyMilliseconds: milliseconds('--latency', flags.latency) }),
    ...(flags.errors !== undefined && { errorPercent: percent('--errors', flags.errors) }),
    ...(flags.throttle !== undefined && { throttlePercent: percent('--throttle', flags.throttle) }),
    ...(flags.clockSkew !== undefined && { clockSkewSeconds: milliseconds('--clock-skew', flags.clockSkew) / 1000 }),
    ...onceOf(flags),
  };
}

function onceOf({ refuse, forget, cutWatches }: Omit<SimFlags, 'output'>): FaultChange {
  return {
    ...(refuse && { refuse: refuse.map((kind) => ({ kind, code: 403 as const })) }),
    ...(forget && { forget: true }),
    ...(cutWatches && { cutWatches: true }),
  };
}

/** A clock may also be behind. */
function milliseconds(flag: string, text: string): number {
  return text.startsWith('-') ? -durationOf(text.slice(1), flag) : durationOf(text, flag);
}

function percent(flag: string, text: string): number {
  const value = Number(text.replace(/%$/, ''));
  if (!(value >= 0 && value <= 100))
    throw new UsageError(`${flag}: ${JSON.stringify(text)} must be a percentage (10%)`);
  return value;
}

/** The faults of the member, one a line. */
export function faultsText(name: string, faults: Faults): string {
  const lines = [
    faults.down && 'down: every connection is reset',
    faults.partition && 'partition: nothing is answered',
    faults.latencyMilliseconds > 0 && `latency: ${faults.latencyMilliseconds} ms`,
    faults.errorPercent > 0 && `errors: ${faults.errorPercent} % of the requests`,
    faults.throttlePercent > 0 && `throttled: ${faults.throttlePercent} % of the requests`,
    faults.refuse.length > 0 && `refuses: ${faults.refuse.map(({ kind }) => kind).join(', ')}`,
    faults.clockSkewSeconds !== 0 && `clock skew: ${faults.clockSkewSeconds} s`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? `${name}: well\n` : `${name}:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

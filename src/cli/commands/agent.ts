import { once } from 'node:events';
import path from 'node:path';
import { Command, Option } from 'commander';
import { longestTimer } from '../../base/index.ts';
import { inClusterConnection, startAgent } from '../../app/index.ts';
import { contextOf, kubeconfigFiles, readKubeconfig } from '../../client/index.ts';
import type { Connection } from '../../client/index.ts';
import type { Run } from '../commands.ts';
import { durationOf } from '../connect.ts';
import { UsageError } from '../failure.ts';
import type { Io } from '../io.ts';
import { packageVersion } from './version.ts';

interface AgentFlags {
  readonly hubKubeconfig: string;
  readonly hubContext?: string;
  readonly cluster: string;
  readonly memberKubeconfig?: string;
  readonly memberContext?: string;
  readonly statusUpdateFrequency: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly logFormat: 'pretty' | 'json';
}

/** `sluice agent` */
export function agentCommand({ io }: Run): Command {
  return new Command('agent')
    .description(
      'Run the agent of a Pull member beside it: it fetches the Works of the member from the hub, writes them to the member and reports back. The hub need not reach the member. While the hub is away, the member keeps what it was told last.',
    )
    .requiredOption('--hub-kubeconfig <FILE>', 'kubeconfig of the hub, as `sluice register` writes it')
    .option('--hub-context <NAME>', 'context of that kubeconfig (default: its current one)')
    .requiredOption('--cluster <NAME>', 'the name of the member on the hub')
    .option(
      '--member-kubeconfig <FILE>',
      'kubeconfig of the member (default: the service account of the pod, $KUBECONFIG, ~/.kube/config)',
    )
    .option('--member-context <NAME>', 'context of that kubeconfig (default: its current one)')
    .option(
      '--status-update-frequency <DURATION>',
      'how often the lease is renewed and the member is looked at; well below the grace period of the hub',
      '10s',
    )
    .addOption(
      new Option('--log-level <LEVEL>').choices(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    )
    .addOption(new Option('--log-format <FORMAT>').choices(['pretty', 'json']).default('pretty'))
    .addHelpText('after', '\nExamples:\n  sluice agent --hub-kubeconfig hub.kubeconfig --cluster edge\n')
    .action((flags: AgentFlags) => runAgent(flags, io));
}

async function runAgent(flags: AgentFlags, io: Io): Promise<void> {
  const kubeconfig = path.resolve(io.directory, flags.hubKubeconfig);
  const hub = await connectionIn([kubeconfig], flags.hubContext);
  const everyMilliseconds = durationOf(flags.statusUpdateFrequency, '--status-update-frequency');
  if (everyMilliseconds < 100) throw new UsageError('--status-update-frequency must be at least 100ms');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const options = {
    hub,
    kubeconfig,
    cluster: flags.cluster,
    member: await memberConnection(flags, io),
    version: packageVersion(),
    logLevel: flags.logLevel,
    logFormat: flags.logFormat,
    everyMilliseconds,
    onWait: (why: string) => io.err(`sluice agent waits: ${why}\n`),
  };
  // Without the hub and the member nothing else keeps the process alive: the other timers do not.
  const alive = setInterval(() => {}, longestTimer);
  try {
    const agent = await startAgent(options, stopping.signal);
    if (!agent) return;
    io.out(`sluice agent is ready: member ${flags.cluster}, hub ${hub.server}\n`);
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
    await agent.stop();
  } finally {
    clearInterval(alive);
  }
}

async function memberConnection({ memberKubeconfig, memberContext }: AgentFlags, io: Io): Promise<Connection> {
  if (memberKubeconfig !== undefined)
    return connectionIn([path.resolve(io.directory, memberKubeconfig)], memberContext);
  return inClusterConnection(io.environment) ?? connectionIn(kubeconfigFiles(io.environment), memberContext);
}

async function connectionIn(files: readonly string[], context: string | undefined): Promise<Connection> {
  return contextOf(await readKubeconfig(files), context).connection;
}

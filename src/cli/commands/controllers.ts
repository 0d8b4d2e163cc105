import { Command, Option } from 'commander';
import {
  addressOf,
  controllersOf,
  createLogger,
  FlagError,
  gatesOf,
  hubConnection,
  runControllers,
} from '../../app/index.ts';
import type { RunningControllers } from '../../app/index.ts';
import { Failure } from '../failure.ts';
import type { Run } from '../commands.ts';
import { packageVersion } from './version.ts';

/** Flags of every role that works for a hub elsewhere. */
export interface RoleFlags {
  readonly hubKubeconfig: string;
  readonly hubContext?: string;
  readonly listen: string;
  readonly namespace: string;
  readonly featureGates: string;
  readonly allowInsecureMembers?: boolean;
  readonly clusterNamespace?: string;
  readonly allowNoExecuteTaintPolicy?: boolean;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly logFormat: 'pretty' | 'json';
}

interface ControllersFlags extends RoleFlags {
  readonly leaderElect?: boolean;
  readonly leaseSeconds: string;
  readonly controllers: string;
  readonly concurrency?: string;
}

/** Adds the flags of a role. */
export function asRole(command: Command, listen: string): Command {
  return command
    .requiredOption('--hub-kubeconfig <FILE>', 'the kubeconfig of the hub')
    .option('--hub-context <NAME>', 'the context to use (default: the current one)')
    .option('--listen <HOST:PORT>', 'where to listen; port 0 picks a free one', listen)
    .option('--namespace <NS>', 'the namespace of the installation', 'sluice-system')
    .option('--feature-gates <LIST>', 'feature gates, for example StaticPolicy=true,Failover=true', '')
    .option('--allow-insecure-members', 'allow http:// for members; their tokens then travel in the clear')
    .option(
      '--allow-no-execute-taint-policy',
      'accept ClusterTaintPolicies with NoExecute taints, which evict workloads',
    )
    .option('--cluster-namespace <NS>', 'also read credentials of members from this namespace, beside karmada-cluster')
    .addOption(
      new Option('--log-level <LEVEL>').choices(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    )
    .addOption(new Option('--log-format <FORMAT>').choices(['pretty', 'json']).default('pretty'));
}

/** The options that the flags of every role give. */
export async function roleOptions(flags: RoleFlags): Promise<RoleOptions> {
  const { hubKubeconfig, hubContext, logLevel: level, logFormat: format, clusterNamespace } = flags;
  return {
    connection: await hubConnection({
      files: [hubKubeconfig],
      ...(hubContext !== undefined && { context: hubContext }),
    }),
    listen: addressOf(flags.listen, '--listen'),
    namespace: flags.namespace,
    gates: gatesOf(flags.featureGates),
    settings: { allowNoExecuteTaintPolicies: flags.allowNoExecuteTaintPolicy === true },
    memberAccess: {
      allowInsecure: flags.allowInsecureMembers === true,
      ...(clusterNamespace !== undefined && { secretNamespace: clusterNamespace }),
    },
    version: packageVersion(),
    log: createLogger({ level, format }),
  };
}

type RoleOptions = Omit<Parameters<typeof runControllers>[0], 'lease' | 'controllers' | 'concurrency'>;

/** Aborts at the first SIGINT or SIGTERM. Until it is aborted the process lives, also while it only waits for its hub. */
export function untilStopped(): AbortController {
  const stop = new AbortController();
  const alive = setInterval(() => undefined, 60_000);
  stop.signal.addEventListener('abort', () => clearInterval(alive), { once: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)));
  return stop;
}

/** `sluice controllers` */
export function controllersCommand({ io }: Run): Command {
  return asRole(new Command('controllers'), '127.0.0.1:10351')
    .description('run the controllers for a hub that is an existing kube-apiserver')
    .option('--leader-elect', 'work only while this process has the lease; others wait with complete caches')
    .option('--lease-seconds <N>', 'after so long without a renewal another process takes over', '15')
    .option('--controllers <a,b>', 'run only these, or with -a all but these; each set of controllers has a lease', '')
    .option('--concurrency <N>', 'workers of each controller')
    .addHelpText(
      'after',
      '\nExamples:\n  sluice controllers --hub-kubeconfig hub.kubeconfig --leader-elect\n  sluice controllers --hub-kubeconfig hub.kubeconfig --controllers dispatcher,collector\n',
    )
    .action(async (flags: ControllersFlags) => {
      const controllers = controllersOf(flags.controllers);
      const options = {
        ...(await roleOptions(flags)),
        ...(flags.leaderElect && { lease: { durationSeconds: countOf(flags.leaseSeconds, '--lease-seconds') } }),
        ...(controllers && { controllers }),
        ...(flags.concurrency !== undefined && { concurrency: countOf(flags.concurrency, '--concurrency') }),
      };
      const stopping = untilStopped();
      const running = await runControllers(options, stopping.signal);
      io.out(`sluice controllers are ready: ${options.connection.server}, probes on port ${running.port}\n`);
      await ended(running, stopping);
    });
}

async function ended(running: RunningControllers, stopping: AbortController): Promise<void> {
  const { signal } = stopping;
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const why = await Promise.race([stopped, running.lost.then(() => 'lost' as const)]);
  await running.stop();
  stopping.abort(new Error('the role has stopped'));
  if (why === 'lost')
    throw new Failure('another process has the lease: this one has stopped; start it again as a standby');
}

function countOf(text: string, flag: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new FlagError(`${flag} must be a whole number from 1 to 9999`);
  return Number(text);
}

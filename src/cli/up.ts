import path from 'node:path';
import { Command, Option } from 'commander';
import { addressOf, gatesOf, membersOf, SetupError, up } from '../app/index.ts';
import type { Running } from '../app/index.ts';
import { packageVersion } from './version.ts';

interface UpFlags {
  readonly dataDir: string;
  readonly listen: string;
  readonly members: string;
  readonly dashboard: string;
  readonly kubeconfig?: string;
  readonly featureGates: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly logFormat: 'pretty' | 'json';
}

/** `sluice up` */
export function upCommand(): Command {
  return new Command('up')
    .description('start the whole system: hub, controllers and simulated members')
    .option('--data-dir <DIR>', 'where everything is kept; :memory: keeps nothing on disk', '.sluice')
    .option('--listen <HOST:PORT>', 'address of the hub (HTTPS); port 0 picks a free one', '127.0.0.1:7443')
    .option('--members <N|a,b,c>', 'simulated members: how many, or their names', '3')
    .option('--dashboard <HOST:PORT>', 'address of the dashboard; only off is possible yet', 'off')
    .option('--kubeconfig <FILE>', 'where to write the kubeconfig of the administrator (default: DIR/kubeconfig)')
    .option('--feature-gates <LIST>', 'switches, as StaticPolicy=true,Failover=true', '')
    .addOption(
      new Option('--log-level <LEVEL>').choices(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    )
    .addOption(new Option('--log-format <FORMAT>').choices(['pretty', 'json']).default('pretty'))
    .addHelpText(
      'after',
      '\nExamples:\n  sluice up\n  sluice up --data-dir :memory: --listen 127.0.0.1:0 --members east,west\n',
    )
    .action(async (flags: UpFlags) => runUp(flags));
}

async function runUp(flags: UpFlags): Promise<void> {
  if (flags.dashboard !== 'off') throw new SetupError('--dashboard: there is no dashboard yet, only off is possible');
  const running = await up({
    dataDir: flags.dataDir,
    listen: addressOf(flags.listen, '--listen'),
    members: membersOf(flags.members),
    kubeconfig: kubeconfigOf(flags),
    gates: gatesOf(flags.featureGates),
    version: packageVersion(),
    logLevel: flags.logLevel,
    logFormat: flags.logFormat,
  });
  process.stdout.write(readyText(running));
  await untilSignal();
  await running.stop();
}

function kubeconfigOf({ kubeconfig, dataDir }: UpFlags): string {
  if (kubeconfig !== undefined) return kubeconfig;
  return dataDir === ':memory:' ? path.join('.sluice', 'kubeconfig') : path.join(dataDir, 'kubeconfig');
}

function readyText({ url, kubeconfig, members }: Running): string {
  const file = path.relative(process.cwd(), path.resolve(kubeconfig)) || kubeconfig;
  const first = members[0]?.name;
  return [
    `sluice is ready: ${url}, ${members.length} simulated member${members.length === 1 ? '' : 's'}${first ? ` (${members.map(({ name }) => name).join(', ')})` : ''}`,
    '',
    `  export KUBECONFIG=${file}`,
    '  kubectl get clusters                       the members as the hub sees them',
    '  kubectl apply -f my-app.yaml -f policy.yaml  then see it in a member:',
    `  kubectl --context ${first ?? 'MEMBER'} get deployments`,
    '',
    '  Stop with Ctrl-C; what you did stays.',
    '',
  ].join('\n');
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

import path from 'node:path';
import { Command, Option } from 'commander';
import { addressOf, FlagError, gatesOf, membersOf, up } from '../app/index.ts';
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

/** What there is to tell once everything runs. */
interface Ready {
  readonly url: string;
  readonly kubeconfig: string;
  readonly members: readonly { readonly name: string }[];
  /** Is it there again after the next start? */
  readonly keeps: boolean;
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
  if (flags.dashboard !== 'off') throw new FlagError('--dashboard: there is no dashboard yet, only off is possible');
  const signalled = untilSignal();
  const starting = up({
    dataDir: flags.dataDir,
    listen: addressOf(flags.listen, '--listen'),
    members: membersOf(flags.members),
    kubeconfig: kubeconfigOf(flags),
    gates: gatesOf(flags.featureGates),
    version: packageVersion(),
    logLevel: flags.logLevel,
    logFormat: flags.logFormat,
  });
  const running = await Promise.race([starting, signalled]);
  // What has begun is made for being killed at any moment; nobody has been promised anything yet.
  if (!running) process.exit(0);
  process.stdout.write(readyText({ ...running, keeps: flags.dataDir !== ':memory:' }));
  await signalled;
  await running.stop();
}

function kubeconfigOf({ kubeconfig, dataDir }: UpFlags): string {
  if (kubeconfig !== undefined) return kubeconfig;
  return dataDir === ':memory:' ? path.join('.sluice', 'kubeconfig') : path.join(dataDir, 'kubeconfig');
}

/** What somebody who has just started the whole system reads. */
export function readyText({ url, kubeconfig, members, keeps }: Ready): string {
  const names = members.map(({ name }) => name);
  const [first] = names;
  const list = first ? ` (${names.join(', ')})` : '';
  return [
    `sluice is ready: ${url}, ${names.length} simulated member${names.length === 1 ? '' : 's'}${list}`,
    '',
    `  export KUBECONFIG=${shortest(kubeconfig)}`,
    '  kubectl get clusters                       the members as the hub sees them',
    ...(first ? inMember(first) : []),
    '',
    keeps ? '  Stop with Ctrl-C; what you did stays.' : '  Stop with Ctrl-C; nothing is kept.',
    '',
  ].join('\n');
}

const inMember = (name: string): readonly string[] => [
  '  kubectl apply -f my-app.yaml -f policy.yaml  then see it in a member:',
  `  kubectl --context ${name} get deployments`,
];

/** From here where that is below, the whole path otherwise. */
function shortest(file: string): string {
  const whole = path.resolve(file);
  const near = path.relative(process.cwd(), whole);
  return near === '' || near.startsWith('..') ? whole : near;
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

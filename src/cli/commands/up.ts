import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command, Option } from 'commander';
import { addressOf, FlagError, gatesOf, membersOf, namesOf, readEncryption, up } from '../../app/index.ts';
import type { AuditLogFlags } from '../../app/index.ts';
import { durationOf } from '../connect.ts';
import { probingOf, settingsOf, withFailoverFlags } from './up-failover.ts';
import type { FailoverFlags } from './up-failover.ts';
import { AddressTaken, hasDashboard, startDashboard } from '../dashboard.ts';
import type { RunningDashboard } from '../dashboard.ts';
import { packageVersion } from './version.ts';

interface UpFlags extends FailoverFlags {
  readonly dataDir: string;
  readonly listen: string;
  readonly tlsSan: string;
  readonly encryptionConfig?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsCaFile?: string;
  readonly members: string;
  readonly dashboard?: string;
  readonly kubeconfig?: string;
  readonly featureGates: string;
  readonly auditLog?: string;
  readonly auditLogMaxSize: string;
  readonly auditLogMaxFiles: string;
  readonly allowInsecureMembers?: boolean;
  readonly clusterNamespace?: string;
  readonly clusterMonitorPeriod: string;
  readonly clusterMonitorGracePeriod: string;
  readonly clusterStartupGracePeriod: string;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly logFormat: 'pretty' | 'json';
}

/** The facts to print once everything runs. */
interface Ready {
  readonly url: string;
  readonly kubeconfig: string;
  readonly members: readonly { readonly name: string }[];
  /** The folder from which the next start continues; undefined: nothing is kept. */
  readonly kept: string | undefined;
  /** The link that logs in to the dashboard. */
  readonly dashboard?: string | undefined;
}

/** `sluice up` */
export function upCommand(): Command {
  return withFailoverFlags(new Command('up'))
    .description('start the whole system: hub, controllers, dashboard and simulated members')
    .option('--data-dir <DIR>', 'the data directory; :memory: keeps nothing on disk', '.sluice')
    .option('--listen <HOST:PORT>', 'address of the hub (HTTPS); port 0 picks a free one', '127.0.0.1:7443')
    .option(
      '--tls-san <NAMES>',
      'further host names and addresses for the certificate, for example hub.example.com,10.0.0.7; the kubeconfig uses the first',
      '',
    )
    .option(
      '--tls-cert-file <FILE>',
      'a certificate for the hub with its chain (PEM), instead of one of its own; read again when it changes',
    )
    .option('--tls-private-key-file <FILE>', 'the private key of that certificate')
    .option(
      '--tls-ca-file <FILE>',
      'the authority that clients have to trust then, for the kubeconfig (default: the end of the chain)',
    )
    .option(
      '--encryption-config <FILE>',
      'EncryptionConfiguration of Kubernetes (aesgcm, identity): encrypts Secrets and other objects on the disk',
    )
    .option('--members <N|a,b,c>', 'simulated members: their number, or their names', '3')
    .option(
      '--dashboard <HOST:PORT>',
      'address of the dashboard (HTTP); port 0 picks a free one, off serves none (default: 127.0.0.1:7480)',
    )
    .option('--kubeconfig <FILE>', 'where to write the kubeconfig of the administrator (default: DIR/kubeconfig)')
    .option(
      '--audit-log <FILE>',
      'record every request from outside in this file, one JSON object a line, without bodies',
    )
    .option('--audit-log-max-size <MIB>', 'start a new audit log at this size', '100')
    .option('--audit-log-max-files <N>', 'the number of old audit logs to keep', '10')
    .option('--allow-insecure-members', 'allow http:// for members; their tokens then travel in the clear')
    .option('--cluster-namespace <NS>', 'also read credentials of members from this namespace, beside karmada-cluster')
    .option('--feature-gates <LIST>', 'feature gates, for example StaticPolicy=true,Failover=true', '')
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
  if (flags.dashboard !== undefined && flags.dashboard !== 'off') addressOf(flags.dashboard, '--dashboard');
  const signalled = untilSignal();
  const starting = up({
    dataDir: flags.dataDir,
    listen: addressOf(flags.listen, '--listen'),
    names: namesOf(flags.tlsSan),
    ...certificateOf(flags),
    ...encryptionIn(flags),
    members: membersOf(flags.members),
    kubeconfig: kubeconfigOf(flags),
    gates: gatesOf(flags.featureGates),
    ...(flags.auditLog !== undefined && { auditLog: auditLogOf(flags, flags.auditLog) }),
    memberAccess: {
      allowInsecure: flags.allowInsecureMembers === true,
      ...(flags.clusterNamespace !== undefined && { secretNamespace: flags.clusterNamespace }),
    },
    ...probingOf(flags),
    settings: settingsOf(flags),
    silence: {
      everyMilliseconds: durationOf(flags.clusterMonitorPeriod, '--cluster-monitor-period'),
      graceMilliseconds: durationOf(flags.clusterMonitorGracePeriod, '--cluster-monitor-grace-period'),
      startupMilliseconds: durationOf(flags.clusterStartupGracePeriod, '--cluster-startup-grace-period'),
    },
    version: packageVersion(),
    logLevel: flags.logLevel,
    logFormat: flags.logFormat,
  });
  const running = await Promise.race([starting, signalled]);
  // Startup can be killed at any moment; no write has been acknowledged yet.
  if (!running) process.exit(0);
  const kept = flags.dataDir === ':memory:' ? undefined : flags.dataDir;
  const dashboard = await openedDashboard(flags, running.kubeconfig).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  process.stdout.write(readyText({ ...running, kept, dashboard: dashboard?.link }));
  await signalled;
  await dashboard?.stop();
  await running.stop();
  // The terminal has echoed ^C at the start of the line.
  process.stdout.write(`${process.stdout.isTTY ? '\n' : ''}${goodbyeText(kept)}`);
}

function encryptionIn({ encryptionConfig: file }: UpFlags) {
  return file === undefined ? {} : { encryption: readEncryption(file) };
}

function certificateOf({ tlsCertFile: certificate, tlsPrivateKeyFile: key, tlsCaFile: authority }: UpFlags) {
  if (certificate === undefined && key === undefined && authority === undefined) return {};
  if (certificate === undefined || key === undefined)
    throw new FlagError('--tls-cert-file and --tls-private-key-file belong together');
  return { certificate: { certificate, key, ...(authority !== undefined && { authority }) } };
}

/** The dashboard of the flags. Where nobody chose the address and another program has it, a free port is taken. */
async function openedDashboard({ dashboard }: UpFlags, kubeconfig: string): Promise<RunningDashboard | undefined> {
  if (dashboard === 'off' || (dashboard === undefined && !hasDashboard())) return undefined;
  const start = {
    listen: addressOf(dashboard ?? usualDashboard, '--dashboard'),
    kubeconfig: [path.resolve(kubeconfig)],
    note: (line: string) => void process.stderr.write(`${line}\n`),
  };
  try {
    return await startDashboard(start);
  } catch (error) {
    if (dashboard !== undefined || !(error instanceof AddressTaken)) throw error;
    return startDashboard({ ...start, listen: { ...start.listen, port: 0 } });
  }
}

const usualDashboard = '127.0.0.1:7480';

function auditLogOf({ auditLogMaxSize, auditLogMaxFiles }: UpFlags, file: string): AuditLogFlags {
  return {
    file,
    maxBytes: countOf(auditLogMaxSize, '--audit-log-max-size') * 1024 * 1024,
    keep: countOf(auditLogMaxFiles, '--audit-log-max-files'),
  };
}

function countOf(text: string, flag: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new FlagError(`${flag} must be a whole number from 1 to 999999`);
  return Number(text);
}

function kubeconfigOf({ kubeconfig, dataDir }: UpFlags): string {
  if (kubeconfig !== undefined) return kubeconfig;
  return dataDir === ':memory:' ? path.join('.sluice', 'kubeconfig') : path.join(dataDir, 'kubeconfig');
}

/** The text for a user who has just started the whole system. */
export function readyText({ url, kubeconfig, members, kept, dashboard }: Ready): string {
  const names = members.map(({ name }) => name);
  const list = names.length > 0 ? ` (${names.join(', ')})` : '';
  return [
    `sluice is ready: ${url}, ${names.length} simulated member${names.length === 1 ? '' : 's'}${list}`,
    ...(dashboard === undefined ? [] : ['', `  Dashboard: ${dashboard} (this link logs in once)`]),
    '',
    ...aligned([[`export KUBECONFIG=${shortest(kubeconfig)}`, ''], ...firstSteps(names)]),
    '',
    kept === undefined
      ? '  Stop with Ctrl-C. Nothing is kept.'
      : `  Stop with Ctrl-C. Everything is kept in ${shortest(kept)}; the next start continues from there.`,
    '',
  ].join('\n');
}

/** The text for a user who has just stopped it. */
export function goodbyeText(kept: string | undefined): string {
  if (kept === undefined) return 'sluice has stopped. Nothing was kept.\n';
  const usual = shortest(kept) === '.sluice' ? '' : ` --data-dir ${shortest(kept)}`;
  return `sluice has stopped. Everything is kept in ${shortest(kept)}; \`${program()} up${usual}\` continues from there.\n`;
}

type FirstStep = readonly [command: string, does: string];

/** Commands to try, with files that are there. */
function firstSteps(members: readonly string[]): readonly FirstStep[] {
  const fleet: FirstStep = ['kubectl get clusters', 'the members'];
  const status: FirstStep = [`${program()} status`, 'what is in effect'];
  const examples = path.join(home, 'examples');
  const exist = ['web.yaml', 'policy.yaml', 'policy-edited.yaml'].every((file) =>
    existsSync(path.join(examples, file)),
  );
  // The examples name these members.
  if (!exist || !['member1', 'member2', 'member3'].every((name) => members.includes(name))) return [fleet, status];
  const folder = shortest(examples);
  return [
    fleet,
    [`kubectl apply -f ${folder}/web.yaml,${folder}/policy.yaml`, 'an app on 2 members'],
    status,
    [`${program()} plan -f ${folder}/policy-edited.yaml`, 'what an edit does'],
    ['kubectl --context member1 -n shop get deployments', 'the app in a member'],
  ];
}

function aligned(steps: readonly FirstStep[]): readonly string[] {
  const width = Math.max(...steps.map(([command]) => command.length));
  return steps.map(([command, does]) => `  ${command.padEnd(width)}   ${does}`.trimEnd());
}

/** The folder of the package. */
const home = path.join(import.meta.dirname, '../../..');

/** How the program is called from here: npm knows its name in the folder of the package only. */
const program = (): string => (process.cwd() === home ? 'npx sluice' : 'sluice');

/** From here where that is below, the whole path otherwise. */
function shortest(file: string): string {
  const whole = path.resolve(file);
  const near = path.relative(process.cwd(), whole);
  return near === '' || near.startsWith('..') ? whole : near;
}

/** Resolves when the process is told to stop. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

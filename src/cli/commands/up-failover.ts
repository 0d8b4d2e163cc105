import { Option } from 'commander';
import type { Command } from 'commander';
import type { Settings } from '../../api/index.ts';
import { FlagError } from '../../app/index.ts';
import type { UpOptions } from '../../app/index.ts';
import { durationOf } from '../connect.ts';

/** The flags about failures of members and what follows from them: Karmada's, and those of the outage. */
export interface FailoverFlags {
  readonly allowNoExecuteTaintPolicy?: boolean;
  readonly controllers: string;
  readonly noExecuteTaintEvictionPurgeMode: 'Gracefully' | 'Directly';
  readonly gracefulEvictionTimeout: string;
  readonly resourceEvictionRate: string;
  readonly outageShare: string;
  readonly outageWindow: string;
  readonly clusterStatusUpdateFrequency: string;
  readonly clusterSuccessThreshold: string;
  readonly clusterFailureThreshold: string;
}

/** The command with these flags. */
export function withFailoverFlags(command: Command): Command {
  return command
    .option(
      '--controllers <LIST>',
      'controllers to add: hpaScaleTargetMarker, deploymentReplicasSyncer; * is all others',
      '*',
    )
    .option(
      '--allow-no-execute-taint-policy',
      'accept ClusterTaintPolicies with NoExecute taints, which evict workloads',
    )
    .option('--cluster-monitor-period <DURATION>', 'how often the leases of agents of Pull members are looked at', '5s')
    .option('--cluster-monitor-grace-period <DURATION>', 'how long the agent of a Pull member may be silent', '40s')
    .option('--cluster-startup-grace-period <DURATION>', 'how long it may be silent before its first report', '60s')
    .addOption(
      new Option(
        '--no-execute-taint-eviction-purge-mode <MODE>',
        'how old copies go after a taint evicted them, where the policy does not say',
      )
        .choices(['Gracefully', 'Directly'])
        .default('Gracefully'),
    )
    .option('--graceful-eviction-timeout <DURATION>', 'how long an old copy waits for a healthy new one', '10m')
    .option('--resource-eviction-rate <N>', 'workloads that may be evicted in a second', '0.5')
    .option('--outage-share <PERCENT>', 'evict nothing while more of the fleet than this has failed together', '40%')
    .option('--outage-window <DURATION>', 'members that begin to fail within this time fail together', '5m')
    .option('--cluster-status-update-frequency <DURATION>', 'how often members are probed', '10s')
    .option('--cluster-success-threshold <DURATION>', 'how long a member must answer before it is ready', '30s')
    .option('--cluster-failure-threshold <DURATION>', 'how long a member must fail before it is not ready', '30s');
}

const seconds = (text: string, flag: string): number => durationOf(text, flag) / 1000;

/** The settings of the hub that the flags choose. */
export function settingsOf(flags: FailoverFlags): Partial<Settings> {
  return {
    allowNoExecuteTaintPolicies: flags.allowNoExecuteTaintPolicy === true,
    ...controllersOf(flags.controllers),
    taintPurgeMode: flags.noExecuteTaintEvictionPurgeMode,
    gracefulEvictionSeconds: seconds(flags.gracefulEvictionTimeout, '--graceful-eviction-timeout'),
    evictionsPerSecond: rateOf(flags.resourceEvictionRate, '--resource-eviction-rate'),
    outagePercent: percentOf(flags.outageShare, '--outage-share'),
    outageSeconds: seconds(flags.outageWindow, '--outage-window'),
    // A member that is back is called ready within this time.
    awakeSeconds:
      seconds(flags.clusterSuccessThreshold, '--cluster-success-threshold') +
      3 * seconds(flags.clusterStatusUpdateFrequency, '--cluster-status-update-frequency'),
  };
}

const optional = ['hpaScaleTargetMarker', 'deploymentReplicasSyncer'] as const;

function controllersOf(text: string): Partial<Settings> {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => name !== '*' && !optional.some((one) => one === name));
  if (unknown.length > 0 || !names.includes('*'))
    throw new FlagError(`--controllers must be * and controllers to add: *,${optional.join(',')}`);
  return Object.fromEntries(optional.map((name) => [name, names.includes(name)]));
}

/** How members are probed. */
export function probingOf(flags: FailoverFlags): Pick<UpOptions, 'patience' | 'probeMilliseconds'> {
  return {
    probeMilliseconds: Math.max(
      100,
      durationOf(flags.clusterStatusUpdateFrequency, '--cluster-status-update-frequency'),
    ),
    patience: {
      successSeconds: durationOf(flags.clusterSuccessThreshold, '--cluster-success-threshold') / 1000,
      failureSeconds: durationOf(flags.clusterFailureThreshold, '--cluster-failure-threshold') / 1000,
    },
  };
}

function rateOf(text: string, flag: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text) || Number(text) === 0)
    throw new FlagError(`${flag} must be a number greater than 0, for example 0.5`);
  return Number(text);
}

function percentOf(text: string, flag: string): number {
  const number = Number(/^(\d{1,3})%?$/.exec(text)?.[1] ?? NaN);
  if (!(number <= 100)) throw new FlagError(`${flag} must be a percentage from 0% to 100%`);
  return number;
}

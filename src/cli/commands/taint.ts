import { Command } from 'commander';
import { clusterApi } from '../../api/index.ts';
import type { Cluster, Taint } from '../../api/index.ts';
import type { Run } from '../commands.ts';
import { connecting, dryRunOption, dryWords, withHub } from '../connect.ts';
import { changedWithConsent, yesOption } from '../consent.ts';
import type { ConsentFlags } from '../consent.ts';
import { Failure, UsageError } from '../failure.ts';
import { told, writtenOption } from '../print/output.ts';

interface TaintFlags extends ConsentFlags {
  readonly overwrite?: boolean;
}

/** A taint to set, or to take away. */
export interface TaintChange {
  readonly key: string;
  readonly value?: string;
  readonly effect?: Taint['effect'];
  readonly remove: boolean;
}

/** `sluice taint` */
export function taintCommand({ io }: Run): Command {
  return connecting(new Command('taint'))
    .description(
      'Set or remove taints of a member. With the gate Failover, NoExecute removes the workloads that do not tolerate it; the command shows its plan and asks before that.',
    )
    .argument('<NAME>', 'a member')
    .argument('<TAINT...>', 'KEY=VALUE:EFFECT or KEY:EFFECT to set, KEY:EFFECT- or KEY- to remove')
    .option('--overwrite', 'change the value of an existing taint')
    .addOption(yesOption())
    .addOption(dryRunOption('validate on the hub, print the plan, and write nothing'))
    .addOption(writtenOption())
    .addHelpText(
      'after',
      `
Examples:
  sluice taint member1 maintenance=tonight:NoSchedule
  sluice taint member1 maintenance:NoSchedule-
  sluice taint member1 maintenance-
`,
    )
    .action((member: string, words: readonly string[], flags: TaintFlags) =>
      withHub(flags, io, async (hub) => {
        const wanted = words.map(taintOf);
        const add = (present: readonly Taint[], one: TaintChange): readonly Taint[] =>
          tainted(present, one, flags.overwrite === true);
        const change = (cluster: Cluster): Cluster =>
          withTaints(cluster, wanted.reduce(add, cluster.spec.taints ?? []));
        const ref = { apiVersion: clusterApi, kind: 'Cluster', name: member };
        const after = await changedWithConsent({ hub, io, flags, what: `Taint ${member}` }, ref, change);
        const done = wanted.every(({ remove }) => remove) ? 'untainted' : 'tainted';
        told(io, flags.output, { objects: [after], words: `${member} cluster ${done}${dryWords(flags)}\n` });
      }),
    );
}

/** The same member with these taints. */
export function withTaints(cluster: Cluster, taints: readonly Taint[]): Cluster {
  const { taints: _, ...spec } = cluster.spec;
  return { ...cluster, spec: { ...spec, ...(taints.length > 0 && { taints }) } };
}

const effects: ReadonlySet<string> = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

/** Reads `key=value:Effect`, `key:Effect`, `key:Effect-`, `key-`. */
export function taintOf(text: string): TaintChange {
  const parts = /^(?<key>[^=:]+?)(=(?<value>[^:]*))?(:(?<effect>[A-Za-z]+))?(?<remove>-)?$/.exec(text)?.groups;
  const { key, value, effect, remove } = parts ?? {};
  const known = effect === undefined ? remove !== undefined : effects.has(effect);
  if (!key || !known)
    throw new UsageError(
      `${JSON.stringify(text)} is not a taint: write KEY=VALUE:EFFECT, with the effect ${[...effects].join(', ')}`,
    );
  return {
    key,
    ...(value && { value }),
    ...(effect !== undefined && { effect: effect as Taint['effect'] }),
    remove: remove !== undefined,
  };
}

/** The taints after one change. */
export function tainted(present: readonly Taint[], change: TaintChange, overwrite: boolean): readonly Taint[] {
  const { key, value, effect, remove } = change;
  const isMeant = (taint: Taint): boolean => taint.key === key && (effect === undefined || taint.effect === effect);
  const found = present.find(isMeant);
  if (remove) {
    if (!found) throw new Failure(`there is no taint ${key}${effect ? `:${effect}` : ''}`);
    return present.filter((taint) => !isMeant(taint));
  }
  if (found && found.value !== value && !overwrite)
    throw new Failure(`the taint ${key} has the value ${found.value ?? '""'}: change it with --overwrite`);
  if (effect === undefined) return present;
  return [...present.filter((taint) => !isMeant(taint)), { key, ...(value && { value }), effect }];
}

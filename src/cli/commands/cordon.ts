import { Command } from 'commander';
import { clusterApi, cordonTaint } from '../../api/index.ts';
import type { Cluster, Taint } from '../../api/index.ts';
import type { Run } from '../commands.ts';
import { connecting, dryRunOption, dryWords, withHub } from '../connect.ts';
import { changedWithConsent, yesOption } from '../consent.ts';
import type { ConsentFlags } from '../consent.ts';
import { Members } from '../members.ts';
import { told, writtenOption } from '../print/output.ts';
import { withTaints } from './taint.ts';

/** Karmada sets the same taint, so either of the two can undo a cordon of the other. */
const isCordon = ({ key, effect }: Taint): boolean => key === cordonTaint.key && effect === cordonTaint.effect;

/** `sluice cordon` */
export function cordonCommand(run: Run): Command {
  return switching(
    run,
    { name: 'cordon', done: 'cordoned', description: 'Place nothing new on a member; running workloads stay.' },
    (taints) => (taints.some(isCordon) ? undefined : [...taints, cordonTaint]),
  );
}

/** `sluice uncordon` */
export function uncordonCommand(run: Run): Command {
  return switching(
    run,
    { name: 'uncordon', done: 'uncordoned', description: 'Allow placements on a member again.' },
    (taints) => (taints.some(isCordon) ? taints.filter((taint) => !isCordon(taint)) : undefined),
  );
}

interface CordonWords {
  readonly name: string;
  readonly done: string;
  readonly description: string;
}

type ChangeTaints = (taints: readonly Taint[]) => readonly Taint[] | undefined;

function switching({ io }: Run, { name, done, description }: CordonWords, change: ChangeTaints): Command {
  return connecting(new Command(name))
    .description(description)
    .argument('<NAME>', 'a member')
    .addOption(yesOption())
    .addOption(dryRunOption('validate on the hub, print the plan, and write nothing'))
    .addOption(writtenOption())
    .addHelpText('after', `\nExample:\n  sluice ${name} member1\n`)
    .action((member: string, flags: ConsentFlags) =>
      withHub(flags, io, async (hub) => {
        const ref = { apiVersion: clusterApi, kind: 'Cluster', name: member };
        if (!(await hub.client.find(ref))) throw await new Members(hub, flags.timeout).absenceOf(member);
        let already = true;
        const wanted = (cluster: Cluster): Cluster | undefined => {
          const taints = change(cluster.spec.taints ?? []);
          already = taints === undefined;
          return taints && withTaints(cluster, taints);
        };
        const what = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${member}`;
        const after = await changedWithConsent({ hub, io, flags, what }, ref, wanted);
        const words = `${member} cluster ${already ? `already ${done}` : done}${dryWords(flags)}\n`;
        told(io, flags.output, { objects: [after], words });
      }),
    );
}

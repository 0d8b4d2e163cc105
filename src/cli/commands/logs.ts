import { Command, InvalidArgumentError } from 'commander';
import type { Run } from '../commands.ts';
import { connecting, durationOf, namespaceOption, withHub } from '../connect.ts';
import type { Io } from '../io.ts';
import { clusterOption, containerOption, withPod } from '../pods.ts';
import type { MemberPod, PodFlags } from '../pods.ts';

interface LogsFlags extends PodFlags {
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly tail?: number;
  readonly since?: string;
}

/** `sluice logs` */
export function logsCommand({ io }: Run): Command {
  return connecting(new Command('logs'))
    .description(
      'Print the logs of a container in a member, through the cluster proxy and with your rights in the member.',
    )
    .argument('<POD>', 'a pod, or a workload as KIND/NAME of which one pod is taken')
    .addOption(clusterOption())
    .addOption(namespaceOption())
    .addOption(containerOption())
    .option('-f, --follow', 'go on printing what comes')
    .option('-p, --previous', 'the container before its last restart')
    .option('--timestamps', 'begin each line with its time')
    .option('--tail <N>', 'only the last lines', linesOf)
    .option('--since <DURATION>', 'only lines of this last time, for example 10m')
    .addHelpText(
      'after',
      `
Examples:
  sluice logs nginx-5d4f8c-abcde -n shop -C member1
  sluice logs deployment/nginx -n shop -C member1 -f --tail 20
`,
    )
    .action((word: string, flags: LogsFlags) =>
      withHub(flags, io, (hub) => withPod(hub, { word, flags }, (pod) => logs(pod, flags, io))),
    );
}

function linesOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a number of lines.');
  return Number(text);
}

async function logs({ server, path, container }: MemberPod, flags: LogsFlags, io: Io): Promise<void> {
  const query = new URLSearchParams({ container });
  for (const flag of ['follow', 'previous', 'timestamps'] as const) if (flags[flag]) query.set(flag, 'true');
  if (flags.tail !== undefined) query.set('tailLines', String(flags.tail));
  if (flags.since !== undefined)
    query.set('sinceSeconds', String(Math.ceil(durationOf(flags.since, '--since') / 1000)));
  const chunks = await server.client.text({ path: `${path}/log`, query: query.toString(), signal: io.interrupted });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) io.out(decoder.decode(chunk, { stream: true }));
}

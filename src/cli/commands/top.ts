import { Argument, Command, Option } from 'commander';
import { quantity } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { isNotFound } from '../../client/index.ts';
import type { Run } from '../commands.ts';
import { connecting, namespaceOption, withHub } from '../connect.ts';
import type { Hub, HubFlags } from '../connect.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { withMembers, whyUnreadable } from '../members.ts';
import { table } from '../print/table.ts';

interface TopFlags extends HubFlags {
  readonly clusters?: string;
  readonly allNamespaces?: boolean;
  readonly sortBy?: 'cpu' | 'memory';
  readonly headers: boolean;
}

const kinds = ['pods', 'nodes', 'pod', 'node'] as const;

/** `sluice top` */
export function topCommand({ io }: Run): Command {
  return connecting(new Command('top'))
    .description(
      'Show the processor and memory that pods or nodes of members use, as their metrics servers report it, with your rights in the members.',
    )
    .addArgument(new Argument('<KIND>', 'pods or nodes').choices(kinds))
    .argument('[NAME]', 'only this one')
    .option('-C, --clusters <NAMES>', 'only these members, for example member1,member2 (default: all)')
    .addOption(namespaceOption())
    .option('-A, --all-namespaces', 'all namespaces')
    .addOption(new Option('--sort-by <WHAT>', 'sort by what is used, most first').choices(['cpu', 'memory']))
    .option('--no-headers', 'without a first line')
    .addHelpText('after', '\nExamples:\n  sluice top pods -n shop -C member1\n  sluice top nodes --sort-by memory\n')
    .action((kind: (typeof kinds)[number], name: string | undefined, flags: TopFlags) =>
      withHub(flags, io, (hub) => top({ hub, io, flags }, kind.startsWith('pod') ? 'pods' : 'nodes', name)),
    );
}

interface Context {
  readonly hub: Hub;
  readonly io: Io;
  readonly flags: TopFlags;
}

interface Usage extends KubeObject {
  readonly usage?: Readonly<Record<string, string>>;
  readonly containers?: readonly { readonly usage?: Readonly<Record<string, string>> }[];
}

interface Row {
  readonly cells: readonly string[];
  readonly cpu: number;
  readonly memory: number;
}

async function top({ hub, io, flags }: Context, plural: 'pods' | 'nodes', name: string | undefined): Promise<void> {
  const place = plural === 'nodes' || flags.allNamespaces ? '' : `/namespaces/${encodeURIComponent(hub.namespace)}`;
  const path = `/apis/metrics.k8s.io/v1beta1${place}/${plural}`;
  const rows: Row[] = [];
  const silent: string[] = [];
  await withMembers(hub, flags.timeout, async (members) => {
    for (const member of await members.chosen(flags.clusters)) {
      try {
        const { client } = await members.asCaller(member);
        const { body } = await client.raw({ method: 'GET', path }).finally(() => client.close());
        const { items = [] } = body as { readonly items?: readonly Usage[] };
        const meant = items.filter(({ metadata }) => name === undefined || metadata.name === name);
        rows.push(...meant.map((item) => rowOf(member, item)));
      } catch (error) {
        silent.push(member);
        io.err(
          `warning: ${member}: ${isNotFound(error) ? 'serves no metrics (metrics.k8s.io)' : whyUnreadable(error)}\n`,
        );
      }
    }
    if (silent.length > 0 && rows.length === 0) throw new Failure(`no metrics of ${plural} in ${silent.join(', ')}`);
  });
  if (name !== undefined && rows.length === 0) throw new Failure(`${plural} "${name}" not found in these members`);
  const { sortBy } = flags;
  if (sortBy) rows.sort((a, b) => b[sortBy] - a[sortBy]);
  const heads = ['CLUSTER', ...(plural === 'pods' ? ['NAMESPACE'] : []), 'NAME', 'CPU', 'MEMORY'];
  const text = table(
    heads,
    rows.map(({ cells }) => cells),
    { columns: io.columns },
  );
  io.out(flags.headers ? text : text.slice(text.indexOf('\n') + 1));
}

function rowOf(member: string, { metadata, usage, containers }: Usage): Row {
  const all = usage ? [usage] : (containers ?? []).map((container) => container.usage ?? {});
  const sum = (resource: string): number => all.reduce((total, used) => total + (quantity(used[resource]) ?? 0), 0);
  const [cpu, memory] = [sum('cpu'), sum('memory')];
  const namespace = metadata.namespace === undefined ? [] : [metadata.namespace];
  const cells = [member, ...namespace, metadata.name, `${Math.ceil(cpu * 1000)}m`, `${Math.ceil(memory / 2 ** 20)}Mi`];
  return { cells, cpu, memory };
}

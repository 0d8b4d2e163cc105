import { Command } from 'commander';
import { apiVersionOf, managedLabel } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import type { ResourceInfo } from '../client/index.ts';
import { at } from '../base/index.ts';
import type { Run } from './commands.ts';
import { connecting, withHub } from './connect.ts';
import type { Hub, HubFlags } from './connect.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { kindOf } from './kinds.ts';
import { withMembers } from './members.ts';
import type { Members } from './members.ts';
import { ageOf, outputOption, printed } from './print/output.ts';
import { table } from './print/table.ts';

interface GetFlags extends HubFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly clusters?: string;
  readonly selector?: string;
  readonly output: 'table' | 'json' | 'yaml' | 'name';
}

/** `sluice get` */
export function getCommand({ io }: Run): Command {
  return connecting(new Command('get'))
    .description(
      'List objects as they stand in members, one row each with its CLUSTER; ADOPTION says whether the hub manages it. Members are reached by a context of the kubeconfig that is named like them, else with the credentials that the hub has.',
    )
    .argument('<KIND>', 'a kind, as deployments, deploy or deployments.apps')
    .argument('[NAME]', 'one object')
    .option('-n, --namespace <NS>', 'namespace (default: that of the context)')
    .option('-A, --all-namespaces', 'all namespaces')
    .option('-C, --clusters <NAMES>', 'only these members, as member1,member2 (default: all)')
    .option('-l, --selector <SELECTOR>', 'only objects with these labels')
    .addOption(outputOption('json', 'yaml', 'name'))
    .addHelpText(
      'after',
      `
Examples:
  sluice get deployments -A
  sluice get deploy nginx -n shop -C member1,member2 -o yaml
`,
    )
    .action((kind: string, name: string | undefined, flags: GetFlags) =>
      withHub(flags, io, (hub) =>
        withMembers(hub, flags.timeout, (members) => get({ hub, members, io, flags }, kind, name)),
      ),
    );
}

interface Desk {
  readonly hub: Hub;
  readonly members: Members;
  readonly io: Io;
  readonly flags: GetFlags;
}

interface Row {
  readonly cluster: string;
  readonly object: KubeObject;
}

async function get(desk: Desk, word: string, name: string | undefined): Promise<void> {
  const { hub, io, flags } = desk;
  const kind = kindOf(hub.served, word);
  const clusters = await clustersOf(desk);
  const answers = await Promise.all(clusters.map((cluster) => rowsOf(desk, { cluster, kind, name })));
  const unread = answers.flatMap((answer) => ('why' in answer ? [answer] : []));
  for (const { cluster, why } of unread) io.err(`warning: ${cluster} cannot be read: ${why}\n`);
  const rows = answers.flatMap((answer) => ('rows' in answer ? answer.rows : []));
  if (unread.length === clusters.length && clusters.length > 0) throw new Failure('no member can be read');
  if (rows.length === 0) throw new Failure(nothing(kind, name, flags));
  print(desk, kind, rows);
}

async function clustersOf({ members, flags }: Desk): Promise<readonly string[]> {
  const known = await members.names();
  if (flags.clusters === undefined) return known;
  const wanted = flags.clusters.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Failure(`there is no member ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return wanted;
}

interface Question {
  readonly cluster: string;
  readonly kind: ResourceInfo;
  readonly name: string | undefined;
}

type Answer = { readonly rows: readonly Row[] } | { readonly cluster: string; readonly why: string };

async function rowsOf({ hub, members, flags }: Desk, { cluster, kind, name }: Question): Promise<Answer> {
  const server = await members.server(cluster);
  if ('unreadable' in server) return { cluster, why: server.unreadable };
  const of = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const namespace = kind.namespaced && !flags.allNamespaces ? (flags.namespace ?? hub.namespace) : undefined;
  try {
    const { items } = await server.client.listAll(of, {
      ...(namespace && { namespace }),
      ...(flags.selector && { labelSelector: flags.selector }),
      ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
    });
    return { rows: items.map((object) => ({ cluster, object })) };
  } catch (error) {
    return { cluster, why: error instanceof Error ? error.message : String(error) };
  }
}

function nothing(kind: ResourceInfo, name: string | undefined, flags: GetFlags): string {
  const what = name === undefined ? `no ${kind.plural}` : `no ${kind.kind} ${name}`;
  return `there is ${what} in these members${kind.namespaced && !flags.allNamespaces ? ': -A looks in all namespaces' : ''}`;
}

function print({ io, flags }: Desk, kind: ResourceInfo, rows: readonly Row[]): void {
  const items = rows.map(({ cluster, object }) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [clusterAnnotation]: cluster } },
  }));
  if (printed(io, flags.output, { apiVersion: 'v1', kind: 'List', items })) return;
  if (flags.output === 'name') {
    io.out(
      rows
        .map(
          ({ cluster, object }) =>
            `${cluster}/${kind.plural}${kind.group && `.${kind.group}`}/${object.metadata.name}\n`,
        )
        .join(''),
    );
    return;
  }
  const wide = flags.allNamespaces === true && kind.namespaced;
  const heads = [
    ...(wide ? ['NAMESPACE'] : []),
    'NAME',
    'CLUSTER',
    ...(hasReady(rows) ? ['READY'] : []),
    'AGE',
    'ADOPTION',
  ];
  const lines = rows.map(({ cluster, object }) => [
    ...(wide ? [object.metadata.namespace ?? ''] : []),
    object.metadata.name,
    cluster,
    ...(hasReady(rows) ? [readyOf(object)] : []),
    ageOf(object.metadata.creationTimestamp, Date.now()),
    object.metadata.labels?.[managedLabel] === 'true' ? 'Y' : 'N',
  ]);
  io.out(table(heads, lines, io));
}

/** Where `-o json` says of which cluster an object is. */
const clusterAnnotation = 'resource.karmada.io/cached-from-cluster';

function hasReady(rows: readonly Row[]): boolean {
  return rows.some(({ object }) => typeof at(object, ['spec', 'replicas']) === 'number');
}

function readyOf(object: KubeObject): string {
  const count = (path: readonly string[]): number => {
    const value = at(object, path);
    return typeof value === 'number' ? value : 0;
  };
  return `${count(['status', 'readyReplicas'])}/${count(['spec', 'replicas'])}`;
}

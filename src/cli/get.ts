import { Command } from 'commander';
import { apiVersionOf } from '../api/index.ts';
import type { ResourceInfo, Selecting } from '../client/index.ts';
import type { Run } from './commands.ts';
import { connecting, withHub } from './connect.ts';
import type { Hub, HubFlags, Server } from './connect.ts';
import { displayOf } from './display.ts';
import { Failure, UsageError } from './failure.ts';
import { follow } from './follow.ts';
import type { Io } from './io.ts';
import { kindOf, partsOf } from './kinds.ts';
import { withMembers } from './members.ts';
import type { Members } from './members.ts';
import { outputOption } from './print/output.ts';

interface GetFlags extends HubFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly clusters?: string;
  readonly selector?: string;
  readonly output: string;
  readonly watch?: boolean;
  readonly watchOnly?: boolean;
  readonly outputWatchEvents?: boolean;
  readonly ignoreNotFound?: boolean;
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
    .option('-w, --watch', 'go on, and show what changes')
    .option('--watch-only', 'show only what changes from now on')
    .option('--output-watch-events', 'say with each what happened: ADDED, MODIFIED or DELETED')
    .option('--ignore-not-found', 'that there is nothing is no error')
    .addOption(outputOption('wide', 'json', 'yaml', 'name'))
    .addHelpText(
      'after',
      `
Examples:
  sluice get deployments -A
  sluice get deploy nginx -n shop -C member1,member2 -o yaml
  sluice get pods -n shop -w
  sluice get deploy -n shop -o jsonpath='{range .items[*]}{.metadata.name}{"\\n"}{end}'
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

async function get(desk: Desk, ...words: readonly [string, string | undefined]): Promise<void> {
  const { hub, io, flags } = desk;
  const [word, name] = askedFor(...words);
  const kind = kindOf(hub.served, word);
  const inquiry = { io, kind, select: selectionOf(desk, kind, name), servers: await serversOf(desk, kind) };
  const display = displayOf(inquiry, {
    namespaces: flags.allNamespaces === true && kind.namespaced,
    events: flags.outputWatchEvents === true,
    output: flags.output,
  });
  if (flags.watchOnly) return follow(inquiry, display, async () => {});
  if (flags.watch) return follow(inquiry, display, async () => void (await display.showAll()));
  const found = await display.showAll();
  if (found === 0 && !flags.ignoreNotFound) throw new Failure(nothing(kind, name, flags));
}

/** The kind, and the name if there is one: `deploy nginx`, or `deploy/nginx` as everywhere else. */
function askedFor(word: string, name: string | undefined): readonly [string, string | undefined] {
  if (word.includes(',')) throw new UsageError(`${JSON.stringify(word)} names several kinds: ask for one at a time`);
  if (name !== undefined || !word.includes('/')) return [word, name];
  const parts = partsOf(word);
  return [parts.kind, parts.name];
}

function selectionOf({ hub, flags }: Desk, kind: ResourceInfo, name: string | undefined): Selecting {
  const namespace = kind.namespaced && !flags.allNamespaces ? (flags.namespace ?? hub.namespace) : undefined;
  return {
    ...(namespace && { namespace }),
    ...(flags.selector && { labelSelector: flags.selector }),
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
  };
}

/** The members that can be reached and have the kind; of the others it is said why not. */
async function serversOf({ members, io, flags }: Desk, kind: ResourceInfo): Promise<ReadonlyMap<string, Server>> {
  const names = await members.chosen(flags.clusters);
  const answers = await Promise.all(names.map(async (name) => [name, await members.server(name)] as const));
  const found = new Map<string, Server>();
  const without: string[] = [];
  for (const [name, server] of answers) {
    if ('unreadable' in server) io.err(`warning: ${name} cannot be read: ${server.unreadable}\n`);
    else if (server.served.byKind(apiVersionOf(kind), kind.kind)) found.set(name, server);
    else without.push(name);
  }
  if (found.size > 0) for (const name of without) io.err(`warning: ${name} does not serve ${kind.plural}\n`);
  else if (without.length > 0)
    throw new Failure(`no member serves ${kind.plural}: \`kubectl get ${kind.plural}\` lists what the hub has`);
  else if (names.length > 0) throw new Failure('no member can be read');
  return found;
}

function nothing(kind: ResourceInfo, name: string | undefined, flags: GetFlags): string {
  const what = name === undefined ? `are no ${kind.plural}` : `is no ${kind.kind} ${name}`;
  return `there ${what} in these members${kind.namespaced && !flags.allNamespaces ? ': -A looks in all namespaces' : ''}`;
}

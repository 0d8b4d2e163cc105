import { Command, InvalidArgumentError } from 'commander';
import { apiVersionOf } from '../../api/index.ts';
import type { ResourceInfo, Selecting } from '../../client/index.ts';
import type { Run } from '../commands.ts';
import { connecting, withHub } from '../connect.ts';
import type { Hub, HubFlags, Server } from '../connect.ts';
import { displayOf, showKinds } from '../display.ts';
import type { DisplayStyle, Inquiry } from '../display.ts';
import { Failure, UsageError } from '../failure.ts';
import { follow } from '../follow.ts';
import type { Io } from '../io.ts';
import { TemplateError } from '../../base/index.ts';
import type { Template } from '../../base/index.ts';
import { kindOf, partsOf } from '../kinds.ts';
import { withMembers } from '../members.ts';
import type { Members } from '../members.ts';
import { pathTemplate } from '../print/columns.ts';
import { formatted, listOption } from '../print/output.ts';

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
  readonly sortBy?: Template;
  readonly showLabels?: boolean;
}

/** `sluice get` */
export function getCommand({ io }: Run): Command {
  return connecting(new Command('get'))
    .description(
      'List objects of members, one row each with its CLUSTER; ADOPTION says whether the hub manages it. A member is reached by the context of the kubeconfig that has its name, else with the credentials of the hub.',
    )
    .argument('<KIND>', 'a kind (deployments, deploy or deployments.apps), several kinds (deploy,cm), or KIND/NAME')
    .argument('[NAME...]', 'only these objects; after KIND/NAME further KIND/NAME')
    .option('-n, --namespace <NS>', 'namespace (default: that of the context)')
    .option('-A, --all-namespaces', 'all namespaces')
    .option('-C, --clusters <NAMES>', 'only these members, for example member1,member2 (default: all)')
    .option('-l, --selector <SELECTOR>', 'only objects with these labels')
    .option('-w, --watch', 'keep watching, and show changes')
    .option('--watch-only', 'show only changes from now on')
    .option('--output-watch-events', 'show for each object what happened: ADDED, MODIFIED or DELETED')
    .option('--ignore-not-found', 'exit 0 if a named object is not found')
    .option('--sort-by <PATH>', 'sort by the value at a path, for example .metadata.creationTimestamp', templateOf)
    .option('--show-labels', 'show all labels as the last column')
    .addOption(listOption('wide', 'json', 'yaml', 'name'))
    .addHelpText(
      'after',
      `
Examples:
  sluice get deployments -A
  sluice get deploy nginx -n shop -C member1,member2 -o yaml
  sluice get deploy,cm -n shop --show-labels
  sluice get pods -n shop -w
  sluice get pods -A --sort-by .metadata.creationTimestamp -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName
  sluice get deploy -n shop -o jsonpath='{range .items[*]}{.metadata.name}{"\\n"}{end}'
`,
    )
    .action((kind: string, names: readonly string[], flags: GetFlags) =>
      withHub(flags, io, (hub) =>
        withMembers(hub, flags.timeout, (members) => get({ hub, members, io, flags }, [kind, ...names])),
      ),
    );
}

/** A path that cannot be read is wrong usage. */
function templateOf(path: string): Template {
  try {
    return pathTemplate(path);
  } catch (error) {
    if (error instanceof TemplateError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

interface GetContext {
  readonly hub: Hub;
  readonly members: Members;
  readonly io: Io;
  readonly flags: GetFlags;
}

async function get(context: GetContext, words: readonly string[]): Promise<void> {
  const { hub, flags } = context;
  const wishes = wishesOf(words).map(({ kind, names }) => ({ kind: kindOf(hub.served, kind), names }));
  const inquiries = await inquiriesOf(context, wishes);
  const style: DisplayStyle = {
    namespaces: flags.allNamespaces === true && wishes.some(({ kind }) => kind.namespaced),
    events: flags.outputWatchEvents === true,
    output: flags.output,
    ...(flags.showLabels && { labels: true }),
    ...(flags.sortBy && { sortBy: flags.sortBy }),
  };
  if (flags.watch || flags.watchOnly) return watch(inquiries, style, flags);
  const found = await showKinds(inquiries, style);
  if (!flags.ignoreNotFound) tellMissing(context, wishes, found);
}

async function watch(inquiries: readonly Inquiry[], style: DisplayStyle, flags: GetFlags): Promise<void> {
  const [only, ...others] = inquiries;
  if (!only || others.length > 0 || only.selects.length > 1)
    throw new UsageError('-w follows one kind, and all of its objects or one of them');
  const display = displayOf(only, style);
  return follow(only, display, async () => void (flags.watchOnly ? 0 : await display.showAll()));
}

/** A kind and the names that were asked for; without names all objects are meant. */
interface Wish<Kind = string> {
  readonly kind: Kind;
  readonly names: readonly string[];
}

/** `deploy,cm`, `deploy nginx web`, or `deploy/nginx cm/settings`. */
function wishesOf([first = '', ...names]: readonly string[]): readonly Wish[] {
  if (!first.includes('/')) return first.split(',').map((kind) => ({ kind, names }));
  const byKind = new Map<string, string[]>();
  for (const word of [first, ...names]) {
    const { kind, name } = partsOf(word);
    byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
  }
  return [...byKind].map(([kind, found]) => ({ kind, names: found }));
}

/** The requests to the members; a kind that no member serves is an error only if it is the only one. */
async function inquiriesOf(context: GetContext, wishes: readonly Wish<ResourceInfo>[]): Promise<readonly Inquiry[]> {
  const inquiries: Inquiry[] = [];
  for (const { kind, names } of wishes) {
    const selects = selectionsOf(context, kind, names);
    inquiries.push({ io: context.io, kind, selects, servers: await serversOf(context, kind) });
  }
  return inquiries;
}

function selectionsOf({ hub, flags }: GetContext, kind: ResourceInfo, names: readonly string[]): readonly Selecting[] {
  const namespace = kind.namespaced && !flags.allNamespaces ? (flags.namespace ?? hub.namespace) : undefined;
  const all: Selecting = { ...(namespace && { namespace }), ...(flags.selector && { labelSelector: flags.selector }) };
  return names.length === 0 ? [all] : names.map((name) => ({ ...all, fieldSelector: `metadata.name=${name}` }));
}

/** The members that can be reached and have the kind; of the others it is said why not. */
async function serversOf({ members, io, flags }: GetContext, kind: ResourceInfo): Promise<ReadonlyMap<string, Server>> {
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

/** An empty list is told in kubectl's words; a named object that no member has is an error. */
function tellMissing(
  { hub, io, flags }: GetContext,
  wishes: readonly Wish<ResourceInfo>[],
  found: readonly string[],
): void {
  const isNamespaced = wishes.some(({ kind }) => kind.namespaced) && !flags.allNamespaces;
  for (const { kind, names } of wishes) {
    const missing = names.filter((name) => !found.includes(`${kind.plural}/${name}`));
    const where = kind.namespaced && isNamespaced ? ': -A looks in all namespaces' : '';
    if (missing.length > 0)
      throw new Failure(`there is no ${kind.kind} ${missing.join(', ')} in these members${where}`);
  }
  if (found.length > 0 || formatted(flags.output, {}) !== undefined) return;
  io.err(`No resources found${isNamespaced ? ` in ${flags.namespace ?? hub.namespace} namespace.` : ''}\n`);
}

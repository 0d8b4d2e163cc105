import { Argument, Command } from 'commander';
import { fieldErrorText, isOwnApi, keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import type { KubeObject, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { run, settlingOf, unsupported, validateRules } from '../../engine/index.ts';
import type { World } from '../../engine/index.ts';
import type { Run } from '../commands.ts';
import { connecting, withHub } from '../connect.ts';
import type { HubFlags } from '../connect.ts';
import { withMembers } from '../members.ts';
import type { Members } from '../members.ts';
import { counted, outputOption } from '../print/output.ts';
import { tellHidden } from '../world/hidden.ts';
import { fetchSnapshot, foundWorld } from '../world/state.ts';
import type { Snapshot } from '../world/state.ts';

interface MigrateFlags extends HubFlags {
  readonly output: string;
}

/** An object of a member that the controllers would write when they take over. */
interface MemberWrite {
  readonly cluster: string;
  readonly object: string;
  readonly write: 'create' | 'update' | 'delete';
  /** The parts that differ. */
  readonly parts: readonly string[];
}

/** The answer of `sluice migrate check`. */
interface Report {
  readonly writes: readonly MemberWrite[];
  /** Objects of Karmada that admission would refuse here. */
  readonly refused: readonly { readonly object: string; readonly message: string }[];
  /** Kinds and fields on which nothing acts here. */
  readonly warnings: readonly { readonly object: string; readonly message: string }[];
}

const effectCode = 3;

/** `sluice migrate` */
export function migrateCommand({ io, exit }: Run): Command {
  return connecting(new Command('migrate'))
    .description(
      'Say what would differ if Sluice took over a hub that Karmada has managed: objects of members that it would write, policies that it would refuse, and fields on which nothing acts. Writes nothing. Exit code 3 when members would be written or a policy refused.',
    )
    .addArgument(new Argument('<ACTION>', 'what to do').choices(['check']))
    .addOption(outputOption('json'))
    .addHelpText('after', '\nExample:\n  sluice migrate check --kubeconfig karmada-apiserver.config\n')
    .action((_: 'check', flags: MigrateFlags) =>
      withHub(flags, io, (hub) =>
        withMembers(hub, flags.timeout, async (members) => {
          const snapshot = await fetchSnapshot(hub, members, 'planAndReport');
          tellHidden(io, snapshot);
          const report = reportOf({ ...snapshot, members: await copiesIn(members, snapshot) });
          io.out(flags.output === 'json' ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
          if (report.writes.length + report.refused.length > 0) exit(effectCode);
        }),
      ),
    );
}

/** The copies of all Works as the members have them; where a member cannot be read, as the snapshot assumes them. */
async function copiesIn(members: Members, { objects, members: assumed }: Snapshot): Promise<Snapshot['members']> {
  const lists = new Map<string, Promise<readonly KubeObject[] | undefined>>();
  const found: MemberCopy[] = [];
  for (const { metadata, spec } of objects.filter(isWork)) {
    const member = memberOfNamespace(metadata.namespace);
    const [manifest] = spec.workload.manifests;
    if (member === undefined || !manifest) continue;
    const { apiVersion, kind } = manifest;
    const place = `${member}|${apiVersion}|${kind}`;
    lists.set(place, lists.get(place) ?? members.listManaged(member, { apiVersion, kind }));
    const key = keyOf(refOf(manifest));
    const isCopy = (object: KubeObject): boolean => keyOf(refOf({ ...object, apiVersion, kind })) === key;
    const items = await lists.get(place);
    const object = items
      ? items.find(isCopy)
      : assumed.find((one) => one.member === member && isCopy(one.object))?.object;
    if (object) found.push({ member, object: { ...object, apiVersion, kind } });
  }
  return found;
}

type MemberCopy = Snapshot['members'][number];
const isWork = (object: KubeObject): object is Work => object.kind === 'Work';

function reportOf(snapshot: Snapshot): Report {
  const found = foundWorld(snapshot);
  const after = found.fork();
  run(after, { restart: true, ...settlingOf(after) });
  const own = snapshot.objects.filter(({ apiVersion }) => isOwnApi(apiVersion));
  return {
    writes: writesBetween(found, after),
    refused: own.flatMap((object) =>
      validateRules(object).map((error) => ({ object: nameOf(object), message: fieldErrorText(error) })),
    ),
    warnings: own.flatMap((object) =>
      unsupported(object, snapshot.gates).map(({ message }) => ({ object: nameOf(object), message })),
    ),
  };
}

/** The objects of members that differ between two worlds. */
function writesBetween(found: World, after: World): readonly MemberWrite[] {
  const writes: MemberWrite[] = [];
  for (const [cluster, key] of after.touchedInMembers()) {
    const write = writeOf(found.inMember(cluster, key), after.inMember(cluster, key));
    if (write) writes.push({ cluster, ...write });
  }
  return writes;
}

function writeOf(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): Omit<MemberWrite, 'cluster'> | undefined {
  if (before && after) {
    const parts = partsBetween(before, after);
    return parts.length > 0 ? { object: nameOf(after), write: 'update', parts } : undefined;
  }
  if (after) return { object: nameOf(after), write: 'create', parts: [] };
  return before && { object: nameOf(before), write: 'delete', parts: [] };
}

/** The names of the parts that differ. */
function partsBetween(before: KubeObject, after: KubeObject): readonly string[] {
  const [from, to] = [partsOf(before), partsOf(after)];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((part) => !equal(from[part], to[part])).sort();
}

/** The parts of an object that a controller writes; a member's own parts do not count. */
function partsOf(object: KubeObject): Readonly<Record<string, unknown>> {
  const { labels, annotations } = object.metadata;
  const content = Object.entries(object).filter(([field]) => !isNoPart.has(field));
  return { 'metadata.labels': labels, 'metadata.annotations': annotations, ...Object.fromEntries(content) };
}

const isNoPart: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function nameOf(object: KubeObject): string {
  const { kind, namespace, name } = refOf(object);
  return [kind, ...(namespace ? [namespace] : []), name].join('/');
}

function reportText({ writes, refused, warnings }: Report): string {
  const lines = [
    ...writes.map(
      ({ cluster, object, write, parts }) => `${cluster}: ${write} ${object} (${parts.join(', ') || 'all'})`,
    ),
    ...refused.map(({ object, message }) => `refused: ${object}: ${message}`),
    ...warnings.map(({ object, message }) => `warning: ${object}: ${message}`),
  ];
  const sum = `${counted(writes.length, 'object')} in members would be written, ${counted(refused.length, 'rule')} broken, ${counted(warnings.length, 'warning')}`;
  return `${[...lines, sum].join('\n')}\n`;
}

import { Command } from 'commander';
import { policyApi, policyFamilies, refOf, safeHash } from '../../api/index.ts';
import type { KubeObject, Policy } from '../../api/index.ts';
import { isConflict, isNotFound } from '../../client/index.ts';
import { claimOf, isTemplateKind } from '../../engine/index.ts';
import { nameOf, placed, tryOut } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, dryRunOption, dryWords, withHub } from '../connect.ts';
import type { Hub } from '../connect.ts';
import { consentTo, yesOption } from '../consent.ts';
import type { ConsentFlags } from '../consent.ts';
import { UsageError } from '../failure.ts';
import { manifestsOf } from '../files.ts';
import { verdictOf } from '../object-writer.ts';
import { appliedTo, remembering } from '../merge.ts';
import type { Invocation } from '../io.ts';
import { Members } from '../members.ts';
import { counted, told, writtenOption } from '../print/output.ts';

interface ApplyFlags extends ConsentFlags {
  readonly filename: readonly string[];
  readonly namespace?: string;
  readonly clusters?: string;
  readonly allClusters?: boolean;
}

/** `sluice apply` */
export function applyCommand({ io }: Run): Command {
  return connecting(new Command('apply'))
    .description(
      'Apply manifests to the hub as `kubectl apply` does; with -C or --all-clusters also a policy for each, that places it there. Shows its plan and asks first if that takes something away from a member.',
    )
    .requiredOption('-f, --filename <FILE...>', 'manifests: files, folders, - for standard input')
    .option('-n, --namespace <NS>', 'namespace of objects that name none (default: that of the context)')
    .option('-C, --clusters <NAMES>', 'place the objects on these members, for example member1,member2')
    .option('--all-clusters', 'place the objects on every member')
    .addOption(yesOption())
    .addOption(dryRunOption('validate on the hub, print the plan, and write nothing'))
    .addOption(writtenOption())
    .addHelpText(
      'after',
      `
Examples:
  sluice apply -f app.yaml -f policy.yaml
  sluice apply -f app/ -C member1,member2
  sluice apply -f app.yaml --all-clusters --dry-run
`,
    )
    .action(async (flags: ApplyFlags) => {
      if (flags.clusters !== undefined && flags.allClusters)
        throw new UsageError('-C and --all-clusters say different things: choose one');
      const manifests = await manifestsOf(flags.filename, io);
      await withHub(flags, io, (hub) => apply(hub, manifests, { flags, io }));
    });
}

/** An object to write, and the policy that places it, if one was asked for. */
interface PlannedObject {
  readonly object: KubeObject;
  readonly policy: Policy | undefined;
}

async function apply(hub: Hub, manifests: readonly KubeObject[], { flags, io }: Invocation<ApplyFlags>): Promise<void> {
  const clusters = await clustersOf(hub, flags);
  const items = placed(manifests, hub.served, flags.namespace ?? hub.namespace).map((object): PlannedObject => {
    return { object, policy: clusters && isTemplateKind(object) ? policyFor(object, clusters) : undefined };
  });
  if (flags.dryRun) {
    const written = await writeAll(hub, items, { flags, io });
    await consent(hub, items, { flags, io });
    return told(io, flags.output, { objects: written, words: '' });
  }
  await consent(hub, items, { flags, io });
  told(io, flags.output, { objects: await writeAll(hub, items, { flags, io }), words: '' });
}

async function consent(
  hub: Hub,
  items: readonly PlannedObject[],
  { flags, io }: Invocation<ApplyFlags>,
): Promise<void> {
  if (flags.yes && !flags.dryRun) return;
  const objects = items.flatMap(({ object, policy }) => (policy ? [policy, object] : [object]));
  const { apply: accepted } = await tryOut(hub.client, objects);
  await consentTo({ hub, io, flags, what: `Apply ${counted(objects.length, 'object')}` }, { apply: accepted });
}

async function writeAll(
  hub: Hub,
  items: readonly PlannedObject[],
  { flags, io }: Invocation<ApplyFlags>,
): Promise<readonly KubeObject[]> {
  const written: KubeObject[] = [];
  const write = async (object: KubeObject): Promise<KubeObject> => {
    const { verdict, after, note } = await (flags.dryRun ? tryOne(hub, object, written) : applyOne(hub, object, false));
    written.push(after);
    if (flags.output === 'text') io.out(`${nameOf(refOf(object))} ${verdict}${dryWords(flags)}\n`);
    if (note) io.err(`note: ${note}\n`);
    return after;
  };
  for (const { object, policy } of items) {
    // A template that finds its policy is claimed by it; one that comes first is claimed by any other.
    if (policy) await write(policy);
    const after = await write(object);
    const managedBy = policy && otherManagingPolicy(after, policy);
    if (managedBy)
      io.err(
        `warning: ${nameOf(refOf(object))} stays managed by ${managedBy}: \`sluice explain\` says where it is placed\n`,
      );
  }
  return written;
}

/** The policy that manages an object instead of this one, if there is one. */
function otherManagingPolicy(object: KubeObject, { kind, metadata }: Policy): string | undefined {
  const claim = claimOf(object);
  if (!claim || (claim.family.kind === kind && claim.name === metadata.name)) return undefined;
  return nameOf({ ...claim, kind: claim.family.kind });
}

/** An object after it was applied. */
export interface Applied {
  readonly verdict: string;
  readonly after: KubeObject;
  readonly note?: string;
}

/** A dry run; an object whose namespace comes with it cannot be validated yet, and is not an error. */
async function tryOne(hub: Hub, object: KubeObject, before: readonly KubeObject[]): Promise<Applied> {
  try {
    return await applyOne(hub, object, true);
  } catch (error) {
    const { namespace = '' } = object.metadata;
    const comes = before.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace);
    if (!isNotFound(error) || !comes) throw error;
    const note = `not validated: ${nameOf(refOf(object))}: namespace ${JSON.stringify(namespace)} does not exist yet`;
    return { verdict: 'created', after: object, note };
  }
}

/** As `kubectl apply` does it, and as `sluice plan` foresees it; again when somebody was faster. */
export async function applyOne(
  { client }: Pick<Hub, 'client'>,
  manifest: KubeObject,
  dryRun: boolean,
): Promise<Applied> {
  for (let attempt = 0; ; attempt++) {
    const live = await client.find(refOf(manifest));
    try {
      if (!live) {
        return { verdict: 'created', after: await client.create(remembering(manifest), { dryRun }) };
      }
      const after = await client.update(appliedTo(live, remembering(manifest)), { dryRun });
      return { verdict: verdictOf(live, after), after };
    } catch (error) {
      if (!isConflict(error) || attempt >= 5) throw error;
    }
  }
}

/** Where objects are to be placed; none: everywhere. Undefined: nobody asked for it. */
async function clustersOf(hub: Hub, flags: ApplyFlags): Promise<readonly string[] | undefined> {
  if (flags.allClusters) return [];
  return flags.clusters === undefined ? undefined : new Members(hub, flags.timeout).chosen(flags.clusters);
}

/** A policy for one object, named so that applying again finds it; no clusters: all of them. */
export function policyFor({ apiVersion, kind, metadata }: KubeObject, clusters: readonly string[]): Policy {
  const { namespace, name } = metadata;
  const family = namespace ? policyFamilies.namespace : policyFamilies.cluster;
  return {
    apiVersion: policyApi,
    kind: family.kind,
    metadata: {
      name: `${name.toLowerCase()}-${safeHash(`${namespace ?? ''}${apiVersion}, Kind=${kind}`)}`,
      ...(namespace && { namespace }),
    },
    spec: {
      resourceSelectors: [{ apiVersion, kind, ...(namespace && { namespace }), name }],
      placement: { clusterAffinity: clusters.length > 0 ? { clusterNames: clusters } : {} },
    },
  };
}

import { Command } from 'commander';
import { policyApi, policyFamilies, refOf, safeHash } from '../api/index.ts';
import type { KubeObject, Policy } from '../api/index.ts';
import { isConflict } from '../client/index.ts';
import { claimOf, isTemplateKind } from '../engine/index.ts';
import { nameOf, placed } from './change.ts';
import type { Run } from './commands.ts';
import { connecting, dryRunOption, dryWords, withHub } from './connect.ts';
import type { Hub, TryingFlags } from './connect.ts';
import { UsageError } from './failure.ts';
import { manifestsOf } from './files.ts';
import { verdictOf } from './hand.ts';
import { appliedTo, remembering } from './merge.ts';
import type { Io } from './io.ts';
import { Members } from './members.ts';
import { told, writtenOption } from './print/output.ts';

interface ApplyFlags extends TryingFlags {
  readonly filename: readonly string[];
  readonly namespace?: string;
  readonly clusters?: string;
  readonly allClusters?: boolean;
}

/** `sluice apply` */
export function applyCommand({ io }: Run): Command {
  return connecting(new Command('apply'))
    .description(
      'Apply manifests to the hub as `kubectl apply` does; with -C or --all-clusters also a policy for each, that places it there.',
    )
    .requiredOption('-f, --filename <FILE...>', 'manifests: files, folders, - for standard input')
    .option('-n, --namespace <NS>', 'namespace of objects that name none (default: that of the context)')
    .option('-C, --clusters <NAMES>', 'place the objects on these members, as member1,member2')
    .option('--all-clusters', 'place the objects on every member')
    .addOption(dryRunOption('let the hub judge, and write nothing'))
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

async function apply(
  hub: Hub,
  manifests: readonly KubeObject[],
  { flags, io }: { readonly flags: ApplyFlags; readonly io: Io },
): Promise<void> {
  const clusters = await clustersOf(hub, flags);
  const objects = placed(manifests, hub.served, flags.namespace ?? hub.namespace);
  const written: KubeObject[] = [];
  const write = async (object: KubeObject): Promise<KubeObject> => {
    const { verdict, after } = await applyOne(hub, object, flags.dryRun === true);
    written.push(after);
    if (flags.output === 'text') io.out(`${nameOf(refOf(object))} ${verdict}${dryWords(flags)}\n`);
    return after;
  };
  for (const object of objects) {
    const policy = clusters && isTemplateKind(object) ? policyFor(object, clusters) : undefined;
    // A template that finds its policy is claimed by it; one that comes first is claimed by any other.
    if (policy) await write(policy);
    const after = await write(object);
    const holder = policy && otherHolder(after, policy);
    if (holder)
      io.err(
        `warning: ${nameOf(refOf(object))} stays with ${holder}, which held it before: \`sluice explain\` says where it goes\n`,
      );
  }
  told(io, flags.output, { objects: written, words: '' });
}

/** The policy that holds an object instead of this one, if there is one. */
function otherHolder(object: KubeObject, { kind, metadata }: Policy): string | undefined {
  const claim = claimOf(object);
  if (!claim || (claim.family.kind === kind && claim.name === metadata.name)) return undefined;
  return nameOf({ ...claim, kind: claim.family.kind });
}

interface Applied {
  readonly verdict: string;
  readonly after: KubeObject;
}

/** As `kubectl apply` does it, and as `sluice plan` foresees it; again when somebody was faster. */
async function applyOne({ client }: Hub, manifest: KubeObject, dryRun: boolean): Promise<Applied> {
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

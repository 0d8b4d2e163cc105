import { Command } from 'commander';
import {
  conflictResolutionAnnotation,
  managedLabel,
  policyApi,
  policyFamilies,
  refOf,
  safeHash,
} from '../../api/index.ts';
import type { KubeObject, Policy, Ref } from '../../api/index.ts';
import { plan, prune } from '../../engine/index.ts';
import type { Plan } from '../../engine/index.ts';
import { absenceOf, nameOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, dryRunOption, dryWords, namespaceOption, withHub } from '../connect.ts';
import type { Hub } from '../connect.ts';
import { agree, lossWords, yesOption } from '../consent.ts';
import type { ConsentFlags } from '../consent.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { kindOf, refFrom } from '../kinds.ts';
import { withMembers } from '../members.ts';
import { deleteIfThere } from '../membership.ts';
import { told, writtenOption } from '../print/output.ts';
import { planText } from '../print/plan.ts';
import { projected } from '../world/placed-objects.ts';
import { fetchSnapshot, settledWorld } from '../world/state.ts';

interface PromoteFlags extends ConsentFlags {
  readonly clusters: string;
  readonly namespace?: string;
  readonly policyName?: string;
}

/** `sluice promote` */
export function promoteCommand({ io }: Run): Command {
  return connecting(new Command('promote'))
    .description(
      'Adopt an object of a member: it becomes a template on the hub, with a policy that places it on that member alone. The object in the member stays as it is; nothing restarts. Deleting the template later leaves the object in the member, because the policy preserves it. Shows its plan and asks if running workloads would change.',
    )
    .argument('<KIND/NAME>', 'an object of the member, for example deployment/nginx')
    .requiredOption('-C, --clusters <NAME>', 'the member')
    .addOption(namespaceOption())
    .option('--policy-name <NAME>', 'name of the policy (default: the name of the object and a hash)')
    .addOption(yesOption())
    .addOption(dryRunOption('validate on the hub, print the plan, and write nothing'))
    .addOption(writtenOption())
    .addHelpText(
      'after',
      `
Examples:
  sluice promote deployment/nginx -C member1 -n shop --dry-run
  sluice promote deployment/nginx -C member1 -n shop
`,
    )
    .action((word: string, flags: PromoteFlags) =>
      withHub(flags, io, async (hub) => {
        const object = await found(hub, word, flags);
        await promote({ hub, io, flags }, object);
      }),
    );
}

interface PromoteContext {
  readonly hub: Hub;
  readonly io: Io;
  readonly flags: PromoteFlags;
}

/** The object in the member, if it can be adopted. */
async function found(hub: Hub, word: string, flags: PromoteFlags): Promise<KubeObject> {
  const { clusters: member } = flags;
  return withMembers(hub, flags.timeout, async (members) => {
    await members.chosen(member);
    const server = await members.server(member);
    if ('unreadable' in server) throw new Failure(`${member} cannot be read: ${server.unreadable}`);
    const ref = refFrom(server.served, word, flags.namespace ?? hub.namespace);
    kindOf(hub.served, word.slice(0, word.indexOf('/')));
    const object = await server.client.find(ref);
    if (!object) throw new Failure(`${absenceOf(ref)} in ${member}`);
    const why = whyNotAdopted(object);
    if (why) throw new Failure(`${nameOf(ref)} in ${member} cannot be promoted: ${why}`);
    if (await hub.client.find(ref)) throw new Failure(`${nameOf(ref)} exists on the hub already`);
    return object;
  });
}

function whyNotAdopted({ metadata }: KubeObject): string | undefined {
  if (metadata.labels?.[managedLabel] === 'true') return 'the hub has placed it there';
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner) return `${owner.kind.toLowerCase()}/${owner.name} made it; promote that`;
  return metadata.deletionTimestamp === undefined ? undefined : 'it is being deleted';
}

async function promote({ hub, io, flags }: PromoteContext, object: KubeObject): Promise<void> {
  const template = templateOf(object);
  const policy = policyFor(template, flags);
  const tried = [
    await hub.client.create(policy, { dryRun: true }),
    await hub.client.create(template, { dryRun: true }),
  ];
  const ref = refOf(template);
  if (flags.dryRun || !flags.yes) await consent({ hub, io, flags }, object, tried);
  // The policy first: a template that finds none of its own is claimed by any other that selects it.
  const objects = flags.dryRun ? tried : await created(hub, policy, template);
  const words = [
    `${nameOf(refOf(policy))} created${dryWords(flags)}`,
    `${nameOf(ref)} promoted from ${flags.clusters}${dryWords(flags)}`,
  ];
  told(io, flags.output, { objects, words: `${words.join('\n')}\n` });
}

/** Shows the plan of a dry run, and asks where something that runs would change: an override of the hub may do that. */
async function consent(
  { hub, io, flags }: PromoteContext,
  object: KubeObject,
  tried: readonly KubeObject[],
): Promise<void> {
  const foreseen = await prospect({ hub, io, flags }, object, tried);
  if (flags.dryRun) {
    if (flags.output === 'text') io.out(`${planText(foreseen, io, false)}\n`);
    return;
  }
  const disturbed = foreseen.effects.filter(({ effect }) => effect !== 'create' && effect !== 'update');
  if (disturbed.length === 0) return;
  io.err(planText(foreseen, io, false));
  const loss = lossWords(disturbed);
  await agree(io, flags, { question: `Promote ${nameOf(refOf(object))}? This ${loss}.`, why: `this ${loss}` });
}

/** The plan for a world in which the member has the object already. */
function prospect({ hub, flags }: PromoteContext, object: KubeObject, tried: readonly KubeObject[]): Promise<Plan> {
  return withMembers(hub, flags.timeout, async (members) => {
    const snapshot = await fetchSnapshot(hub, members, 'plan');
    const template = tried.at(-1) ?? object;
    const projectedObject = { member: flags.clusters, object: projected(prune(template), object) };
    return plan(settledWorld({ ...snapshot, members: [...snapshot.members, projectedObject] }), { apply: tried });
  });
}

async function created(hub: Hub, policy: KubeObject, template: KubeObject): Promise<readonly KubeObject[]> {
  const first = await hub.client.create(policy);
  try {
    return [first, await hub.client.create(template)];
  } catch (error) {
    await deleteIfThere(hub.client, refOf(policy), {});
    throw error;
  }
}

/** The object as a user would have written it, with the word that allows the hub to take over what is there. */
function templateOf(object: KubeObject): KubeObject {
  const { metadata, ...content } = prune(object);
  const { name, namespace, labels, annotations } = metadata;
  const allowed = { ...annotations, [conflictResolutionAnnotation]: 'overwrite' };
  return {
    ...content,
    metadata: { name, ...(namespace && { namespace }), ...(labels && { labels }), annotations: allowed },
  };
}

function policyFor(template: KubeObject, { clusters, policyName }: PromoteFlags): Policy {
  const { apiVersion, kind, metadata } = template;
  const { name, namespace } = metadata;
  const family = policyFamilies[namespace ? 'namespace' : 'cluster'];
  const selector: Ref = { apiVersion, kind, name, ...(namespace && { namespace }) };
  const usual = `${name.toLowerCase().replaceAll(':', '.')}-${safeHash(`${namespace ?? ''}${apiVersion}, Kind=${kind}`)}`;
  return {
    apiVersion: policyApi,
    kind: family.kind,
    metadata: { name: policyName ?? usual, ...(namespace && { namespace }) },
    spec: {
      resourceSelectors: [selector],
      placement: { clusterAffinity: { clusterNames: [clusters] } },
      conflictResolution: 'Overwrite',
      preserveResourcesOnDeletion: true,
    },
  };
}

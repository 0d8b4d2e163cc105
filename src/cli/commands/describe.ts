import { Command } from 'commander';
import { clusterApi, executionNamespace, keyOf, workApi } from '../../api/index.ts';
import type { Binding, KubeObject, Ref, Work } from '../../api/index.ts';
import { bindingOf, fleetOf, isPropagated, reportOn, workNameOf } from '../../engine/index.ts';
import type { FleetReport, Hidden, MemberReport, TemplateReport, World } from '../../engine/index.ts';
import { absenceOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, namespaceOption, withHub } from '../connect.ts';
import type { Hub, HubFlags } from '../connect.ts';
import { fetchEvents } from '../events.ts';
import type { EventNote } from '../events.ts';
import { Failure } from '../failure.ts';
import type { Invocation } from '../io.ts';
import { findTarget, isPolicyRef, refFrom } from '../kinds.ts';
import { withMembers } from '../members.ts';
import { descriptionText } from '../print/describe.ts';
import { outputOption, printed } from '../print/output.ts';
import { tellHidden } from '../world/hidden.ts';
import { fetchWith, foundWorld } from '../world/state.ts';

interface DescribeFlags extends HubFlags {
  readonly namespace?: string;
  readonly cluster?: string;
  readonly output: string;
}

/** Everything there is to say about one object of the hub; what `sluice describe -o json` prints. */
export interface Description {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'Description';
  readonly object: KubeObject;
  /** For a template: its state. */
  readonly template?: TemplateReport;
  readonly binding?: Binding;
  readonly works?: readonly Work[];
  /** For a policy: the templates that it manages. */
  readonly manages?: FleetReport;
  /** For a member: its state. */
  readonly member?: MemberReport;
  /** The youngest first. */
  readonly events: readonly EventNote[];
}

/** `sluice describe` */
export function describeCommand({ io }: Run): Command {
  return connecting(new Command('describe'))
    .description(
      'Describe one object of the hub: a template with its policy, binding, Works and its state in each member; a policy with what it selects and manages; a member with its health and taints; and the events of the object.',
    )
    .argument('<KIND/NAME>', 'an object of the hub: deployment/nginx, policy/web, cluster/member1')
    .option('-C, --cluster <NAME>', 'describe the object of this member, with your rights there')
    .addOption(namespaceOption())
    .addOption(outputOption('json', 'yaml'))
    .addHelpText(
      'after',
      `
Examples:
  sluice describe deployment/nginx -n shop
  sluice describe pod/nginx-abc -n shop -C member1
  sluice describe policy/web -n shop
  sluice describe cluster/member1
`,
    )
    .action((word: string, flags: DescribeFlags) =>
      withHub(flags, io, async (hub) => {
        const description = await (flags.cluster === undefined
          ? describe(hub, await findTarget(hub, word, flags.namespace ?? hub.namespace), { flags, io })
          : describeInMember(hub, word, { ...flags, cluster: flags.cluster }));
        if (!printed(io, flags.output, description)) io.out(descriptionText(description, io));
      }),
    );
}

/** An object as it is in a member, and its events there. */
function describeInMember(
  hub: Hub,
  word: string,
  flags: DescribeFlags & { readonly cluster: string },
): Promise<Description> {
  return withMembers(hub, flags.timeout, async (members) => {
    const [member = ''] = await members.chosen(flags.cluster);
    const server = await members.asCaller(member);
    try {
      const target = refFrom(server.served, word, flags.namespace ?? hub.namespace);
      const object = await server.client.find(target);
      if (!object) throw new Failure(`${member}: ${absenceOf(target)}`);
      return { apiVersion: 'sluice.dev/v1', kind: 'Description', object, events: await fetchEvents(server, object) };
    } finally {
      await server.client.close();
    }
  });
}

async function describe(hub: Hub, target: Ref, { flags, io }: Invocation<DescribeFlags>): Promise<Description> {
  const object = await hub.client.find(target);
  if (!object) throw new Failure(absenceOf(target));
  const events = await fetchEvents(hub, object);
  const bare: Description = { apiVersion: 'sluice.dev/v1', kind: 'Description', object, events };
  if (!isOfInterest(object)) return bare;
  const snapshot = await withMembers(hub, flags.timeout, (members) => fetchWith(hub, members, target));
  tellHidden(io, snapshot);
  return { ...bare, ...partsOf(foundWorld(snapshot), target, snapshot.hidden) };
}

const isMember = ({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): boolean =>
  apiVersion === clusterApi && kind === 'Cluster';

function isOfInterest(object: KubeObject): boolean {
  return isPolicyRef(object) || isMember(object) || isPropagated(object);
}

function partsOf(world: World, target: Ref, hidden: Hidden): Partial<Description> {
  if (isPolicyRef(target)) return { manages: fleetOf(world, { policy: target, hidden }) };
  if (isMember(target)) {
    const member = fleetOf(world, {}).members.find(({ name }) => name === target.name);
    return member ? { member } : {};
  }
  const template = world.get(keyOf(target));
  if (!template) return {};
  const binding = bindingOf(world, template);
  const report = reportOn(world, template, hidden);
  const works = report.clusters.flatMap(({ name }) => workIn(world, template, name) ?? []);
  return { template: report, ...(binding && { binding }), works };
}

function workIn(world: World, template: KubeObject, member: string): Work | undefined {
  const name = workNameOf(template, bindingOf(world, template));
  const ref = { apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name };
  return world.get(keyOf(ref)) as Work | undefined;
}

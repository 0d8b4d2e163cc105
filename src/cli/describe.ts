import { Command } from 'commander';
import { clusterApi, executionNamespace, keyOf, workApi } from '../api/index.ts';
import type { Binding, KubeObject, Ref, Work } from '../api/index.ts';
import { workNameOf, bindingOf, isPropagated } from '../engine/index.ts';
import type { World } from '../engine/index.ts';
import { absenceOf } from './change.ts';
import type { Run } from './commands.ts';
import { connecting, namespaceOption, withHub } from './connect.ts';
import type { Hub, HubFlags } from './connect.ts';
import { fetchEvents } from './events.ts';
import type { EventNote } from './events.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { findTarget, isPolicyRef } from './kinds.ts';
import { withMembers } from './members.ts';
import { descriptionText } from './print/describe.ts';
import { outputOption, printed } from './print/output.ts';
import { fleetOf } from './world/fleet.ts';
import type { FleetReport, MemberReport } from './world/fleet.ts';
import { lackingRights, tellHidden } from './world/hidden.ts';
import { reportOn } from './world/report.ts';
import type { TemplateReport } from './world/report.ts';
import { fetchSnapshot, foundWorld } from './world/state.ts';

interface DescribeFlags extends HubFlags {
  readonly namespace?: string;
  readonly output: string;
}

/** Everything there is to say about one object of the hub; what `sluice describe -o json` prints. */
export interface Description {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'Description';
  readonly object: KubeObject;
  /** Of a template: how it stands. */
  readonly template?: TemplateReport;
  readonly binding?: Binding;
  readonly works?: readonly Work[];
  /** Of a policy: what it holds. */
  readonly holds?: FleetReport;
  /** Of a member: how it stands. */
  readonly member?: MemberReport;
  /** The youngest first. */
  readonly events: readonly EventNote[];
}

/** `sluice describe` */
export function describeCommand({ io }: Run): Command {
  return connecting(new Command('describe'))
    .description(
      'Tell everything about one object of the hub: of a template its policy, binding and Works and how it stands in each member; of a policy what it selects and holds; of a member its health and taints; and what has happened to it.',
    )
    .argument('<KIND/NAME>', 'an object of the hub, as deployment/nginx, policy/web or cluster/member1')
    .addOption(namespaceOption())
    .addOption(outputOption('json', 'yaml'))
    .addHelpText(
      'after',
      `
Examples:
  sluice describe deployment/nginx -n shop
  sluice describe policy/web -n shop
  sluice describe cluster/member1
`,
    )
    .action((word: string, flags: DescribeFlags) =>
      withHub(flags, io, async (hub) => {
        const target = await findTarget(hub, word, flags.namespace ?? hub.namespace);
        const description = await describe(hub, target, { flags, io });
        if (!printed(io, flags.output, description)) io.out(descriptionText(description, io));
      }),
    );
}

interface Asked {
  readonly flags: DescribeFlags;
  readonly io: Io;
}

async function describe(hub: Hub, target: Ref, { flags, io }: Asked): Promise<Description> {
  const object = await hub.client.find(target);
  if (!object) throw new Failure(absenceOf(target));
  const events = await fetchEvents(hub, object);
  const bare: Description = { apiVersion: 'sluice.dev/v1', kind: 'Description', object, events };
  if (!isOfInterest(object)) return bare;
  const snapshot = await withMembers(hub, flags.timeout, (members) => fetchSnapshot(hub, members));
  tellHidden(io, snapshot);
  return { ...bare, ...partsOf(foundWorld(snapshot), target, lackingRights(snapshot)) };
}

const isMember = ({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): boolean =>
  apiVersion === clusterApi && kind === 'Cluster';

function isOfInterest(object: KubeObject): boolean {
  return isPolicyRef(object) || isMember(object) || isPropagated(object);
}

function partsOf(world: World, target: Ref, lacking: readonly string[]): Partial<Description> {
  if (isPolicyRef(target)) return { holds: fleetOf(world, { policy: target, lacking }) };
  if (isMember(target)) {
    const member = fleetOf(world, {}).members.find(({ name }) => name === target.name);
    return member ? { member } : {};
  }
  const template = world.get(keyOf(target));
  if (!template) return {};
  const binding = bindingOf(world, template);
  const report = reportOn(world, template, lacking);
  const works = report.clusters.flatMap(({ name }) => workIn(world, template, name) ?? []);
  return { template: report, ...(binding && { binding }), works };
}

function workIn(world: World, template: KubeObject, member: string): Work | undefined {
  const name = workNameOf(template, bindingOf(world, template));
  const ref = { apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name };
  return world.get(keyOf(ref)) as Work | undefined;
}

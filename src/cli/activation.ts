import { keyOf, policyApi, reconcileAnnotation, refOf } from '../api/index.ts';
import type { Binding, Cluster, KubeObject, Policy, Ref } from '../api/index.ts';
import {
  bindingOf,
  fingerprintOf,
  inEffectOf,
  overrideRecordOf,
  policyIdOf,
  reportOn,
  wasSent,
} from '../engine/index.ts';
import type { Explanation, TemplateReport, World } from '../engine/index.ts';
import type { ApiClient } from '../client/index.ts';
import type { Hub } from './connect.ts';
import type { Members } from './members.ts';
import { worldAround } from './world/around.ts';

/** A template that is to take up what is pending, and the request that makes it. */
export interface Activation {
  readonly template: KubeObject;
  readonly request: string;
  /** Where it stood before: it has to leave where it does not belong any more. */
  readonly members: readonly string[];
  /** True when it was healthy everywhere before. Then it has to become so again. */
  readonly healthy: boolean;
}

/** The progress of an activation. */
export type Progress =
  | { readonly is: 'done'; readonly suspended: boolean }
  | { readonly is: 'failed'; readonly why: string }
  | { readonly is: 'underWay'; readonly what: string };

/** The request for a template: it names the policy as it stands, so that asking twice does it once. */
export function activationOf(world: World, template: KubeObject, { holder, candidates }: Explanation): Activation {
  const name = holder ?? candidates[0]?.policy;
  const policy = name && (world.get(keyOf({ apiVersion: policyApi, ...name })) as Policy | undefined);
  const request = policy
    ? `${policyIdOf(policy) ?? policy.metadata.name}@${policy.metadata.generation ?? 0}`
    : 'take-up';
  const binding = bindingOf(world, template);
  const used = inEffectOf(binding)?.request === request;
  const { clusters } = reportOn(world, template);
  return {
    template,
    request: used
      ? `${request}#${fingerprintOf(template).slice(-8)}-${template.metadata.resourceVersion ?? ''}`
      : request,
    members: clusters.map(({ name: member }) => member),
    healthy: clusters.every(({ health }) => health !== 'Unhealthy'),
  };
}

/** The template with the request on it. */
export function requested({ template, request }: Activation): KubeObject {
  const annotations = { ...template.metadata.annotations, [reconcileAnnotation]: request };
  return { ...template, metadata: { ...template.metadata, annotations } };
}

/** Writes the request. */
export async function ask({ client }: Hub, { template, request }: Activation): Promise<void> {
  const patch = { metadata: { annotations: { [reconcileAnnotation]: request } } };
  await client.patch(refOf(template), patch, { type: 'merge' });
}

/** The parts needed to watch an activation. */
export interface Lookout {
  readonly client: ApiClient;
  readonly members: Members;
  readonly clusters: readonly Cluster[];
}

/** Looks how far an activation has come. */
export async function progressOf({ client, members, clusters }: Lookout, activation: Activation): Promise<Progress> {
  const ref = refOf(activation.template);
  const world = await worldAround(client, ref, { clusters, members: activation.members });
  const template = world.get(keyOf(ref));
  if (!template) return { is: 'failed', why: 'it was deleted' };
  const binding = bindingOf(world, template);
  if (!isTakenUp(binding, activation)) return { is: 'underWay', what: 'is not taken up yet' };
  const report = reportOn(world, template);
  const failing = report.clusters.find(({ state }) => state === 'failing');
  if (failing || report.message)
    return { is: 'failed', why: failing ? `${failing.name}: ${failing.message ?? ''}` : (report.message ?? '') };
  const late = await lateCluster(world, { template, report, members, healthy: activation.healthy });
  return late === undefined
    ? { is: 'done', suspended: report.clusters.some(({ state }) => state === 'suspended') }
    : { is: 'underWay', what: late };
}

/** Tells whether the binding reflects the request: its policy, and its lazy overrides. */
function isTakenUp(binding: Binding | undefined, { request }: Activation): boolean {
  const overrides = binding && overrideRecordOf(binding);
  const isOverridden = overrides?.template === undefined || overrides.request === request;
  return isOverridden && inEffectOf(binding)?.request === request;
}

interface Looked {
  readonly template: KubeObject;
  readonly report: TemplateReport;
  readonly members: Members;
  readonly healthy: boolean;
}

async function lateCluster(world: World, { template, report, members, healthy }: Looked): Promise<string | undefined> {
  for (const { name, state, health, message } of report.clusters) {
    if (state === 'suspended') continue;
    if (state !== 'inEffect' && health !== 'Unhealthy') return `${name}: ${message ?? 'is on its way'}`;
    if (!(await hasArrived(world, { member: name, template, members }))) return `${name}: is on its way`;
    if (healthy && health === 'Unhealthy') return `${name}: ${message ?? 'is not healthy yet'}`;
  }
  return undefined;
}

/** A Work says Applied also of what it said before; the member itself knows what was sent last, where it can be asked. */
async function hasArrived(
  world: World,
  { member, template, members }: { readonly member: string; readonly template: KubeObject; readonly members: Members },
): Promise<boolean> {
  const manifest = manifestIn(world, member, refOf(template));
  const present = manifest && (await members.read(member, refOf(template)));
  if (!manifest || present === 'unreadable') return true;
  return present !== undefined && wasSent(present, manifest);
}

function manifestIn(world: World, member: string, ref: Ref): KubeObject | undefined {
  const found = world.member(member, keyOf(ref));
  return typeof found === 'object' ? found : undefined;
}

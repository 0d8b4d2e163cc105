import { executionNamespace, keyOf, moveAnnotation, policyApi, refOf } from '../../api/index.ts';
import type { Cluster, KubeObject, OverridePolicy, Policy, Work } from '../../api/index.ts';
import { bindingOf, claimOf, policyIdOf } from '../claim/index.ts';
import type { Claim } from '../claim/index.ts';
import { isReady } from '../dispatch/index.ts';
import { workloadKind } from '../interpret/index.ts';
import {
  candidatesOf,
  eachOverridden,
  eachTemplateOf,
  isOverride,
  managingPolicyIdOf,
  memberWorksKey,
  policiesNear,
} from '../match/index.ts';
import { isForCluster } from '../override/index.ts';
import { overridesCondition } from '../render/index.ts';
import { unknownClusters, unsupported } from '../warn/index.ts';
import type { Warning } from '../warn/index.ts';
import { warnedName } from '../warn/warning.ts';
import type { World } from '../world/index.ts';
import type { ProposedChange } from './change.ts';
import type { Effect, PolicyName } from './effects.ts';
import { isMove } from './tally.ts';
import type { TemplateEffects } from './tally.ts';

/** A change that was played: the world before and after it, and the templates that no policy manages any more. */
export interface Played {
  readonly base: World;
  readonly next: World;
  readonly change: ProposedChange;
  /** The keys of templates. */
  readonly released: readonly string[];
  /** The effects of each template. */
  readonly told: readonly TemplateEffects[];
}

/** Warnings that a person should read before making the change. */
export function warningsOf(played: Played): readonly Warning[] {
  const applied = (played.change.apply ?? []).flatMap((manifest) => played.next.get(keyOf(refOf(manifest))) ?? []);
  return [
    ...releaseWarnings(played),
    ...moveWarnings(played),
    ...(played.change.delete ?? []).flatMap((ref) => leavingWarnings(played.base, played.base.get(keyOf(ref)))),
    ...applied.flatMap((object) => [
      ...unsupported(object, played.next.gates),
      ...unknownClusters(object, played.next.clusters),
    ]),
    ...applied.filter(isPolicy).flatMap((policy) => idleWarnings(played.next, policy)),
    ...applied.filter(isOverride).flatMap((policy) => overrideWarnings(played.next, policy)),
  ];
}

function isPolicy({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === policyApi && (kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy');
}

/** Warns of an override policy that changes nothing because it selects no template or no cluster, and of one that is broken. */
function overrideWarnings(next: World, policy: OverridePolicy): readonly Warning[] {
  const object = warnedName(policy);
  let selected = 0;
  const failures: string[] = [];
  eachOverridden(next, policy, (template) => {
    selected++;
    const conditions = bindingOf(next, template)?.status?.conditions ?? [];
    const failure = conditions.find(({ type, status }) => type === overridesCondition && status === 'False');
    if (failure) failures.push(`${template.kind} ${template.metadata.name}: ${failure.message}`);
  });
  const isIdle = next.clusters.length > 0 && !next.clusters.some((cluster) => isForCluster(policy, cluster));
  return [
    ...(selected === 0 ? [{ object, because: 'SelectsNothing', message: 'it selects no template' } as const] : []),
    ...(isIdle ? [{ object, because: 'NoTargetCluster', message: 'it is for none of the clusters' } as const] : []),
    ...failures.slice(0, 1).map((message) => ({ object, because: 'OverrideFailed', message }) as const),
  ];
}

const counted = (count: number): string => (count === 1 ? '1 template' : `${count} templates`);

const byName = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

/** `PropagationPolicy/shop/web`. */
function claimantName({ family, namespace, name }: Claim): string {
  return `${family.kind}/${namespace ? `${namespace}/` : ''}${name}`;
}

/** One warning for each policy that lets templates go which no other policy selects. */
function releaseWarnings({ base, next, released }: Played): readonly Warning[] {
  const counts = new Map<string, number>();
  for (const key of released) {
    const [before, template] = [base.get(key), next.get(key)];
    const claim = before && claimOf(before);
    if (!claim || !template || candidatesOf(policiesNear(next, template), template).length > 0) continue;
    const name = claimantName(claim);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return byName(counts).map(([object, count]) => ({
    object,
    because: 'TemplatesReleased',
    message: `${counted(count)} ${count === 1 ? 'loses its' : 'lose their'} policy: running copies stay, later edits reach no member`,
  }));
}

/** One warning for each policy whose workloads move without overlap, because it says so or because the gate is off. */
function moveWarnings({ next, told }: Played): readonly Warning[] {
  const isOff = Object.entries(next.gates).some(([gate, isOn]) => gate === 'GracefulMove' && !isOn);
  const counts = new Map<string, number>();
  for (const { effects } of told) {
    const policy = abruptPolicy(next, effects);
    if (!policy || !(isOff || isImmediate(next, policy))) continue;
    const name = policyName(policy);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const why = isOff ? 'the gate GracefulMove is off' : `${moveAnnotation}: immediate`;
  return byName(counts).map(([object, count]) => ({
    object,
    because: 'MoveWithoutOverlap',
    message: `${count === 1 ? '1 workload moves' : `${count} workloads move`} without overlap (${why}): old copies are deleted before the new ones are healthy`,
  }));
}

/** The policy of a workload that moves, and whose old copy waits for nothing. */
function abruptPolicy(world: World, effects: readonly Effect[]): PolicyName | undefined {
  const leaving = effects.find(({ effect, after }) => effect === 'delete' && after === undefined);
  const template = leaving && world.get(keyOf(leaving.template));
  return template && workloadKind(template) && isMove(effects) ? leaving.policy : undefined;
}

function isImmediate(world: World, policy: PolicyName): boolean {
  const object = world.get(keyOf({ apiVersion: policyApi, ...policy }));
  return object?.metadata.annotations?.[moveAnnotation] === 'immediate';
}

function policyName({ kind, namespace, name }: PolicyName): string {
  return `${kind}/${namespace ? `${namespace}/` : ''}${name}`;
}

/** Warns of a Cluster that is deleted while nothing can be deleted in its member. */
function leavingWarnings(base: World, object: KubeObject | undefined): readonly Warning[] {
  if (object?.kind !== 'Cluster' || isReady(object as Cluster)) return [];
  const { name } = object.metadata;
  let count = 0;
  base.each(memberWorksKey(executionNamespace(name)), (work) => {
    const [manifest] = (work as Work).spec.workload.manifests;
    if (manifest && base.inMember(name, keyOf(refOf(manifest)))) count++;
  });
  if (count === 0) return [];
  const [stay, them] = count === 1 ? ['1 object stays', 'it'] : [`${count} objects stay`, 'them'];
  const message = `${stay} in ${name}, which is not ready, and nothing manages ${them} any more`;
  return [{ object: warnedName(object), because: 'ClusterNotReady', message }];
}

/** Warns of a policy that selects no template, or that other policies leave none to. */
function idleWarnings(next: World, object: KubeObject): readonly Warning[] {
  const policy = object as Policy;
  const id = policyIdOf(policy);
  const managers = new Map<string, number>();
  let selected = 0;
  let own = 0;
  eachTemplateOf(next, policy, (template) => {
    selected++;
    if (id !== undefined && managingPolicyIdOf(template) === id) own++;
    const claim = claimOf(template);
    if (claim) managers.set(claimantName(claim), (managers.get(claimantName(claim)) ?? 0) + 1);
  });
  const name = warnedName(policy);
  if (selected === 0) return [{ object: name, because: 'SelectsNothing', message: 'it selects no template' }];
  if (own > 0 || managers.size === 0) return [];
  const others = byName(managers).map(([manager, count]) => `${manager} manages ${count}`);
  const message = `it selects ${counted(selected)} and manages none: ${others.join(', ')}`;
  return [{ object: name, because: 'WinsNothing', message }];
}

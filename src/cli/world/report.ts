import { executionNamespace, keyOf, refOf, workApi } from '../../api/index.ts';
import type { Binding, Condition, Health, KubeObject, Ref, View, Work } from '../../api/index.ts';
import {
  obstacleOf,
  workNameOf,
  bindingOf,
  brakesOf,
  claimOf,
  explain,
  holdsOn,
  isOnItsWay,
  isPropagated,
  isReady,
  isSpread,
  ownsBinding,
  specTimeOf,
  unreadyWords,
} from '../../engine/index.ts';
import type { Explanation, Hold, PolicyName, World } from '../../engine/index.ts';
import { rightWords } from './hidden.ts';
import { unseenWork } from './unseen.ts';
import type { WorkWords } from './unseen.ts';

/** The rights that a caller lacks to see members, or what is sent to them. */
type Lacking = readonly string[];
const none: Lacking = [];

/** How a template stands, the worst that can be said of it. */
export type TemplateState = 'failing' | 'held' | 'pending' | 'progressing' | 'inEffect' | 'notPropagated';

/** How a template stands in one cluster. */
export interface ClusterReport {
  readonly name: string;
  readonly state: 'failing' | 'held' | 'progressing' | 'inEffect';
  readonly replicas?: number;
  readonly health?: Health;
  /** The member's or the hub's words. */
  readonly message?: string;
  readonly heldBy?: readonly Omit<Hold, 'clusters'>[];
}

/** Everything that `sluice status` says of one template. */
export interface TemplateReport {
  readonly template: Ref;
  readonly policy: PolicyName | null;
  readonly state: TemplateState;
  readonly clusters: readonly ClusterReport[];
  readonly pending: Explanation['pending'];
  readonly message?: string;
}

/** The states, the worst first. */
export const worst: readonly TemplateState[] = [
  'failing',
  'held',
  'pending',
  'progressing',
  'inEffect',
  'notPropagated',
];

/** Reports on every template that a policy holds or a workload pulls along, and on namespaces in trouble, in the order of their names. */
export function reportAll(
  world: World,
  wanted: (template: KubeObject) => boolean,
  lacking: Lacking = none,
): readonly TemplateReport[] {
  const found: { readonly key: string; readonly report: TemplateReport }[] = [];
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@') || !isPropagated(object) || !wanted(object)) continue;
    const report = reportWorthwhile(world, object, lacking);
    if (report) found.push({ key, report });
  }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ report }) => report);
}

/** A namespace that every member gets by itself is nobody's template: it is named only where it is in trouble. */
function reportWorthwhile(world: World, object: KubeObject, lacking: Lacking): TemplateReport | undefined {
  if (claimOf(object) || bindingOf(world, object)) return reportOn(world, object, lacking);
  if (obstacleOf(world, refOf(object)) !== undefined) return reportOn(world, object, lacking);
  const report = isSpread(object) ? reportOn(world, object, lacking) : undefined;
  return report?.state === 'held' || report?.state === 'failing' ? report : undefined;
}

/** Reports on one template. */
export function reportOn(view: View, template: KubeObject, lacking: Lacking = none): TemplateReport {
  const binding = ownBinding(view, template);
  const clusters = clustersOf({ view, template, binding, lacking });
  const { holder = null, pending = null } = explain(view, refOf(template)) ?? {};
  const message = troubleOf(view, template, binding);
  const said = new Set<TemplateState>([
    ...clusters.map(({ state }) => state),
    ...(message === undefined ? [] : (['failing'] as const)),
    ...(pending ? (['pending'] as const) : []),
  ]);
  const state = worst.find((candidate) => said.has(candidate)) ?? quiet(binding, holder);
  return {
    template: refOf(template),
    policy: holder,
    state,
    clusters,
    pending,
    ...(message !== undefined && { message }),
  };
}

/** Nothing is said of a template that goes to no cluster, whose binding is not made yet, or that nobody holds. */
function quiet(binding: Binding | undefined, holder: PolicyName | null): TemplateState {
  if (binding) return 'inEffect';
  return holder ? 'progressing' : 'notPropagated';
}

function ownBinding(view: View, template: KubeObject): Binding | undefined {
  const binding = bindingOf(view, template);
  return binding && ownsBinding(template, binding) ? binding : undefined;
}

/** What keeps the template from its members, in words. */
function troubleOf(view: View, template: KubeObject, binding: Binding | undefined): string | undefined {
  return obstacleOf(view, refOf(template)) ?? (binding && unplacedWords(binding));
}

function unplacedWords({ status }: Binding): string | undefined {
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  return scheduled?.status === 'False' ? scheduled.message : undefined;
}

function conditionOf<T extends Pick<Condition, 'type'>>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

interface Looked {
  readonly view: View;
  readonly template: KubeObject;
  readonly binding: Binding | undefined;
  readonly lacking: Lacking;
}

function clustersOf({ view, template, binding, lacking }: Looked): readonly ClusterReport[] {
  if (!binding && !isSpread(template)) return [];
  const brakes = brakesOf(view, binding, template);
  const replicas = targetsOf(binding);
  const names = new Set([...replicas.keys(), ...view.clusters.map(({ metadata }) => metadata.name)]);
  return [...names].sort().flatMap((name) => {
    const seen = workIn(view, template, name);
    if (!seen && !replicas.has(name)) return [];
    const work = seen ?? (lacking.length > 0 ? unseenWork(name, binding, brakes) : undefined);
    const holds = work?.spec.suspendDispatching ? holdsOn(brakes, name) : [];
    const standing = standingIn({ view, name, lacking, seen }, work);
    return [{ name, ...standing, ...figuresOf(replicas.get(name), work), ...heldBy(holds) }];
  });
}

/** The clusters to which the binding or a workload pulls the template, with its replicas there. */
function targetsOf(binding: Binding | undefined): ReadonlyMap<string, number | undefined> {
  const targets = new Map(binding?.spec.clusters?.map((target) => [target.name, target.replicas]));
  const pulled = (binding?.spec.requiredBy ?? []).flatMap(({ clusters }) => clusters ?? []);
  for (const { name } of pulled) targets.set(name, targets.get(name));
  return targets;
}

function figuresOf(
  replicas: number | undefined,
  work: WorkWords | undefined,
): Pick<ClusterReport, 'replicas' | 'health'> {
  const health = work?.status?.manifestStatuses?.[0]?.health;
  return { ...(replicas !== undefined && { replicas }), ...(health && { health }) };
}

function heldBy(holds: readonly Hold[]): Pick<ClusterReport, 'heldBy'> {
  return holds.length === 0 ? {} : { heldBy: holds.map(({ clusters: _clusters, ...hold }) => hold) };
}

function workIn(view: View, template: KubeObject, cluster: string): Work | undefined {
  const name = workNameOf(template, bindingOf(view, template));
  return view.get(keyOf({ apiVersion: workApi, kind: 'Work', namespace: executionNamespace(cluster), name })) as
    | Work
    | undefined;
}

type Standing = Pick<ClusterReport, 'state' | 'message'>;

interface Place {
  readonly view: View;
  readonly name: string;
  readonly lacking: Lacking;
  readonly seen: Work | undefined;
}

function standingIn(place: Place, work: WorkWords | undefined): Standing {
  return (work && spokenBy(work)) ?? heldUpIn(place) ?? arrivedIn(place, work);
}

/** A member that cannot be written to, or does not answer. */
function heldUpIn({ view, name, lacking, seen }: Place): Standing | undefined {
  const cluster = view.clusters.find(({ metadata }) => metadata.name === name);
  if (!isReady(cluster) && (cluster || lacking.length === 0))
    return { state: 'progressing', message: unreadyWords(name, cluster) };
  if (!seen || !isOnItsWay(seen)) return undefined;
  return { state: 'progressing', message: `is on its way since ${specTimeOf(seen)}` };
}

function arrivedIn({ name, lacking }: Place, work: WorkWords | undefined): Standing {
  const state = conditionOf(work?.status?.conditions, 'Applied') ? 'inEffect' : 'progressing';
  const unseen = { message: `you may not see all of ${name}: ${rightWords(lacking)}` };
  return { state, ...(lacking.length > 0 && unseen) };
}

/** What a Work itself says of being removed, refused or held. */
function spokenBy({ metadata, spec, status }: WorkWords): Standing | undefined {
  const applied = conditionOf(status?.conditions, 'Applied');
  const trouble = applied?.status === 'False' ? bare(applied.message) : undefined;
  if (metadata.deletionTimestamp)
    return { state: 'progressing', message: trouble ? `is being removed: ${trouble}` : 'is being removed' };
  if (trouble !== undefined) return { state: 'failing', message: trouble };
  return spec.suspendDispatching ? { state: 'held' } : undefined;
}

/** Conditions speak of lists of manifests; ours have one each. */
function bare(message: string): string {
  return message.replace(/^Failed to apply all manifests \(0\/1\): /, '');
}

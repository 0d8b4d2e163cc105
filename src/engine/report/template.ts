import { bindingFamilies, executionNamespace, keyOf, refOf, workApi } from '../../api/index.ts';
import type { Binding, Health, KubeObject, Ref, View, Work } from '../../api/index.ts';
import { bindingOf, bindingRefOf, claimOf, ownsBinding, workNameOf } from '../claim/index.ts';
import { cutOff, deliveryOf } from '../collect/index.ts';
import type { Delivery, MemberState, WorkReport } from '../collect/index.ts';
import { isOnItsWay, isReady } from '../dispatch/index.ts';
import { isSpread } from '../fleet/index.ts';
import { suspensionsOf, suspensionsOn } from '../suspension/index.ts';
import type { ActiveSuspension } from '../suspension/index.ts';
import { readinessOf } from '../interpret/index.ts';
import type { Readiness } from '../interpret/index.ts';
import { explain, obstacleOf } from '../plan/index.ts';
import type { Explanation, PolicyName } from '../plan/index.ts';
import { targetsOf } from '../render/index.ts';
import { specTimeOf } from '../times.ts';
import { isHidden, nothingHidden, permissionWords } from './hidden.ts';
import type { Hidden } from './hidden.ts';
import { movingOf } from './moving.ts';
import type { Moving } from './moving.ts';
import { unseenWork } from './unseen.ts';

/** The state of a template, the worst that is true of it in any member. */
export type TemplateState = MemberState | 'pending' | 'notPropagated';

/** The state of a template in one member. */
export interface ClusterReport extends Delivery {
  readonly name: string;
  /** Replicas that are ready, of what runs there. */
  readonly ready?: number;
  /** Replicas that are wanted there. */
  readonly replicas?: number;
  readonly health?: Health;
  readonly suspendedBy?: readonly Omit<ActiveSuspension, 'clusters'>[];
}

/** Everything that `sluice status` says of one template. */
export interface TemplateReport {
  readonly template: Ref;
  readonly policy: PolicyName | null;
  readonly state: TemplateState;
  readonly clusters: readonly ClusterReport[];
  readonly pending: Explanation['pending'];
  readonly moving?: Moving;
  readonly message?: string;
}

/** The states, the worst first. */
export const templateStates: readonly TemplateState[] = [
  'failing',
  'unhealthy',
  'unknown',
  'suspended',
  'pending',
  'progressing',
  'inEffect',
  'notPropagated',
];

/** Reports on one template, with the sight of a caller from whom some kinds are hidden. */
export function reportOn(view: View, template: KubeObject, hidden: Hidden = nothingHidden): TemplateReport {
  const binding = ownBinding(view, template);
  const clusters = clustersOf({ view, template, binding, hidden });
  const { holder = null, pending = null } = explain(view, refOf(template), hidden) ?? {};
  const moving = movingOf(binding, clusters);
  const obstacle = obstacleOf(view, refOf(template)) ?? unplacedWords(binding);
  const message = obstacle ?? (binding ? undefined : unseenBinding(template, hidden));
  const report = {
    template: refOf(template),
    policy: holder,
    clusters,
    pending,
    ...(moving && { moving }),
    ...(message !== undefined && { message }),
  };
  return { ...report, state: worstOf(report, binding, obstacle !== undefined) };
}

function worstOf(
  report: Omit<TemplateReport, 'state'>,
  binding: Binding | undefined,
  isFailing: boolean,
): TemplateState {
  const said = new Set<TemplateState>(report.clusters.map(({ state }) => state));
  if (report.message !== undefined) said.add(isFailing ? 'failing' : 'unknown');
  if (report.pending) said.add('pending');
  if (report.moving) said.add('progressing');
  return templateStates.find((candidate) => said.has(candidate)) ?? quiet(binding, report.policy);
}

/** The state of a template that goes to no member, whose binding is not made yet, or that no policy manages. */
function quiet(binding: Binding | undefined, holder: PolicyName | null): TemplateState {
  if (binding) return 'inEffect';
  return holder ? 'progressing' : 'notPropagated';
}

function ownBinding(view: View, template: KubeObject): Binding | undefined {
  const binding = bindingOf(view, template);
  return binding && ownsBinding(template, binding) ? binding : undefined;
}

function unplacedWords(binding: Binding | undefined): string | undefined {
  const scheduled = binding?.status?.conditions?.find(({ type }) => type === 'Scheduled');
  return scheduled?.status === 'False' ? scheduled.message : undefined;
}

/** A caller who cannot see bindings knows of a template only what is recorded on it. */
function unseenBinding(template: KubeObject, hidden: Hidden): string | undefined {
  if (!claimOf(template)) return undefined;
  const { kind } = bindingRefOf(template);
  const plural = Object.values(bindingFamilies).find((family) => family.kind === kind)?.plural ?? '';
  if (!isHidden(hidden, plural, template.metadata.namespace)) return undefined;
  return `its members and its state there are hidden: ${permissionWords([plural])}`;
}

interface Looked {
  readonly view: View;
  readonly template: KubeObject;
  readonly binding: Binding | undefined;
  readonly hidden: Hidden;
}

function clustersOf({ view, template, binding, hidden }: Looked): readonly ClusterReport[] {
  if (!binding && !isSpread(template)) return [];
  const suspensions = suspensionsOf(view, binding, template);
  const replicas = new Map(binding && targetsOf(binding).map((target) => [target.name, target.replicas]));
  const names = new Set([...replicas.keys(), ...view.clusters.map(({ metadata }) => metadata.name)]);
  return [...names].sort().flatMap((name) => {
    const seen = workIn(view, template, name);
    if (!seen && !replicas.has(name)) return [];
    const isUnseen = !seen && isHidden(hidden, 'works', executionNamespace(name));
    const work = isUnseen ? unseenWork(name, binding, suspensions) : seen;
    const suspendedBy = work?.spec.suspendDispatching ? suspensionsOn(suspensions, name) : [];
    const delivery = deliveredIn({ view, name, hidden, seen }, work);
    const figures = figuresOf(template, replicas.get(name), work);
    const isCutOff = isUnready(view, name, hidden);
    return [{ name, ...delivery, ...(isCutOff ? staleOf(figures) : figures), ...suspendedByOf(suspendedBy) }];
  });
}

/** The binding says how many replicas are wanted; the member, of a DaemonSet and of a copy that is about to go. */
function figuresOf(
  template: KubeObject,
  replicas: number | undefined,
  work: WorkReport | undefined,
): Pick<ClusterReport, 'ready' | 'replicas' | 'health'> {
  const reported = work?.status?.manifestStatuses?.[0];
  const health = reported?.health;
  return { ...countsOf(reported && readinessOf(template, reported.status), replicas), ...(health && { health }) };
}

function countsOf(
  readiness: Readiness | undefined,
  replicas: number | undefined,
): Pick<ClusterReport, 'ready' | 'replicas'> {
  const wanted = replicas ?? readiness?.desired;
  if (wanted === undefined) return {};
  return { ...(readiness && { ready: readiness.ready }), replicas: wanted };
}

type Figures = ReturnType<typeof figuresOf>;

/** A member that is not ready has reported what was, and nobody knows what is. */
function staleOf({ replicas, health }: Figures): Figures {
  return { ...(replicas !== undefined && { replicas }), ...(health && { health: 'Unknown' }) };
}

function isUnready(view: View, name: string, hidden: Hidden): boolean {
  const cluster = view.clusters.find(({ metadata }) => metadata.name === name);
  return cluster ? !isReady(cluster) : !isHidden(hidden, 'clusters');
}

function suspendedByOf(suspensions: readonly ActiveSuspension[]): Pick<ClusterReport, 'suspendedBy'> {
  return suspensions.length === 0
    ? {}
    : { suspendedBy: suspensions.map(({ clusters: _clusters, ...suspension }) => suspension) };
}

function workIn(view: View, template: KubeObject, cluster: string): Work | undefined {
  const name = workNameOf(template, bindingOf(view, template));
  return view.get(keyOf({ apiVersion: workApi, kind: 'Work', namespace: executionNamespace(cluster), name })) as
    | Work
    | undefined;
}

interface MemberView {
  readonly view: View;
  readonly name: string;
  readonly hidden: Hidden;
  readonly seen: Work | undefined;
}

const isFinal = ({ state }: Delivery): boolean => state === 'failing' || state === 'suspended';

/** The Work counts while its member answers. */
function deliveredIn(place: MemberView, work: WorkReport | undefined): Delivery {
  const delivery: Delivery = work ? deliveryOf(work) : { state: 'progressing' };
  if (isFinal(delivery)) return delivery;
  const { view, name, hidden, seen } = place;
  const cluster = view.clusters.find(({ metadata }) => metadata.name === name);
  if (!cluster && isHidden(hidden, 'clusters')) {
    const message = `the state of ${name} is hidden: ${permissionWords(['clusters'])}`;
    return { message, ...delivery };
  }
  if (!isReady(cluster)) return cutOff(delivery, { name, cluster }, view.now);
  if (delivery.state !== 'inEffect' || !seen || !isOnItsWay(seen)) return delivery;
  return { state: 'progressing', message: `is on its way since ${specTimeOf(seen)}` };
}

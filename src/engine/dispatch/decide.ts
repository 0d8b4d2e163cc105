import {
  conflictResolutionAnnotation,
  managedLabel,
  refOf,
  removalAnnotation,
  workFinalizer,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import type { KubeObject, Work } from '../../api/index.ts';
import { conditionStatus } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import type { Reason } from '../reasons.ts';
import { lacks } from '../serving.ts';
import { soonAfter, specTimeOf } from '../times.ts';
import { isReady, readyOf } from './facts.ts';
import type { DispatchFacts } from './facts.ts';
import { created, merged, saysAsSent, wasSent } from './merge.ts';
import { unmanaged } from './preserve.ts';
import { applied, bareRefusal, dispatching, refused, removalSuspended, report, unreadyWords } from './report.ts';

/** The actions of the dispatcher: on the member (`apply`, `delete`, `abandon`) and on the Work of the hub. */
export type DispatchAction = Action<'apply' | 'delete' | 'abandon' | 'report' | 'finalize' | 'hand'>;

/** What must change in this member? */
export function decideDispatch(facts: DispatchFacts): Decision<DispatchAction> {
  if (facts.isLeftToAgent) return decideHandover(facts);
  return facts.others.length > 0 ? decideAll(facts) : decideOne(facts);
}

/** Each manifest is decided about as if it were alone; one that a member refuses does not keep the others back. */
function decideAll(facts: DispatchFacts): Decision<DispatchAction> {
  const { work, cluster } = facts;
  if (work.metadata.deletionTimestamp) return removeAll(facts);
  if (work.spec.suspendDispatching || !isReady(cluster)) return decideOne(facts);
  const decisions = partsOf({ ...facts, work: { ...work, status: {} } }).map(decideOne);
  const applies = actionsOf(decisions, (action) => action.do === 'apply');
  const refusals = decisions.flatMap(refusalIn);
  const unknown = decisions.find(isWaiting);
  if (refusals.length === 0 && unknown) return { ...unknown, actions: applies };
  const status = report(work, refusals.length > 0 ? refused(facts, refusals.join('; ')) : applied(facts));
  return { ...mainOf(decisions), actions: status ? [...applies, status] : applies };
}

/** The decision whose reason speaks for all: one that waits, then one that is refused, then one that changes something. */
function mainOf(decisions: readonly Decision<DispatchAction>[]): Pick<Decision, 'because' | 'detail'> {
  const isRefused = (decision: Decision<DispatchAction>): boolean => refusalIn(decision).length > 0;
  const main = decisions.find(isWaiting) ?? decisions.find(isRefused) ?? decisions.find(isApply) ?? decisions[0];
  if (!main) return { because: 'UpToDate' };
  const { because, detail } = main;
  return { because, ...(detail !== undefined && { detail }) };
}

const isWaiting = ({ because }: Decision<DispatchAction>): boolean => because === 'MemberUnknown';
const isApply = ({ actions }: Decision<DispatchAction>): boolean => actions.some((action) => action.do === 'apply');

function partsOf(facts: DispatchFacts): readonly DispatchFacts[] {
  return [facts, ...facts.others].map(({ manifest, present, interpreter }) => {
    return { ...facts, manifest, present, interpreter, others: [] };
  });
}

function actionsOf(
  decisions: readonly Decision<DispatchAction>[],
  isWanted: (action: DispatchAction) => boolean,
): readonly DispatchAction[] {
  return decisions.flatMap(({ actions }) => actions.filter(isWanted));
}

/** The words of the refusal that a decision reports; none when it reports no refusal. */
function refusalIn({ actions }: Decision<DispatchAction>): readonly string[] {
  const write = actions.find((action) => action.do === 'report')?.write;
  const work = write && 'object' in write ? (write.object as Work) : undefined;
  const condition = work?.status?.conditions?.find(({ type }) => type === 'Applied');
  return condition?.status === 'False' ? [bareRefusal(condition.message)] : [];
}

/** The Work goes when the last of its objects is gone. */
function removeAll(facts: DispatchFacts): Decision<DispatchAction> {
  const decisions = partsOf(facts).map(decideOne);
  const member = actionsOf(decisions, (action) => action.do === 'delete' || action.do === 'abandon');
  const isDone = ({ actions }: Decision<DispatchAction>): boolean => actions.some((action) => action.do === 'finalize');
  const open = decisions.find((decision) => !isDone(decision));
  if (!open) return { because: decisions[0]?.because ?? 'Deleted', actions: [...member, finalization(facts.work)] };
  const [status] = actionsOf(decisions, (action) => action.do === 'report');
  return { ...open, actions: status ? [...member, status] : member };
}

function decideOne(facts: DispatchFacts): Decision<DispatchAction> {
  if (facts.work.metadata.deletionTimestamp) return finishRemoval(facts);
  if (facts.work.spec.suspendDispatching) return suspended(facts);
  if (!isReady(facts.cluster)) return waitForMember(facts);
  if (facts.present === 'unknown') return waitForAnswer(facts);
  if (facts.present === 'absent') return create(facts);
  const obstacle = whyNotOurs(facts, facts.present);
  if (obstacle) return reporting(obstacle.because, facts, refused(facts, obstacle.message));
  return update(facts, facts.present);
}

/** A Work that was made again while it is suspended says what the member has, as the Work before it did. */
function suspended(facts: DispatchFacts): Decision<DispatchAction> {
  const { work, manifest, present } = facts;
  const isKnown = conditionStatus(work.status?.conditions, 'Applied') !== undefined || typeof present === 'string';
  const isThere = !isKnown && isOurs(work, present) && saysAsSent(present, manifest, facts.interpreter);
  return reporting('Suspended', facts, isThere ? applied(facts) : dispatching(facts));
}

function reporting(because: Reason, facts: DispatchFacts, work: Work): Decision<DispatchAction> {
  const action = report(facts.work, work);
  return action ? act(because, action) : rest(because);
}

/**
 * Sends nothing to a member that is not ready. A Work that waits for the member says so, and since when; a Work that
 * the member already has does not.
 */
function waitForMember(facts: DispatchFacts): Decision<DispatchAction> {
  const work = isDelivered(facts) ? dispatching(facts) : refused(facts, unreadyWords(facts.member, facts.cluster));
  return reporting('ClusterNotReady', facts, work);
}

/** Refuses kinds that the member does not serve: waiting for their status would be silent and would never end. */
function waitForAnswer(facts: DispatchFacts): Decision<DispatchAction> {
  const { apiVersion, kind } = facts.manifest;
  if (!lacks(facts.cluster, facts.manifest)) return rest('MemberUnknown');
  return reporting('ApiMissing', facts, refused(facts, `${facts.member} does not serve ${apiVersion} ${kind}`));
}

/** Tells whether the present Work was sent before the member was lost. While it is, nobody could have. */
function isDelivered({ work, cluster }: DispatchFacts): boolean {
  if (conditionStatus(work.status?.conditions, 'Applied') !== 'True' || work.metadata.deletionTimestamp) return false;
  return Date.parse(specTimeOf(work)) < Date.parse(readyOf(cluster)?.lastTransitionTime ?? '');
}

function create(facts: DispatchFacts): Decision<DispatchAction> {
  const before = conditionStatus(facts.work.status?.conditions, 'Applied') === 'True';
  return apply(before ? 'Recreated' : 'Created', facts, { verb: 'create', object: created(facts.manifest) });
}

function apply(
  because: Reason,
  facts: DispatchFacts,
  write: { readonly verb: 'create' | 'update'; readonly object: KubeObject },
): Decision<DispatchAction> {
  const apply = { do: 'apply', write: { ...write, at: facts.member } } as const;
  const status = report(facts.work, applied(facts));
  return status ? act<DispatchAction>(because, apply, status) : act<DispatchAction>(because, apply);
}

function update(facts: DispatchFacts, present: KubeObject): Decision<DispatchAction> {
  if (saysAsSent(present, facts.manifest, facts.interpreter)) return reporting('UpToDate', facts, applied(facts));
  const known = wasSent(present, facts.manifest);
  const because = known ? 'DriftRepaired' : isManaged(present) ? 'Updated' : 'Adopted';
  const { value: object, error } = merged(facts.manifest, present, facts.interpreter);
  if (error !== undefined) return { ...reporting('InterpreterFailed', facts, refused(facts, error)), detail: error };
  return apply(because, facts, { verb: 'update', object });
}

function isManaged(present: KubeObject): boolean {
  return present.metadata.labels?.[managedLabel] === 'true';
}

/** The Work that wrote a member object, as `namespace/name`. */
function writerOf(present: KubeObject): string | undefined {
  const annotations = present.metadata.annotations;
  const name = annotations?.[workNameAnnotation];
  return name && `${annotations[workNamespaceAnnotation] ?? ''}/${name}`;
}

interface Obstacle {
  readonly because: Reason;
  readonly message: string;
}

/** Why this object in the member may not be touched: it is somebody else's, and nobody said to overwrite it. */
function whyNotOurs(facts: DispatchFacts, present: KubeObject): Obstacle | undefined {
  const { kind, metadata } = facts.manifest;
  const name = `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
  if (isManaged(present)) {
    const writer = writerOf(present);
    const own = `${facts.work.metadata.namespace}/${facts.work.metadata.name}`;
    if (writer === undefined || writer === own) return undefined;
    return {
      because: 'OwnedByAnotherWork',
      message: `${name} in ${facts.member} belongs to Work ${writer}, so Work ${own} leaves it alone`,
    };
  }
  if (facts.manifest.metadata.annotations?.[conflictResolutionAnnotation] === 'overwrite') return undefined;
  // Most namespaces have no policy that could say it.
  const how =
    kind === 'Namespace'
      ? `annotate it with ${conflictResolutionAnnotation}=overwrite`
      : 'set conflictResolution: Overwrite';
  return {
    because: 'AlreadyThere',
    message: `${name} already exists in ${facts.member} and is not managed; ${how} to take it over`,
  };
}

/**
 * A Work that is deleted although the hub still wants the object is let go alone. A wish to delete goes through whether
 * dispatching is suspended or not; a member that does not answer is waited for.
 */
function finishRemoval(facts: DispatchFacts): Decision<DispatchAction> {
  const { work } = facts;
  if (!work.metadata.finalizers?.includes(workFinalizer)) return rest('Deleted');
  if (facts.deletion !== 'wish') return unwished(facts);
  return remove(facts);
}

/** Takes the object from its member, as far as the member can be asked. */
function remove(facts: DispatchFacts): Decision<DispatchAction> {
  const { work, cluster, present } = facts;
  if (!isReady(cluster)) return isLeaving(facts) ? finalize('Deleted', work) : waitForMember(facts);
  if (present === 'unknown') return cannotBeThere(facts) ? finalize('Deleted', work) : rest('MemberUnknown');
  if (present === 'absent' || !isOurs(work, present)) return finalize('Deleted', work);
  return work.spec.preserveResourcesOnDeletion ? preserve(facts, present) : erase(facts, present);
}

/** The member is not touched; the Work goes alone, or stays until it can be made again. */
function unwished({ work, deletion, now }: DispatchFacts): Decision<DispatchAction> {
  return deletion === 'slip' ? finalize('PutBack', work) : { ...rest('DeletionWaits'), again: soonAfter(now) };
}

function isLeaving({ cluster }: DispatchFacts): boolean {
  return !cluster || cluster.metadata.deletionTimestamp !== undefined;
}

/** No such kind is there, or nobody has ever been there and the member leaves. */
function cannotBeThere(facts: DispatchFacts): boolean {
  const { cluster, manifest } = facts;
  return lacks(cluster, manifest) || (isLeaving(facts) && readyOf(cluster) === undefined);
}

function erase(facts: DispatchFacts, present: KubeObject): Decision<DispatchAction> {
  const { uid, deletionTimestamp } = present.metadata;
  if (deletionTimestamp) return rest('Deleted');
  if (facts.removals) return reporting('RemovalsSuspended', facts, removalSuspended(facts, facts.removals));
  const write = { verb: 'delete', ref: refOf(facts.manifest), ...(uid && { uid }), at: facts.member } as const;
  return act('Deleted', { do: 'delete', write });
}

/** Tells whether this Work wrote the object that the member has. */
export function isOurs({ metadata }: Work, present: KubeObject): boolean {
  if (!isManaged(present)) return false;
  const annotations = present.metadata.annotations;
  const writer = annotations?.[workNameAnnotation];
  if (!writer) return true;
  return writer === metadata.name && (annotations[workNamespaceAnnotation] ?? '') === metadata.namespace;
}

function preserve(facts: DispatchFacts, present: KubeObject): Decision<DispatchAction> {
  const abandon = { do: 'abandon', write: { verb: 'update', object: unmanaged(present), at: facts.member } } as const;
  return act<DispatchAction>('Preserved', abandon, finalization(facts.work));
}

function finalize(because: Reason, work: Work): Decision<DispatchAction> {
  return act(because, finalization(work));
}

function finalization(work: Work): DispatchAction {
  const finalizers = work.metadata.finalizers?.filter((name) => name !== workFinalizer) ?? [];
  return { do: 'finalize', write: { verb: 'update', object: { ...work, metadata: { ...work.metadata, finalizers } } } };
}

/**
 * The part of the hub where an agent acts in the member. The agent sees its Works alone, so whether the object of a deleted
 * Work is to go is decided here and said on the Work.
 */
function decideHandover(facts: DispatchFacts): Decision<DispatchAction> {
  const { work, cluster } = facts;
  if (work.metadata.deletionTimestamp) return handOverRemoval(facts);
  return isReady(cluster) ? rest('LeftToAgent') : waitForMember(facts);
}

function handOverRemoval(facts: DispatchFacts): Decision<DispatchAction> {
  const { work, cluster, deletion, removals } = facts;
  if (!work.metadata.finalizers?.includes(workFinalizer)) return rest('Deleted');
  if (deletion !== 'wish') return withdrawn(facts) ?? unwished(facts);
  if (isLeaving(facts) && readyOf(cluster)?.status !== 'True') return finalize('Deleted', work);
  if (!removals) return handed(facts);
  return withdrawn(facts) ?? reporting('RemovalsSuspended', facts, removalSuspended(facts, removals));
}

const isHanded = ({ metadata }: Work): boolean => metadata.annotations?.[removalAnnotation] !== undefined;

function handed(facts: DispatchFacts): Decision<DispatchAction> {
  const { work, cluster } = facts;
  if (isHanded(work)) return isReady(cluster) ? rest('LeftToAgent') : waitForMember(facts);
  const annotations = { ...work.metadata.annotations, [removalAnnotation]: 'wanted' };
  return act('HandedToAgent', handOver(work, annotations));
}

/** The object stays after all, as far as the agent has not removed it. */
function withdrawn({ work }: DispatchFacts): Decision<DispatchAction> | undefined {
  if (!isHanded(work)) return undefined;
  const { [removalAnnotation]: _, ...annotations } = work.metadata.annotations ?? {};
  return act('WithdrawnFromAgent', handOver(work, annotations));
}

function handOver(work: Work, annotations: Readonly<Record<string, string>>): DispatchAction {
  return {
    do: 'hand',
    write: { verb: 'update', object: { ...work, metadata: { ...work.metadata, annotations } } },
  };
}

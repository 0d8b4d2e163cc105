import type { Binding, Cluster, Condition, KubeObject, Work } from '../../api/index.ts';
import { appliedPlacementAnnotation } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { conditionStatus } from '../../engine/index.ts';
import type { Reason } from '../../engine/index.ts';
import { writtenBy } from './performed-action.ts';
import type { PerformedAction } from './performed-action.ts';
import { howMany, whichClusters, whoHolds } from './event-messages.ts';

export type Subject = 'template' | 'binding' | 'work' | 'cluster';

/** One kind of event: what it is called, on which objects, and after which deeds. */
export interface EventRule {
  /** `Succeed` or `Failed` is added; Karmada's words. */
  readonly stem: string;
  readonly on: readonly Subject[];
  readonly meaning: string;
  /** Which deeds it is about; all of the action's when absent. */
  readonly about?: (deed: PerformedAction) => boolean;
  /** Deeds that were done and yet tell of a failure. */
  readonly fails?: (deed: PerformedAction) => boolean;
  /** The message of a success; the reason of the decision when absent. */
  readonly says?: (deed: PerformedAction) => string;
  /** Success is no news. */
  readonly onlyFailures?: boolean;
}

const unplaced: ReadonlySet<Reason> = new Set(['NoClusterFits', 'SchedulingFailed']);
const obstacles: ReadonlySet<Reason> = new Set(['AlreadyThere', 'OwnedByAnotherWork', 'ClusterNotReady']);
const because =
  (reasons: ReadonlySet<Reason>) =>
  ({ decision }: PerformedAction): boolean =>
    reasons.has(decision.because);

function hasReplicas(deed: PerformedAction): boolean {
  return (writtenBy(deed) as Binding | undefined)?.spec.replicas !== undefined;
}

/** A binding that is written anyway is written with its clusters. */
function isPlacedAnew(deed: PerformedAction): boolean {
  const [now, before] = [writtenBy(deed) as Binding | undefined, deed.before as Binding | undefined];
  if (now?.metadata.annotations?.[appliedPlacementAnnotation] === undefined) return false;
  return !equal(now.spec.clusters, before?.spec.clusters);
}

const isPreempted = ({ decision }: PerformedAction): boolean => decision.because === 'Preempted';

function isTainted(deed: PerformedAction): boolean {
  return !equal(
    (writtenBy(deed) as Cluster | undefined)?.spec.taints ?? [],
    (deed.before as Cluster | undefined)?.spec.taints ?? [],
  );
}

/** The end of a move is the end of what its ScheduleBinding event began. */
const isFailover = ({ decision }: PerformedAction): boolean => decision.because !== 'MoveDone';

/** The condition that says whether a Work flows. */
export function dispatchingOf(work: KubeObject | undefined): Condition | undefined {
  return (work as Work | undefined)?.status?.conditions?.find(({ type }) => type === 'Dispatching');
}

const hasHealth = (deed: PerformedAction): boolean => {
  const health = (writtenBy(deed) as Work | undefined)?.status?.manifestStatuses?.[0]?.health;
  return health !== undefined && health !== 'Unknown';
};

const isOfBinding = (deed: PerformedAction): boolean => writtenBy(deed)?.kind.endsWith('ResourceBinding') === true;

/** The member must not have it, or cannot be asked. */
function isRefused(deed: PerformedAction): boolean {
  const { conditions } = (writtenBy(deed) as Work | undefined)?.status ?? {};
  return obstacles.has(deed.decision.because) && conditionStatus(conditions, 'Applied') === 'False';
}

/** Every event that follows from a deed, by question and action. */
export const eventRules: Readonly<Record<string, readonly EventRule[]>> = {
  'claim claim': [
    {
      stem: 'PreemptPolicy',
      on: ['template'],
      meaning: 'a policy took the template over from another',
      about: isPreempted,
      says: whoHolds,
    },
  ],
  'claim bind': [
    { stem: 'ApplyPolicy', on: ['template'], meaning: 'the binding says what the policy says', says: whoHolds },
    {
      stem: 'GetReplicas',
      on: ['template'],
      meaning: 'the replicas of the template were counted',
      about: hasReplicas,
      says: howMany,
    },
    {
      stem: 'ScheduleBinding',
      on: ['binding', 'template'],
      meaning: 'clusters were chosen, or could not be',
      about: isPlacedAnew,
      says: whichClusters,
    },
  ],
  'schedule place': [
    {
      stem: 'ScheduleBinding',
      on: ['binding', 'template'],
      meaning: 'clusters were chosen, or could not be',
      fails: because(unplaced),
      says: whichClusters,
    },
  ],
  'schedule report': [
    {
      stem: 'ScheduleBinding',
      on: ['binding', 'template'],
      meaning: 'clusters were chosen, or could not be',
      about: because(unplaced),
      fails: because(unplaced),
    },
  ],
  'dependencies record': [
    { stem: 'GetDependencies', on: ['template'], meaning: 'what the template needs was found out' },
  ],
  'dependencies attach': [
    {
      stem: 'SyncScheduleResultToDependencies',
      on: ['binding'],
      meaning: 'what the template needs goes where the template goes',
    },
  ],
  'render render': [{ stem: 'SyncWork', on: ['binding', 'template'], meaning: 'a Work follows its binding' }],
  'render remove': [
    {
      stem: 'CleanupWork',
      on: ['binding'],
      meaning: 'a Work that is not needed cannot be deleted',
      onlyFailures: true,
    },
  ],
  'dispatch apply': [
    { stem: 'Sync', on: ['work', 'template'], meaning: 'the member has what the Work says, or refused it' },
  ],
  'dispatch delete': [
    { stem: 'Sync', on: ['work'], meaning: 'the member has what the Work says, or refused it', onlyFailures: true },
  ],
  'dispatch report': [
    {
      stem: 'Sync',
      on: ['work', 'template'],
      meaning: 'the member has what the Work says, or refused it',
      about: isRefused,
      fails: isRefused,
    },
  ],
  'reflect report': [
    { stem: 'ReflectStatus', on: ['work'], meaning: 'the status of the object in the member is in the Work' },
    {
      stem: 'InterpretHealth',
      on: ['work'],
      meaning: 'the health of the object in the member was judged',
      about: hasHealth,
    },
  ],
  'collect report': [
    {
      stem: 'AggregateStatus',
      on: ['binding', 'template'],
      meaning: 'the statuses of all members were brought together',
      about: isOfBinding,
    },
  ],
  'evict evict': [
    {
      stem: 'EvictWorkloadFromCluster',
      on: ['binding', 'template'],
      meaning: 'the workload has left a cluster, or cannot be told to',
      onlyFailures: true,
    },
  ],
  'evict clear': [
    {
      stem: 'EvictWorkloadFromCluster',
      on: ['binding', 'template'],
      meaning: 'the workload has left a cluster, or cannot be told to',
      about: isFailover,
    },
  ],
  'cluster prepare': [
    { stem: 'CreateExecutionSpace', on: ['cluster'], meaning: 'the member has a namespace for its Works' },
  ],
  'cluster clear': [
    { stem: 'RemoveExecutionSpace', on: ['cluster'], meaning: 'the namespace of a leaving member is being removed' },
  ],
  'cluster taint': [
    { stem: 'TaintCluster', on: ['cluster'], meaning: 'the taints follow the Ready condition', about: isTainted },
  ],
};

/** Events that are not about success and failure. */
export const singleEvents: readonly { readonly reason: string; readonly on: string; readonly meaning: string }[] = [
  {
    reason: 'Unreadable',
    on: 'any object',
    meaning: 'the object, or one that it relies on, lacks the shape of its kind',
  },
  { reason: 'DecisionFailed', on: 'any object', meaning: 'deciding about the object failed; nothing is done about it' },
  {
    reason: 'AnnotationsFull',
    on: 'template, binding',
    meaning: 'the annotations of the template leave no room for ours',
  },
  {
    reason: 'InterpreterFailed',
    on: 'template, binding, work',
    meaning: 'a script that interprets the kind failed; the message has its line',
  },
  { reason: 'OverrideFailed', on: 'template, binding', meaning: 'an override cannot be applied' },
  { reason: 'WorkDispatching', on: 'work', meaning: 'dispatching of the Work begins, or is suspended' },
  {
    reason: 'DependencyPolicyConflict',
    on: 'binding',
    meaning: 'the policies of those that need the object say different things; the message names what',
  },
  {
    reason: 'Unhealthy',
    on: 'binding, template',
    meaning: 'the template is past its deadline or failed in a member; the message has the words of the member',
  },
  { reason: 'InEffect', on: 'binding, template', meaning: 'a template that was unhealthy is healthy again' },
  { reason: 'ClustersMissing', on: 'policy', meaning: 'the placement names clusters that do not exist' },
  { reason: 'NoClusterFits', on: 'policy', meaning: 'the placement selects no cluster' },
  {
    reason: 'MoveOverdue',
    on: 'binding, template',
    meaning: 'the replacement is still not healthy after the deadline: the old copy stays',
  },
  {
    reason: 'SuspensionOver',
    on: 'RolloutPolicy, ClusterRolloutPolicy',
    meaning: 'the suspension is over: its time has come',
  },
];

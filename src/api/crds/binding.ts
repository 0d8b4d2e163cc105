import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import {
  about,
  age,
  anyObject,
  boolean,
  choice,
  column,
  conditionColumn,
  crd,
  int32,
  int64,
  list,
  object,
  string,
  strings,
  texts,
  time,
} from './build.ts';
import { failover } from './failover.ts';
import { conditions, nodeSelector, resourceList, toleration } from './kubernetes.ts';
import { placement } from './placement.ts';
import { bindingSuspension } from './suspension.ts';
import { health } from './work.ts';

const replicaRequirements = (description: string): Schema =>
  about(
    description,
    object({
      nodeClaim: about(
        'On which nodes a replica may run, as its pods say. The scheduler does not look at it.',
        object({
          hardNodeAffinity: nodeSelector('What a node must be like.'),
          nodeSelector: texts('Labels that a node must have.'),
          tolerations: list('The taints of nodes that are tolerated.', toleration()),
        }),
      ),
      resourceRequest: resourceList('What one replica asks for; the room in members is counted by it.'),
      namespace: string('The namespace of the workload.'),
      priorityClassName: string('The priority class of its pods.'),
    }),
  );

const componentName = (): Schema => string('The name of the component.', { maxLength: 32 });

const targetCluster = object(
  {
    name: string('The name of the member.'),
    replicas: int32('How many replicas the member gets; absent for what has none.'),
    components: list(
      'How many replicas of each component the member gets. Not filled in yet.',
      object({ name: componentName(), replicas: int32('How many replicas of it.') }, ['name']),
    ),
  },
  ['name'],
);

const evictionTask = object(
  {
    fromCluster: string('The member that the copy leaves.'),
    purgeMode: choice(
      'Directly or Immediately: the copy goes before the new one is sent. Gracefully or Graciously: when the new one is healthy, or the grace is over. Never: see suppressDeletion.',
      ['Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously'],
    ),
    replicas: int32('How many replicas the member had.'),
    reason: string('Why it leaves, in one word, as TaintUntolerated.', {
      minLength: 1,
      maxLength: 32,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: string('Why it leaves, in words for people.', { maxLength: 1024 }),
    producer: string('Who asked for it, as TaintManager.'),
    gracePeriodSeconds: int32('How long the copy waits for its replacement to be healthy. Default 600.'),
    suppressDeletion: boolean(
      'True: the copy stays until somebody says otherwise. False: it goes without waiting. Absent: it goes by purgeMode.',
    ),
    preservedLabelState: texts('State of the workload meant for the new copy, by label. Not filled in yet.'),
    creationTimestamp: time('When the task was made; the grace counts from here.'),
    clustersBeforeFailover: strings('The members that had the workload before.'),
  },
  ['fromCluster', 'reason', 'producer'],
);

const objectReference = object(
  {
    apiVersion: string('The apiVersion of the template.'),
    kind: string('The kind of the template.'),
    namespace: string('The namespace of the template; empty where its kind has none.'),
    name: string('The name of the template.'),
    uid: string('The uid of the template; a later object of the same name has another.'),
    resourceVersion: string(
      'The resourceVersion of the template when the binding was written; a note, nothing waits for it.',
    ),
  },
  ['apiVersion', 'kind', 'name'],
);

/** The fields that the binding takes from the template. */
const templateParts = {
  resource: about('The template.', objectReference),
  replicaRequirements: replicaRequirements('What one replica of the template needs.'),
  replicas: int32('How many replicas the template asks for; absent for what has none.'),
  components: list(
    'The parts of a template that has several kinds of pods, for example a job with a master.',
    object(
      {
        name: componentName(),
        replicas: int32('How many replicas of it.'),
        replicaRequirements: replicaRequirements('What one replica of it needs.'),
      },
      ['name', 'replicas'],
    ),
  ),
};

/** The fields that the binding takes from the policy in effect. */
const policyParts = {
  propagateDeps: boolean('Whether what the template refers to goes along, as the policy says.'),
  placement: placement(),
  schedulerName: string('Who chooses the members, as the policy says; ours is default-scheduler.'),
  failover: failover(),
  conflictResolution: choice(
    'Whether an unmanaged object of that name in a member is left alone (Abort) or taken over (Overwrite). Default Abort; an annotation of the template goes before.',
    ['Abort', 'Overwrite'],
    { default: 'Abort' },
  ),
  suspension: bindingSuspension(),
  preserveResourcesOnDeletion: boolean(
    'Whether members keep the objects, unmanaged, when their Works go. Default false.',
  ),
  schedulePriority: about(
    'How urgent the scheduling is. The scheduler does not look at it yet.',
    object({ priority: int32('The higher, the more urgent. Default 0.', { default: 0 }) }),
  ),
};

/** The fields that controllers and operators write beside the policy. */
const courseParts = {
  clusters: list('The members that were chosen, with their replicas. Written by the scheduler.', targetCluster),
  gracefulEvictionTasks: list('Copies that are to leave a member; purgeMode says when.', evictionTask),
  requiredBy: list(
    'The bindings whose templates refer to this one and pull it along.',
    object(
      {
        namespace: string('The namespace of the other binding.'),
        name: string('The name of the other binding.'),
        clusters: list('The members to which it pulls.', targetCluster),
      },
      ['name'],
    ),
  ),
  rescheduleTriggeredAt: time('When somebody asked for a new choice of members; a new time asks anew.'),
  workloadAffinityGroups: about(
    'The groups by which workloads are to be together or apart. Not filled in yet.',
    object({
      affinityGroup: string('The group that is to be together.'),
      antiAffinityGroup: string('The group that is to be apart.'),
    }),
  ),
};

const bindingSpec = about(
  'The template, what the policy in force says of it, and the members that were chosen.',
  object({ ...templateParts, ...policyParts, ...courseParts }, ['resource']),
);

const aggregatedStatusItem = object(
  {
    clusterName: string('The name of the member.'),
    status: about('The part of the object’s status that is collected.', anyObject()),
    applied: boolean('Whether the member has the object as it should be.'),
    appliedMessage: string('Why it has not.'),
    health: health(),
    state: choice('Of an object that is applied and not healthy: Progressing inside its deadline, else Unhealthy.', [
      'Progressing',
      'Unhealthy',
    ]),
    reason: string('Why it is not healthy, in one word of the member, such as CrashLoopBackOff.'),
    message: string('Why it is not healthy, in the words of the member.'),
    since: time('When it got into this state.'),
  },
  ['clusterName'],
);

const bindingStatus = about(
  'How scheduling went, and what the members say.',
  object({
    schedulerObservedGeneration: int64('The generation of the binding that was scheduled last.'),
    schedulerObservingAffinityName: string('The group of placement.clusterAffinities that is in force.'),
    lastScheduledTime: time('When a schedule was last made or confirmed.'),
    conditions: conditions(
      'What holds of this binding. Scheduled: members were chosen. FullyApplied: all of them have the object, and no others. InEffect: its reason is the state of the template in its members: InEffect, Progressing, Unhealthy, Suspended or Failing.',
    ),
    aggregatedStatus: list('What each member says.', aggregatedStatusItem),
  }),
);

const binding = (kind: string, plural: string, plan: { scope: 'Namespaced' | 'Cluster'; short: string }) =>
  crd({
    group: 'work.karmada.io',
    versions: ['v1alpha2', 'v1alpha1'],
    kind,
    plural,
    scope: plan.scope,
    shortNames: [plan.short],
    description:
      'What the policy in force says of one template, and where it was placed. Made and kept by the controllers.',
    columns: [
      conditionColumn('SCHEDULED', 'Scheduled'),
      conditionColumn('FULLYAPPLIED', 'FullyApplied'),
      column('STATE', '.status.conditions[?(@.type=="InEffect")].reason'),
      age(),
      column('WHY', '.status.conditions[?(@.type=="InEffect")].message', { priority: 1 }),
    ],
    parts: { spec: bindingSpec, status: bindingStatus },
  });

/** The bindings of both scopes. */
export const bindingCrds: readonly CustomResourceDefinition[] = [
  binding('ResourceBinding', 'resourcebindings', { scope: 'Namespaced', short: 'rb' }),
  binding('ClusterResourceBinding', 'clusterresourcebindings', { scope: 'Cluster', short: 'crb' }),
];

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
        'The nodes on which a replica may run, from its pods. The scheduler ignores it.',
        object({
          hardNodeAffinity: nodeSelector('Requirements of a node.'),
          nodeSelector: texts('Labels that a node must have.'),
          tolerations: list('The taints of nodes that are tolerated.', toleration()),
        }),
      ),
      resourceRequest: resourceList('The requests of one replica; the capacity of members is counted in them.'),
      namespace: string('The namespace of the workload.'),
      priorityClassName: string('The priority class of its pods.'),
    }),
  );

const componentName = (): Schema => string('The name of the component.', { maxLength: 32 });

const targetCluster = object(
  {
    name: string('The name of the member.'),
    replicas: int32('The number of replicas in the member; absent for kinds without replicas.'),
    components: list(
      'The number of replicas of each component in the member, with the gate MultiplePodTemplatesScheduling.',
      object({ name: componentName(), replicas: int32('The number of its replicas.') }, ['name']),
    ),
  },
  ['name'],
);

const evictionTask = object(
  {
    fromCluster: string('The member that the copy leaves.'),
    purgeMode: choice(
      'Directly or Immediately: the copy is deleted before the new one is sent. Gracefully or Graciously: when the new one is healthy, or the grace period is over. Never: see suppressDeletion.',
      ['Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously'],
    ),
    replicas: int32('The number of replicas that the member had.'),
    reason: string('The reason of the eviction in one word, for example TaintUntolerated.', {
      minLength: 1,
      maxLength: 32,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: string('The reason of the eviction, for people.', { maxLength: 1024 }),
    producer: string('The component that requested it, for example TaintManager.'),
    gracePeriodSeconds: int32(
      'The number of seconds that the copy waits for its replacement to be healthy. Default 600.',
    ),
    suppressDeletion: boolean(
      'True: the copy stays until this is changed. False: it is deleted without waiting. Absent: purgeMode decides.',
    ),
    preservedLabelState: texts('State of the workload for the new copy, by label. Not filled in yet.'),
    creationTimestamp: time('The time when the task was created; the grace period starts here.'),
    clustersBeforeFailover: strings('The members that had the workload before the failover.'),
  },
  ['fromCluster', 'reason', 'producer'],
);

const objectReference = object(
  {
    apiVersion: string('The apiVersion of the template.'),
    kind: string('The kind of the template.'),
    namespace: string('The namespace of the template; empty for cluster-scoped kinds.'),
    name: string('The name of the template.'),
    uid: string('The uid of the template; a later object of the same name has another one.'),
    resourceVersion: string('The resourceVersion of the template when the binding was written. Informational.'),
  },
  ['apiVersion', 'kind', 'name'],
);

/** The fields that the binding takes from the template. */
const templateParts = {
  resource: about('The template.', objectReference),
  replicaRequirements: replicaRequirements('The requirements of one replica of the template.'),
  replicas: int32('The number of replicas of the template; absent for kinds without replicas.'),
  components: list(
    'The parts of a template that has several kinds of pods, for example a job with a master.',
    object(
      {
        name: componentName(),
        replicas: int32('The number of its replicas.'),
        replicaRequirements: replicaRequirements('The requirements of one of its replicas.'),
      },
      ['name', 'replicas'],
    ),
  ),
};

/** The fields that the binding takes from the policy in effect. */
const policyParts = {
  propagateDeps: boolean('Whether the dependencies of the template are propagated, from the policy.'),
  placement: placement(),
  schedulerName: string('The name of the scheduler, from the policy; ours is default-scheduler.'),
  failover: failover(),
  conflictResolution: choice(
    'Whether an unmanaged object of that name in a member is left alone (Abort) or taken over (Overwrite). Default Abort; an annotation of the template takes precedence.',
    ['Abort', 'Overwrite'],
    { default: 'Abort' },
  ),
  suspension: bindingSuspension(),
  preserveResourcesOnDeletion: boolean(
    'Whether members keep the objects, unmanaged, when their Works are deleted. Default false.',
  ),
  schedulePriority: about(
    'The priority of scheduling, from the PriorityClass that the policy names.',
    object({ priority: int32('A higher number is scheduled earlier. Default 0.', { default: 0 }) }),
  ),
};

/** The fields that controllers and operators write beside the policy. */
const courseParts = {
  clusters: list('The chosen members, with their replicas. Written by the scheduler.', targetCluster),
  gracefulEvictionTasks: list('Copies to evict from a member; purgeMode says when.', evictionTask),
  requiredBy: list(
    'The bindings whose templates need this one as a dependency.',
    object(
      {
        namespace: string('The namespace of the referring binding.'),
        name: string('The name of the referring binding.'),
        clusters: list('The members on which it needs the dependency.', targetCluster),
      },
      ['name'],
    ),
  ),
  rescheduleTriggeredAt: time('The time of the last request to reschedule; a new time requests it again.'),
  workloadAffinityGroups: about(
    'The groups by which workloads are placed together or apart, with the gate WorkloadAffinity.',
    object({
      affinityGroup: string('The group to place together.'),
      antiAffinityGroup: string('The group to place apart.'),
    }),
  ),
};

const bindingSpec = about(
  'The template, the settings of the policy in effect, and the chosen members.',
  object({ ...templateParts, ...policyParts, ...courseParts }, ['resource']),
);

const aggregatedStatusItem = object(
  {
    clusterName: string('The name of the member.'),
    status: about('The part of the object’s status that is collected.', anyObject()),
    applied: boolean('Whether the member has the object as it is in the Work.'),
    appliedMessage: string('The reason why it has not.'),
    health: health(),
    state: choice(
      'The state of an object that is applied and not healthy: Progressing inside its deadline, else Unhealthy.',
      ['Progressing', 'Unhealthy'],
    ),
    reason: string('The reason in one word of the member, for example CrashLoopBackOff.'),
    message: string('The message of the member.'),
    since: time('The time since which it is in this state.'),
    unhealthySince: time('The time since which it is not healthy, for failover.application.'),
  },
  ['clusterName'],
);

const bindingStatus = about(
  'The result of scheduling, and the status in the members.',
  object({
    schedulerObservedGeneration: int64('The generation of the binding that was scheduled last.'),
    schedulerObservingAffinityName: string('The group of placement.clusterAffinities in effect.'),
    lastScheduledTime: time('The time when the schedule was last made or confirmed.'),
    conditions: conditions(
      'The conditions of this binding. Scheduled: members were chosen. FullyApplied: all of them have the object, and no others. InEffect: its reason is the state of the template in its members: InEffect, Progressing, Unhealthy, Suspended or Failing.',
    ),
    aggregatedStatus: list('The status in each member.', aggregatedStatusItem),
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
    description: 'The placement of one template by the policy in effect. Created and updated by the controllers.',
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

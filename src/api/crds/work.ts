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
  integer,
  list,
  map,
  object,
  string,
  strings,
  time,
} from './build.ts';
import { conditions, nodeSelector, resourceList, toleration } from './kubernetes.ts';
import { bindingSuspension, failover, placement } from './placement.ts';

const group = 'work.karmada.io';
const health = choice('Healthy', 'Unhealthy', 'Unknown');

const identifier = object(
  {
    ordinal: integer(),
    group: string(),
    version: string(),
    kind: string(),
    resource: string(),
    namespace: string(),
    name: string(),
  },
  ['ordinal', 'kind', 'name', 'resource', 'version'],
);

const work = crd({
  group,
  kind: 'Work',
  plural: 'works',
  scope: 'Namespaced',
  shortNames: ['wk'],
  description: 'What is to stand in one member, rendered from a template.',
  columns: [column('WORKLOAD-KIND', '.spec.workload.manifests[*].kind'), conditionColumn('APPLIED', 'Applied'), age()],
  parts: {
    spec: object({
      workload: object({
        manifests: list(anyObject({ 'x-kubernetes-embedded-resource': true })),
      }),
      suspendDispatching: about('Stops sending to the member.', boolean()),
      preserveResourcesOnDeletion: about('Whether the member keeps the object when this Work is deleted.', boolean()),
    }),
    status: object({
      conditions: conditions(),
      manifestStatuses: list(object({ identifier, status: anyObject(), health }, ['identifier'])),
    }),
  },
});

const replicaRequirements = (): Schema =>
  object({
    nodeClaim: object({
      hardNodeAffinity: nodeSelector(),
      nodeSelector: map(string()),
      tolerations: list(toleration()),
    }),
    resourceRequest: resourceList(),
    namespace: string(),
    priorityClassName: string(),
  });

const componentName = string({ maxLength: 32 });

const targetCluster = object(
  {
    name: string(),
    replicas: int32(),
    components: list(object({ name: componentName, replicas: int32() }, ['name'])),
  },
  ['name'],
);

const evictionTask = object(
  {
    fromCluster: string(),
    purgeMode: choice('Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously'),
    replicas: int32(),
    reason: string({ minLength: 1, maxLength: 32, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
    message: string({ maxLength: 1024 }),
    producer: string(),
    gracePeriodSeconds: int32(),
    suppressDeletion: boolean(),
    preservedLabelState: map(string()),
    creationTimestamp: time(),
    clustersBeforeFailover: strings(),
  },
  ['fromCluster', 'reason', 'producer'],
);

const objectReference = object(
  {
    apiVersion: string(),
    kind: string(),
    namespace: string(),
    name: string(),
    uid: string(),
    resourceVersion: string(),
  },
  ['apiVersion', 'kind', 'name'],
);

const bindingSpec = object(
  {
    resource: about('The template.', objectReference),
    propagateDeps: boolean(),
    replicaRequirements: replicaRequirements(),
    replicas: int32(),
    components: list(
      object({ name: componentName, replicas: int32(), replicaRequirements: replicaRequirements() }, [
        'name',
        'replicas',
      ]),
    ),
    clusters: about('Where the template was placed.', list(targetCluster)),
    placement: placement(),
    gracefulEvictionTasks: list(evictionTask),
    requiredBy: about(
      'The bindings that pull this one along.',
      list(object({ namespace: string(), name: string(), clusters: list(targetCluster) }, ['name'])),
    ),
    schedulerName: string(),
    failover: failover(),
    conflictResolution: { ...choice('Abort', 'Overwrite'), default: 'Abort' },
    rescheduleTriggeredAt: time(),
    suspension: bindingSuspension(),
    preserveResourcesOnDeletion: boolean(),
    schedulePriority: object({ priority: int32({ default: 0 }) }),
    workloadAffinityGroups: object({ affinityGroup: string(), antiAffinityGroup: string() }),
  },
  ['resource'],
);

const aggregatedStatusItem = object(
  { clusterName: string(), status: anyObject(), applied: boolean(), appliedMessage: string(), health },
  ['clusterName'],
);

const bindingStatus = object({
  schedulerObservedGeneration: int64(),
  schedulerObservingAffinityName: string(),
  lastScheduledTime: time(),
  conditions: conditions(),
  aggregatedStatus: list(aggregatedStatusItem),
});

const binding = (kind: string, plural: string, plan: { scope: 'Namespaced' | 'Cluster'; short: string }) =>
  crd({
    group,
    versions: ['v1alpha2', 'v1alpha1'],
    kind,
    plural,
    scope: plan.scope,
    shortNames: [plan.short],
    description: 'What the policy in force says of one template, and where it was placed.',
    columns: [conditionColumn('SCHEDULED', 'Scheduled'), conditionColumn('FULLYAPPLIED', 'FullyApplied'), age()],
    parts: { spec: bindingSpec, status: bindingStatus },
  });

/** Work and the bindings of both scopes. */
export const workCrds: readonly CustomResourceDefinition[] = [
  work,
  binding('ResourceBinding', 'resourcebindings', { scope: 'Namespaced', short: 'rb' }),
  binding('ClusterResourceBinding', 'clusterresourcebindings', { scope: 'Cluster', short: 'crb' }),
];

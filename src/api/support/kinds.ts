import { differs, notYet, works, worksWith } from './row.ts';
import type { KindSupport, SupportRow } from './row.ts';

/** Kinds (`group/version Kind Kind`) on which nothing acts yet, and the fields of their spec: none of them does. */
function idle(names: string, note: string, fields: readonly string[] = []): KindSupport {
  const [group = '', ...kinds] = names.split(' ');
  const rows = fields.map((field): readonly [string, SupportRow] => [`spec.${field}`, notYet('')]);
  return { group, kinds, ...notYet(note), fields: Object.fromEntries(rows) };
}

const suspension = differs(
  'the spellings of proposal 4 (`suspendDispatching`) and of Karmada (`dispatching`); it also suspends removals that a placement change causes, and failover; it acts at once under a lazy or static policy',
);

const stateNote = 'the labels stay as long as the copy does; Karmada removes them when the eviction is over';

const policies: KindSupport = {
  group: 'policy.karmada.io/v1alpha1',
  kinds: ['PropagationPolicy', 'ClusterPropagationPolicy'],
  ...works('has a status with counts and conditions, which Karmada lacks'),
  fields: {
    'spec.resourceSelectors': differs(
      'as in Karmada; `namespace` of a cluster policy may be a comma list of names and `prefix*`',
    ),
    'spec.excludedResources': differs('proposal 0; Karmada lacks it'),
    'spec.excludeResourceSelectors': differs('refused with an error that names excludedResources'),
    'spec.association': works('ignored, as in Karmada'),
    'spec.propagateDeps': works(),
    'spec.placement': works('without placement: every cluster'),
    'spec.placement.clusterAffinity': works(),
    'spec.placement.clusterAffinities': works(),
    'spec.placement.clusterAffinities[].overflowAffinities': works(),
    'spec.placement.clusterTolerations': works(),
    'spec.placement.spreadConstraints': differs(
      'by cluster and region, as in Karmada; a constraint by zone, provider or label leaves the template unscheduled and says so',
    ),
    'spec.placement.replicaScheduling': differs(
      'remainders of a division go to clusters by the name of the template, so that a plan can be exact',
    ),
    'spec.placement.workloadAffinity': works('with the gate WorkloadAffinity'),
    'spec.priority': works(),
    'spec.preemption': differs('acts by default: the gate PropagationPolicyPreemption is on'),
    'spec.dependentOverrides': works('the policy waits until the override policies exist'),
    'spec.schedulerName': works('a policy of another scheduler is left to it'),
    'spec.failover': works('see its parts'),
    'spec.failover.application': differs(
      'the time of ill health is kept on the binding, so a restart keeps it, counted at the earliest from when the hub watches again, and an edit of the object begins it anew; a report of a member that is not ready does not count',
    ),
    'spec.failover.application.statePreservation': worksWith('StatefulFailoverInjection', stateNote),
    'spec.failover.cluster': worksWith('Failover'),
    'spec.failover.cluster.statePreservation': worksWith('StatefulFailoverInjection', stateNote),
    'spec.conflictResolution': works(),
    'spec.activationPreference': differs(
      'proposal 3 in every case: a restart and a preemption do not activate what is pending',
    ),
    'spec.suspension': suspension,
    'spec.preserveResourcesOnDeletion': works(),
    'spec.schedulePriority': works('a class that does not exist is an event on the template and a reason in `explain`'),
  },
};

const rollouts: KindSupport = {
  group: 'policy.karmada.io/v1alpha1',
  kinds: ['RolloutPolicy', 'ClusterRolloutPolicy'],
  ...differs('the alternative of proposal 4; Karmada lacks these kinds'),
  fields: {
    'spec.resourceSelectors': works(),
    'spec.suspension': suspension,
    'spec.reason': works(),
    'spec.owner': works(),
    'spec.until': works('the suspension ends then'),
  },
};

const work: KindSupport = {
  group: 'work.karmada.io/v1alpha1',
  kinds: ['Work'],
  ...works(),
  fields: {
    'spec.workload': works(),
    'spec.suspendDispatching': differs(
      'the condition Dispatching is True while suspended (proposal 4); the gate KarmadaDispatchingCondition selects the polarity of Karmada',
    ),
    'spec.preserveResourcesOnDeletion': works(),
  },
};

const bindings: KindSupport = {
  group: 'work.karmada.io/v1alpha2',
  kinds: ['ResourceBinding', 'ClusterResourceBinding'],
  ...works('v1alpha1 is served too'),
  fields: {
    'spec.resource': works(),
    'spec.replicas': works(),
    'spec.replicaRequirements': differs(
      'requests count; node selectors, node affinity and tolerations are recorded and not estimated',
    ),
    'spec.components': differs(
      'filled in whether or not the gate MultiplePodTemplatesScheduling is on; with it, one cluster must have capacity for all components',
    ),
    'spec.propagateDeps': works(),
    'spec.placement': works(),
    'spec.schedulerName': works(),
    'spec.failover': works('see the policy'),
    'spec.conflictResolution': works(),
    'spec.suspension': works('`scheduling` too'),
    'spec.preserveResourcesOnDeletion': works(),
    'spec.schedulePriority': works(),
    'spec.clusters': works(),
    'spec.gracefulEvictionTasks': works(),
    'spec.requiredBy': works(),
    'spec.rescheduleTriggeredAt': works(),
    'spec.workloadAffinityGroups': works('with the gate WorkloadAffinity'),
  },
};

const cluster: KindSupport = {
  group: 'cluster.karmada.io/v1alpha1',
  kinds: ['Cluster'],
  ...works('served by the hub itself, with the subresource proxy'),
  fields: {
    'spec.id': works('recorded when a member joins'),
    'spec.syncMode': works('Push, and Pull with `sluice agent`'),
    'spec.apiEndpoint': works(),
    'spec.secretRef': works(),
    'spec.impersonatorSecretRef': works('users of the cluster proxy are impersonated with it'),
    'spec.insecureSkipTLSVerification': works(),
    'spec.proxyURL': works(),
    'spec.proxyHeader': works(),
    'spec.provider': works(),
    'spec.region': works(),
    'spec.zone': works('moved to zones'),
    'spec.zones': works(),
    'spec.taints': works(),
    'spec.resourceModels': {
      ...notYet('models are filled in and kept; the scheduler counts requests only'),
      isFilledIn: true,
    },
  },
};

const overrides: KindSupport = {
  group: 'policy.karmada.io/v1alpha1',
  kinds: ['OverridePolicy', 'ClusterOverridePolicy'],
  ...differs('a broken one stops its templates in all members; the identity of an object cannot be overridden'),
  fields: {
    'spec.resourceSelectors': works(),
    'spec.activationPreference': works('not in Karmada: `Lazy` waits for the template, as in a policy'),
    'spec.overrideRules': works(),
    'spec.targetCluster': works('superseded by overrideRules'),
    'spec.overriders': works('superseded by overrideRules'),
    'spec.overrideRules[].overriders.imageOverrider': differs('init containers and CronJobs count, too'),
  },
};

const taintPolicy: KindSupport = {
  group: 'policy.karmada.io/v1alpha1',
  kinds: ['ClusterTaintPolicy'],
  ...worksWith('Failover', 'the taints that follow the Ready condition are not for it to add or remove'),
  fields: {
    'spec.targetClusters': works(),
    'spec.addOnConditions': works(),
    'spec.removeOnConditions': works(),
    'spec.taints': works('NoExecute is refused without `--allow-no-execute-taint-policy`'),
  },
};

/** Every kind that the hub serves for Karmada's sake, and whether it acts; docs/karmada.md and the warnings come from here. */
export const kindSupport: readonly KindSupport[] = [
  policies,
  rollouts,
  overrides,
  taintPolicy,
  {
    group: 'policy.karmada.io/v1alpha1',
    kinds: ['FederatedResourceQuota'],
    ...differs(
      'a binding that would exceed it is not written, and an event says so; Karmada refuses it with a webhook',
    ),
    fields: {
      'spec.overall': works('enforced with the gate FederatedQuotaEnforcement'),
      'spec.staticAssignments': works(),
    },
  },
  work,
  bindings,
  cluster,
  {
    group: 'config.karmada.io/v1alpha1',
    kinds: ['ResourceInterpreterCustomization'],
    ...differs(
      'the same scripts; `os.time` and `os.date` tell the newest time in the arguments, and there are no random numbers, so that answers never differ between runs',
    ),
    fields: {
      'spec.target': works(),
      'spec.customizations': works('a script that does not compile is refused with its line'),
    },
  },
  {
    group: 'config.karmada.io/v1alpha1',
    kinds: ['ResourceInterpreterWebhookConfiguration'],
    ...differs(
      'an answer is remembered for the content that was asked about; `sluice plan` uses the built-in rules of the kind',
    ),
    fields: { webhooks: works() },
  },
  {
    group: 'apps.karmada.io/v1alpha1',
    kinds: ['WorkloadRebalancer'],
    ...differs(
      'a workload that is about to get its binding is waited for; a rebalance of copies that run moves them gracefully',
    ),
    fields: { 'spec.workloads': works(), 'spec.ttlSecondsAfterFinished': works() },
  },
  idle('remedy.karmada.io/v1alpha1 Remedy', 'no action is taken on a cluster', [
    'clusterAffinity',
    'decisionMatches',
    'actions',
  ]),
  idle('autoscaling.karmada.io/v1alpha1 FederatedHPA', 'nothing is scaled', [
    'scaleTargetRef',
    'minReplicas',
    'maxReplicas',
    'metrics',
    'behavior',
  ]),
  idle('autoscaling.karmada.io/v1alpha1 CronFederatedHPA', 'nothing is scaled', ['scaleTargetRef', 'rules']),
  idle('networking.karmada.io/v1alpha1 MultiClusterService', 'services are not connected between members', [
    'types',
    'ports',
    'range',
    'providerClusters',
    'consumerClusters',
    'serviceProvisionClusters',
    'serviceConsumptionClusters',
  ]),
  idle('networking.karmada.io/v1alpha1 MultiClusterIngress', 'no load balancer reads it', [
    'ingressClassName',
    'defaultBackend',
    'rules',
    'tls',
  ]),
  idle(
    'multicluster.x-k8s.io/v1alpha1 ServiceExport',
    'it is propagated like any template; no endpoints are collected',
  ),
  idle(
    'multicluster.x-k8s.io/v1alpha1 ServiceImport',
    'it is propagated like any template; no Service is made from it',
    ['ports', 'ips', 'type', 'sessionAffinity', 'sessionAffinityConfig'],
  ),
];

import type { Schema } from '../schema.ts';
import { about, boolean, choice, int32, int64, integer, list, object, ruled, string, strings } from './build.ts';
import { labelSelector, requirement, toleration } from './kubernetes.ts';

const affinityParts = {
  labelSelector: labelSelector(),
  fieldSelector: about(
    'Selects members by provider, region or zone; the operators are In and NotIn.',
    object({ matchExpressions: list(requirement(string())) }),
  ),
  clusterNames: about('Members by name.', strings()),
  exclude: about('Members that are never selected.', strings()),
};

const affinityName = string({ minLength: 1, maxLength: 32 });

/** Selects members. */
export const clusterAffinity = (): Schema => object(affinityParts);

const overflowAffinity = object({ affinityName, ...affinityParts }, ['affinityName']);

const affinityTerm = object(
  {
    affinityName,
    ...affinityParts,
    overflowAffinities: about('Groups that take the replicas that no longer fit.', list(overflowAffinity)),
  },
  ['affinityName'],
);

const spreadConstraint = object({
  spreadByField: choice('cluster', 'region', 'zone', 'provider'),
  spreadByLabel: string(),
  minGroups: integer(),
  maxGroups: integer(),
});

const replicaScheduling = object({
  replicaSchedulingType: { ...choice('Duplicated', 'Divided'), default: 'Divided' },
  replicaDivisionPreference: choice('Aggregated', 'Weighted'),
  weightPreference: object({
    staticWeightList: list(
      object({ targetCluster: clusterAffinity(), weight: int64({ minimum: 1 }) }, ['targetCluster', 'weight']),
    ),
    dynamicWeight: choice('AvailableReplicas'),
  }),
});

const affinityGroup = object({ groupByLabelKey: string() }, ['groupByLabelKey']);

/** Where templates go and how their replicas are divided. */
export const placement = (): Schema =>
  ruled(
    object({
      clusterAffinity: about('The members to choose from.', clusterAffinity()),
      clusterAffinities: about('Groups of members, tried in this order.', list(affinityTerm)),
      clusterTolerations: about('The taints of members that are tolerated.', list(toleration())),
      spreadConstraints: about('Over how many members, zones or regions to spread.', list(spreadConstraint)),
      replicaScheduling: about('Whether replicas are copied to every member or divided.', replicaScheduling),
      workloadAffinity: about(
        'Keeps workloads with the same label value together, or apart.',
        object({ affinity: affinityGroup, antiAffinity: affinityGroup }),
      ),
    }),
    {
      rule: '!(has(self.clusterAffinity) && has(self.clusterAffinities))',
      message: 'clusterAffinity and clusterAffinities exclude each other: write one of them',
    },
  );

const statePreservation = object(
  { rules: list(object({ aliasLabelName: string(), jsonPath: string() }, ['aliasLabelName', 'jsonPath'])) },
  ['rules'],
);

const purgeMode = (...modes: readonly string[]): Schema => ({ ...choice(...modes), default: 'Gracefully' });

/** How workloads move away from where they fail. */
export const failover = (): Schema =>
  object({
    application: object(
      {
        decisionConditions: object({ tolerationSeconds: int32({ default: 300 }) }),
        purgeMode: purgeMode('Directly', 'Gracefully', 'Never'),
        gracePeriodSeconds: int32(),
        statePreservation,
      },
      ['decisionConditions'],
    ),
    cluster: object({ purgeMode: purgeMode('Directly', 'Gracefully'), statePreservation }),
  });

const suspendClusters = object({ clusterNames: strings() });

const suspensionParts = {
  suspendDispatching: about('Stops sending to all members.', boolean()),
  suspendDispatchingOnClusters: about('Stops sending to these members.', suspendClusters),
  dispatching: about('The other spelling of suspendDispatching.', boolean()),
  dispatchingOnClusters: about('The other spelling of suspendDispatchingOnClusters.', suspendClusters),
};

const allAndSome = (all: string, some: string): string =>
  `!(has(self.${all}) && self.${all} && has(self.${some}) && has(self.${some}.clusterNames) && size(self.${some}.clusterNames) > 0)`;

const suspensionRules = [
  {
    rule:
      '!((has(self.suspendDispatching) || has(self.suspendDispatchingOnClusters))' +
      ' && (has(self.dispatching) || has(self.dispatchingOnClusters)))',
    message: 'two spellings of one thing: write suspendDispatching… or dispatching…, not both',
  },
  {
    rule: allAndSome('suspendDispatching', 'suspendDispatchingOnClusters'),
    message: 'suspendDispatching stops all members: leave out suspendDispatchingOnClusters, or suspendDispatching',
  },
  {
    rule: allAndSome('dispatching', 'dispatchingOnClusters'),
    message: 'dispatching stops all members: leave out dispatchingOnClusters, or dispatching',
  },
];

/** Holds what would be sent to members; both spellings, one at a time. */
export const suspension = (): Schema => ruled(object(suspensionParts), ...suspensionRules);

/** The suspension of a binding, which may also hold its scheduling. */
export const bindingSuspension = (): Schema =>
  ruled(object({ ...suspensionParts, scheduling: about('Stops scheduling.', boolean()) }), ...suspensionRules);

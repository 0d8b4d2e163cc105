import type { Schema } from '../schema.ts';
import { affinityName, affinityParts, clusterAffinity } from './affinity.ts';
import { about, choice, int64, integer, list, object, ruled, string } from './build.ts';
import { toleration } from './kubernetes.ts';

const affinityTerm = object(
  {
    affinityName: affinityName(),
    ...affinityParts,
    overflowAffinities: list(
      'Groups for replicas that exceed the capacity of the group; needs a division by capacity. The scheduler ignores it yet.',
      object({ affinityName: affinityName(), ...affinityParts }, ['affinityName']),
    ),
  },
  ['affinityName'],
);

const spreadConstraint = object({
  spreadByField: choice(
    'The groups to spread over: each member (cluster), or all members of a region, zone or provider. Default cluster. By zone and provider the scheduler cannot spread yet, and says so.',
    ['cluster', 'region', 'zone', 'provider'],
  ),
  spreadByLabel: string(
    'Groups by the value of this label of members, instead of spreadByField. By labels the scheduler cannot spread yet, and says so.',
  ),
  minGroups: integer('The least number of groups; with fewer, nothing new is placed. Default 1.'),
  maxGroups: integer('The greatest number of groups. Default 0: all.'),
});

const weightedMembers = object(
  {
    targetCluster: clusterAffinity('The members that have this weight.'),
    weight: int64('The weight, at least 1. If several match a member, the largest counts.', { minimum: 1 }),
  },
  ['targetCluster', 'weight'],
);

const replicaScheduling = object({
  replicaSchedulingType: choice(
    'Duplicated: every member gets all replicas. Divided: the members share them. Default Divided.',
    ['Duplicated', 'Divided'],
    { default: 'Divided' },
  ),
  replicaDivisionPreference: choice(
    'How Divided divides. Aggregated: among as few members as have the capacity. Weighted: by weightPreference. Default Weighted.',
    ['Aggregated', 'Weighted'],
  ),
  weightPreference: about(
    'The weights for Weighted. Without them all members have the same weight.',
    object({
      staticWeightList: list(
        'Fixed weights. Members that no rule selects get no replicas, unless no rule selects any member. Ignored with dynamicWeight.',
        weightedMembers,
      ),
      dynamicWeight: choice(
        'AvailableReplicas: the weight of a member is the number of replicas that it has capacity for.',
        ['AvailableReplicas'],
      ),
    }),
  ),
});

const affinityGroup = (description: string): Schema =>
  about(
    description,
    object({ groupByLabelKey: string('The key of the label whose value names the group.') }, ['groupByLabelKey']),
  );

const placementParts = {
  clusterAffinity: clusterAffinity(
    'The members to choose from: those that match every field that is set; empty: all. Excludes clusterAffinities.',
  ),
  clusterAffinities: list(
    'Groups of members, tried in this order until one fits. A running workload does not go back to an earlier group by itself. Excludes clusterAffinity.',
    affinityTerm,
  ),
  clusterTolerations: list('The taints of members that are tolerated.', toleration()),
  spreadConstraints: list(
    'The number of members or regions to spread over; one constraint by cluster is required. Ignored when replicas are divided by fixed weights.',
    spreadConstraint,
  ),
  replicaScheduling: about('Whether each member gets all replicas or a share of them. Absent: all.', replicaScheduling),
  workloadAffinity: about(
    'Workloads that are placed on the same members, and workloads that are not. The scheduler ignores it yet.',
    object({
      affinity: affinityGroup('Workloads to place together.'),
      antiAffinity: affinityGroup('Workloads to place apart; the label must be another one.'),
    }),
  ),
};

/** Where templates go and how their replicas are divided. */
export const placement = (): Schema =>
  about(
    'The members of the templates, and the division of their replicas. Empty: all members, all replicas each.',
    ruled(object(placementParts), {
      rule: '!(has(self.clusterAffinity) && has(self.clusterAffinities))',
      message: 'clusterAffinity and clusterAffinities exclude each other: write one of them',
    }),
  );

import type { Schema } from '../schema.ts';
import { affinityName, affinityParts, clusterAffinity } from './affinity.ts';
import { about, choice, int64, integer, list, object, ruled, string } from './build.ts';
import { toleration } from './kubernetes.ts';

const affinityTerm = object(
  {
    affinityName: affinityName(),
    ...affinityParts,
    overflowAffinities: list(
      'Groups meant for the replicas that the group has no room for; needs a division by capacity. The scheduler does not look at it yet.',
      object({ affinityName: affinityName(), ...affinityParts }, ['affinityName']),
    ),
  },
  ['affinityName'],
);

const spreadConstraint = object({
  spreadByField: choice(
    'What a group is: one member (cluster), or all of a region, zone or provider. Default cluster. By zone and provider the scheduler cannot spread yet, and says so.',
    ['cluster', 'region', 'zone', 'provider'],
  ),
  spreadByLabel: string(
    'Groups by the value of this label of members, in place of spreadByField. By labels the scheduler cannot spread yet, and says so.',
  ),
  minGroups: integer('Fewer groups than this will not do: then nothing is placed anew. Default 1.'),
  maxGroups: integer('No more groups than this are chosen. Default 0: as many as there are.'),
});

const weightedMembers = object(
  {
    targetCluster: clusterAffinity('The members that have this weight.'),
    weight: int64('The weight, at least 1; of several that fit a member the largest counts.', { minimum: 1 }),
  },
  ['targetCluster', 'weight'],
);

const replicaScheduling = object({
  replicaSchedulingType: choice(
    'Duplicated: every member gets all replicas. Divided: they are shared out. Default Divided.',
    ['Duplicated', 'Divided'],
    { default: 'Divided' },
  ),
  replicaDivisionPreference: choice(
    'How Divided shares out. Aggregated: among as few members as have room. Weighted: by weightPreference. Default Weighted.',
    ['Aggregated', 'Weighted'],
  ),
  weightPreference: about(
    'The weights for Weighted. Without them all members weigh the same.',
    object({
      staticWeightList: list(
        'Fixed weights. Members that no rule selects get nothing, unless no rule selects any. Not looked at with dynamicWeight.',
        weightedMembers,
      ),
      dynamicWeight: choice(
        'AvailableReplicas: a member weighs as many replicas as it has room for, by its own account.',
        ['AvailableReplicas'],
      ),
    }),
  ),
});

const affinityGroup = (description: string): Schema =>
  about(
    description,
    object({ groupByLabelKey: string('The key of the label whose value tells who belongs together.') }, [
      'groupByLabelKey',
    ]),
  );

const placementParts = {
  clusterAffinity: clusterAffinity(
    'The members to choose from: those that match every field that is set; empty: all. Excludes clusterAffinities.',
  ),
  clusterAffinities: list(
    'Groups of members, tried in this order until one suits. What runs does not go back to an earlier one by itself. Excludes clusterAffinity.',
    affinityTerm,
  ),
  clusterTolerations: list('The taints of members that are no reason to stay away or to leave.', toleration()),
  spreadConstraints: list(
    'Over how many members or regions to spread; one constraint by cluster must be among them. Not looked at when replicas are divided by fixed weights.',
    spreadConstraint,
  ),
  replicaScheduling: about(
    'Whether each member gets all replicas or a share of them. Absent: each gets all.',
    replicaScheduling,
  ),
  workloadAffinity: about(
    'Which workloads are meant to be on the same members, and which are not. The scheduler does not look at it yet.',
    object({
      affinity: affinityGroup('Workloads that are meant to be together.'),
      antiAffinity: affinityGroup('Workloads that are meant to be apart; the label must be another one.'),
    }),
  ),
};

/** Where templates go and how their replicas are divided. */
export const placement = (): Schema =>
  about(
    'To which members templates go, and how their replicas are divided. Empty: to all members, all replicas each.',
    ruled(object(placementParts), {
      rule: '!(has(self.clusterAffinity) && has(self.clusterAffinities))',
      message: 'clusterAffinity and clusterAffinities exclude each other: write one of them',
    }),
  );

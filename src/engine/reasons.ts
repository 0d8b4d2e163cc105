/**
 * The closed set of reasons. Conditions, events, `explain`, `plan`, logs and the dashboard print these
 * and nothing else; docs/reasons.md says what each means and a test keeps page and code equal.
 */
export const reasons = {
  // claim: which policy manages this template?
  Elected: 'the best matching policy took the template',
  Preempted: 'a policy that ranks higher took the template over',
  Rematched: 'the managing policy was deleted or no longer selects the template, and the next best policy took it',
  PolicyGone: 'the managing policy was deleted, and no other policy selects the template',
  PolicyNoLongerMatches: 'the managing policy no longer selects the template, and no other policy does',
  Activated: 'the template changed, so pending changes of its policy take effect',
  ActivatedOnRequest: 'a reconcile request activated the pending change',
  PolicyEdited: 'the policy was edited',
  SuspensionChanged: 'a suspension changed; it takes effect at once',
  UpToDate: 'everything is as wanted',
  WaitingForTemplateChange: 'the policy is lazy, or policies are static: the change waits until the template changes',
  WaitingForPolicy: 'the template changed while no policy selects it: the change waits for one',
  NoPolicyMatches: 'no policy selects the template',
  Unreadable:
    'the object, or one that it relies on, lacks the shape of its kind: nothing is done until somebody repairs or deletes it',
  InterpreterAwaited: 'a webhook that interprets the kind is being asked; nothing is decided until it answers',
  InterpreterFailed:
    'a script that interprets the kind failed: what it was asked for is not done until the script or the object is corrected',
  DecisionFailed: 'deciding failed on what the objects say: nothing is done, and other objects are not concerned',
  NotATemplate: 'objects of this kind, name or namespace are not propagated',
  ClaimedElsewhere: 'another controller has claimed the template for itself',
  OverridesMissing: 'the policy waits for the override policies that it depends on',
  PriorityClassMissing: 'the policy waits for the PriorityClass that it names',
  AnnotationsFull:
    'the annotations of the template leave no space for those that say which policy manages it: 256 KiB in all is the limit',
  BindingOfAnother: 'the binding of this name belongs to another object',
  BindingLost: 'the binding is gone but its Works are not: nothing moves until the template changes',
  TemplateGone: 'the template was deleted',
  BindingGone: 'the binding that made the Work is gone, and its template too',

  // why a policy does not manage a template
  Manages: 'the policy manages the template',
  KindDiffers: 'no selector has this apiVersion and kind',
  NamespaceDiffers: 'no selector covers this namespace',
  NameDiffers: 'no selector has this name',
  LabelsDiffer: 'no label selector matches the labels',
  Excluded: 'a rule of excludedResources matches',
  OutOfScope: 'a namespaced policy selects only in its own namespace',
  PolicyDeleting: 'the policy is being deleted',
  PolicyWithoutId: 'the policy got past admission and has no permanent id: write it again to give it one',
  LowerScope: 'a namespaced policy goes before a cluster policy',
  LowerPriority: 'another policy has a higher priority',
  LowerPrecision: 'another policy of the same priority selects more precisely',
  LaterName: 'another policy of the same rank comes first by name',
  DoesNotPreempt: 'another policy manages the template, and this one does not preempt or does not rank higher',

  // schedule: which clusters?
  Scheduled: 'the clusters were chosen',
  AlreadyScheduled: 'the placement did not change',
  SchedulingSuspended: 'scheduling of this binding is suspended',
  NoPlacement: 'the binding has no placement of its own',
  OtherScheduler: 'another scheduler is responsible',
  NoClusterFits: 'no cluster passes the filters',
  SchedulingFailed: 'the clusters that fit cannot satisfy the placement',
  Chosen: 'the cluster was chosen',
  QuotaExceeded: 'a FederatedResourceQuota of the namespace leaves too little',
  QuotaAssigned: 'the members get their shares of the quota',
  AffinityDiffers: 'the cluster affinity does not select the cluster',
  WorkloadsApart: 'a workload of the same anti-affinity group runs in the cluster',
  WorkloadsTogether: 'a workload of the same affinity group does not run in the cluster',
  TaintUntolerated: 'the cluster has a taint that the policy does not tolerate',
  ApiMissing: 'the cluster does not serve this kind',
  BeingEvicted: 'the workload is being evicted from the cluster',
  ClusterDeleting: 'the cluster is leaving',
  PropertyMissing: 'the cluster lacks a property that the spread needs',
  NotSelected: 'the spread or the division of replicas left the cluster out',

  // the fleet
  ClusterPrepared: 'the member has what it needs on the hub',
  KindGoing: 'the definition of the kind is being deleted, which does not delete what its objects placed',
  OutageBegan: 'too many members failed together: nothing is evicted until enough of them are back',
  OutageOver: 'enough members are back: evictions go on',
  NamespaceSpread: 'every member gets the namespace',

  // evict: failover
  Evicting: 'a cluster has a NoExecute taint that the placement does not tolerate',
  EvictionPaused: 'too many members failed together, so nothing is evicted',
  EvictionInTurn: 'other workloads are evicted first: the rate of evictions is limited',
  EvictionSuspended: 'failover waits while dispatching is suspended',
  EvictionDone: 'the replacement is healthy, or the grace period is over',
  Tolerated: 'the taint is tolerated for now',
  ApplicationFailed: 'the workload stayed unhealthy in a cluster longer than its policy tolerates, so it leaves it',
  UnhealthyTolerated: 'the workload is unhealthy in a cluster, which its policy tolerates for now',
  StateUnknown: 'the state to preserve cannot be read: the workload stays until it can',
  EvictionWaits: 'the old copy stays until its replacement is healthy',

  // evict: moves
  MoveWaits: 'the placement changed: the old copy stays until every copy that is wanted now is healthy',
  MoveShrinks: 'replicas are ready elsewhere, so the old cluster keeps fewer',
  MoveDone: 'every copy that is wanted now is healthy, so the old copy goes',
  MoveOverdue: 'the replacement is still not healthy after the deadline: the old copy stays',

  // autoscale
  ScaledByMembers: 'an autoscaler that is propagated scales the template in members, or no longer does',
  ReplicasAwaited: 'members scale the template, and not all of them have reported their replicas',
  ReplicasTakenOver: 'the template has the replicas to which its members have scaled it',

  // rebalance
  RebalanceTriggered: 'the workloads were asked to be scheduled anew',
  RebalanceWaits: 'a workload gets its binding first',
  RebalanceDone: 'every workload was asked to be scheduled anew, or has no binding',
  RebalancerExpired: 'the rebalancer is done, and its time is over',

  // dependencies
  Attached: 'a workload needs the object',
  Detached: 'no workload needs the object any more',

  // render: which Works?
  Rendered: 'the Work follows the binding',
  ContentNotHandled: 'the template changed and no policy has handled the change: Works keep the content they have',
  ClaimUnsettled:
    'the managing policy of the object, or of a workload that needs it, is about to change: Works wait for that',
  RemovalSuspended: 'the removal from this cluster waits while dispatching is suspended',
  Removed: 'the placement no longer names the cluster',
  BindingDeleting: 'the binding is being deleted, and its Works go with it',
  PurgeFirst: 'the old copies are purged before the new ones are made',
  OverrideFailed:
    'an override cannot be applied, so nothing of the template is sent until the override policy is corrected',
  OverridesChanged:
    'other overrides are in effect: an override policy was created, edited or deleted, or the template changed',
  OverrideApplies: 'the override is applied in these clusters',
  NoTargetCluster: 'no rule of the override is for a cluster of the template',
  OverrideWaits: 'an override policy is lazy: what it says now waits until the template changes',

  // dispatch: what must change in the member?
  Created: 'the object is created in the member',
  Updated: 'the object in the member is updated',
  Recreated: 'the object was deleted in the member and is put back',
  DriftRepaired: 'the object was changed in the member and is put back',
  Adopted: 'the object existed in the member and is taken over',
  AlreadyThere: 'the object exists in the member and is not ours',
  OwnedByAnotherWork: 'another Work owns the object in the member',
  Suspended: 'dispatching is suspended',
  SuspensionOver: 'the suspension has ended, or never suspended anything',
  Deleted: 'the object is deleted from the member',
  PutBack: 'it was deleted by hand but is still wanted: it is made again, and the member is not touched',
  DeletionWaits: 'the Work was deleted by hand but is still wanted, and cannot be made again yet: it stays',
  RemovalsSuspended: 'all removals from members are suspended, after a restore for example: the object stays',
  Preserved: 'the object stays in the member and is no longer managed',
  ClusterNotReady: 'the member is not ready',
  LeftToAgent: 'the agent of the member does what the Work says',
  HandedToAgent: 'the agent of the member is told to remove the object',
  WithdrawnFromAgent: 'the agent of the member is told to keep the object',
  MemberUnknown: 'the member has not answered yet',
  MemberRefused: 'the member refused the object',

  // reasons of a policy's own conditions
  ClustersFound: 'the placement finds clusters',
  ClustersMissing: 'the placement names clusters that do not exist',

  // plan: what should a person look at before the change?
  TemplatesReleased: 'templates lose their policy: they stay where they are, and later edits of them reach no member',
  SelectsNothing: 'the policy selects no template',
  WinsNothing: 'other policies manage every template that the policy selects',
  MoveWithoutOverlap: 'the old copy is removed before its replacement is healthy',
  NotSupportedYet: 'nothing acts on this kind or field yet',
  GateOff: 'nothing acts on this kind or field while its feature gate is off',

  // collect: what does the fleet say?
  Collected: 'the status was gathered',
} as const;

/** One of the documented reasons. */
export type Reason = keyof typeof reasons;

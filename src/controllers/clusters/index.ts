import type { Cluster, View } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { writtenBy } from '../controller.ts';
import { messageOf, reasonText } from '../messages.ts';
import type { ControllerDefinition, ObjectEvent, PerformedAction, SingleEvent, Subjects } from '../controller.ts';

export { AgentWatch, Heartbeat } from './agents.ts';
export { ClusterWatch } from './watch.ts';

const impersonationEvents: readonly SingleEvent[] = [
  {
    reason: 'SyncImpersonationConfigSucceed',
    on: 'cluster',
    meaning: 'the account of the member that speaks for users has its role',
  },
  {
    reason: 'SyncImpersonationConfigFailed',
    on: 'cluster',
    meaning: 'the account of the member that speaks for users could not get its role',
  },
];

/** The event about the account of a member that speaks for users. */
export function impersonationEvent(cluster: Cluster, failure?: string): ObjectEvent {
  const outcome = { object: cluster, component: 'unified-auth-controller' };
  if (failure === undefined) {
    const message = 'The impersonator of the member has its role.';
    return { ...outcome, type: 'Normal', reason: 'SyncImpersonationConfigSucceed', message };
  }
  return { ...outcome, type: 'Warning', reason: 'SyncImpersonationConfigFailed', message: failure };
}

/** Prepares the hub for a member: a namespace for its Works, and taints that follow its Ready condition. */
export const clusters: ControllerDefinition<'cluster'> = {
  name: 'clusters',
  question: 'cluster',
  source: { component: 'cluster-controller' },
  events: {
    prepare: [{ stem: 'CreateExecutionSpace', on: ['cluster'], meaning: 'the member has a namespace for its Works' }],
    grant: [
      { stem: 'GrantAgentAccess', on: ['cluster'], meaning: 'the agent of a Pull member has its rights on the hub' },
    ],
    clear: [
      { stem: 'RemoveExecutionSpace', on: ['cluster'], meaning: 'the namespace of a leaving member is being removed' },
    ],
    taint: [
      {
        stem: 'TaintCluster',
        on: ['cluster'],
        meaning: 'the taints follow the conditions of the member',
        when: isTainted,
        message: taintsText,
      },
    ],
    report: [],
    finalize: [],
    accept: [],
  },
  otherEvents: {
    list: [
      { reason: 'OutageBegan', on: 'cluster', meaning: 'too many members failed together: nothing is evicted' },
      { reason: 'OutageOver', on: 'cluster', meaning: 'enough members are back: evictions go on' },
      ...impersonationEvents,
    ],
    of: outageEvents,
  },
};

/** Emitted on every member that failed when an outage begins, changes or ends. */
function outageEvents(_: View, done: PerformedAction, { cluster }: Subjects): readonly ObjectEvent[] {
  const { because } = done.decision;
  if (done.action.do !== 'report' || done.error !== undefined || !cluster) return [];
  const type = because === 'OutageBegan' ? 'Warning' : 'Normal';
  return [{ object: cluster, type, reason: because, message: messageOf(done), component: 'cluster-controller' }];
}

const taintsOf = (object: unknown): unknown => (object as Cluster | undefined)?.spec.taints ?? [];

/** The taints of the member after the change. */
function taintsText(done: PerformedAction): string {
  const taints = (writtenBy(done) as Cluster | undefined)?.spec.taints ?? [];
  return reasonText(
    'ClusterPrepared',
    `taints: ${taints.map(({ key, effect }) => `${key}:${effect}`).join(', ') || 'none'}`,
  );
}

function isTainted(done: PerformedAction): boolean {
  return !equal(taintsOf(writtenBy(done)), taintsOf(done.before));
}

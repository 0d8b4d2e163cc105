import type { Cluster } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { writtenBy } from '../controller.ts';
import { reasonText } from '../messages.ts';
import type { ControllerDefinition, PerformedAction } from '../controller.ts';

export { AgentWatch, Heartbeat } from './agents.ts';
export { ClusterWatch } from './watch.ts';

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
    finalize: [],
    accept: [],
  },
};

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

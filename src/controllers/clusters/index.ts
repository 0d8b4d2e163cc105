import type { Cluster } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { writtenBy } from '../controller.ts';
import type { ControllerDefinition, PerformedAction } from '../controller.ts';

export { ClusterWatch } from './watch.ts';

/** Prepares the hub for a member: a namespace for its Works, and taints that follow its Ready condition. */
export const clusters: ControllerDefinition<'cluster'> = {
  name: 'clusters',
  question: 'cluster',
  source: { component: 'cluster-controller' },
  events: {
    prepare: [{ stem: 'CreateExecutionSpace', on: ['cluster'], meaning: 'the member has a namespace for its Works' }],
    clear: [
      { stem: 'RemoveExecutionSpace', on: ['cluster'], meaning: 'the namespace of a leaving member is being removed' },
    ],
    taint: [
      { stem: 'TaintCluster', on: ['cluster'], meaning: 'the taints follow the Ready condition', when: isTainted },
    ],
    finalize: [],
    accept: [],
  },
};

const taintsOf = (object: unknown): unknown => (object as Cluster | undefined)?.spec.taints ?? [];

function isTainted(done: PerformedAction): boolean {
  return !equal(taintsOf(writtenBy(done)), taintsOf(done.before));
}

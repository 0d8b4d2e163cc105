import type { ControllerDefinition } from '../controller.ts';

/** Were the workloads of a WorkloadRebalancer asked to be scheduled anew, and is its time over? */
export const rebalancer: ControllerDefinition<'rebalance'> = {
  name: 'rebalancer',
  question: 'rebalance',
  workers: 1,
  concurrent: ['trigger'],
  events: { trigger: [], report: [], expire: [] },
};

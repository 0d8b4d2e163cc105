import type { ControllerDefinition } from '../controller.ts';

/**
 * Tells whether the workloads of a WorkloadRebalancer were asked to be scheduled again, and whether its time is over.
 */
export const rebalancer: ControllerDefinition<'rebalance'> = {
  name: 'rebalancer',
  question: 'rebalance',
  workers: 1,
  concurrent: ['trigger'],
  events: { trigger: [], report: [], expire: [] },
};

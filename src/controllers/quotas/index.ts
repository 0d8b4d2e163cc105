import type { ControllerDefinition } from '../controller.ts';

/** Do members have their shares of a FederatedResourceQuota, and does its status say what is used? */
export const quotas: ControllerDefinition<'quota'> = {
  name: 'quotas',
  question: 'quota',
  concurrent: ['assign', 'withdraw'],
  events: {
    assign: [{ stem: 'SyncWork', on: ['quota'], meaning: 'the members have their shares, or not' }],
    withdraw: [],
    report: [
      {
        stem: 'AggregateStatus',
        on: ['quota'],
        meaning: 'the status says what members report, or it cannot be written',
      },
      {
        stem: 'CollectOverallStatus',
        on: ['quota'],
        meaning: 'the status says what is used over all, or it cannot be written',
      },
    ],
  },
};

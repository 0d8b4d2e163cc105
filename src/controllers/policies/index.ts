import type { ControllerDefinition } from '../controller.ts';

export { PolicyReports } from './reports.ts';

/** Tells whether a policy that is being deleted can be released. Its reports are written beside this question. */
export const policies: ControllerDefinition<'policy'> = {
  name: 'policies',
  question: 'policy',
  events: { finalize: [], accept: [] },
  otherEvents: {
    list: [
      { reason: 'ClustersMissing', on: 'policy', meaning: 'the placement names clusters that do not exist' },
      { reason: 'NoClusterFits', on: 'policy', meaning: 'the placement selects no cluster' },
    ],
  },
};

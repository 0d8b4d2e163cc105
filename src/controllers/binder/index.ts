import type { ControllerDefinition } from '../controller.ts';

/** Question 3: which Works, with which overrides? */
export const binder: ControllerDefinition<'render'> = {
  name: 'binder',
  question: 'render',
  workers: 6,
  urgentWorkers: 4,
  concurrent: ['render', 'remove'],
  source: { component: 'binding-controller', cluster: 'cluster-resource-binding-controller' },
  events: {
    render: [{ stem: 'SyncWork', on: ['binding', 'template'], meaning: 'a Work follows its binding' }],
    remove: [
      {
        stem: 'CleanupWork',
        on: ['binding'],
        meaning: 'a Work that is not needed cannot be deleted',
        onlyFailures: true,
      },
    ],
    finalize: [],
    restore: [],
    accept: [],
  },
};

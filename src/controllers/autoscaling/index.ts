import type { ControllerDefinition } from '../controller.ts';

/** Do members scale a template, and to how many replicas? */
export const autoscaling: ControllerDefinition<'autoscale'> = {
  name: 'autoscaling',
  question: 'autoscale',
  workers: 1,
  events: { mark: [], sync: [] },
};

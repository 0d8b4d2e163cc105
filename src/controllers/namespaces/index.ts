import type { ControllerDefinition } from '../controller.ts';

/** Which members get this namespace? */
export const namespaces: ControllerDefinition<'namespace'> = {
  name: 'namespaces',
  question: 'namespace',
  concurrent: ['spread'],
  events: { spread: [] },
};

import { expect, test } from 'vitest';
import type { ActionOf, Question } from '../engine/index.ts';
import type { ControllerDefinition } from './controller.ts';
import { controllers } from './pipeline/controllers.ts';

type EventsOf<Q extends Question> = ControllerDefinition<Q>['events'];

test('every question has a controller, and every controller the name of its question', () => {
  for (const [question, definition] of Object.entries(controllers)) expect(definition.question).toBe(question);
  const names = Object.values(controllers).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('the events of a controller name exactly the actions of its question', () => {
  const all: EventsOf<'claim'> = { claim: [], bind: [], release: [] };
  // @ts-expect-error: an action without a list of events
  const without: EventsOf<'claim'> = { claim: [], bind: [] };
  // @ts-expect-error: an action that the question does not have, as after a renaming
  const renamed: EventsOf<'claim'> = { ...all, attach: [] };
  // @ts-expect-error: an action of another question
  const action: ActionOf<'claim'>['do'] = 'place';
  // @ts-expect-error: a controller in the place of another
  const swapped: typeof controllers = { ...controllers, claim: controllers.schedule };
  expect([without, renamed, action, swapped]).toHaveLength(4);
});

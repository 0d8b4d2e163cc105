import { describe, expect, test } from 'vitest';
import type { Binding, Work } from '../../api/index.ts';
import { bindingApi, executionNamespace, keyOf, refOf, workApi, workName } from '../../api/index.ts';
import { atRest, rightAfter } from '../../../test/kit/worlds.ts';
import { deployment, policy } from '../../../test/kit/objects.ts';
import type { Decision } from '../decision.ts';
import { decideDispatch, gatherDispatch } from '../dispatch/index.ts';
import { decideSchedule, gatherSchedule } from '../schedule/index.ts';
import { questions } from './questions.ts';
import type { Question } from './question.ts';
import { run } from './settle.ts';
import type { World } from './world.ts';

const nginx = deployment('nginx');
const web = policy('web', { to: ['member1', 'member2'] });
const { namespace = '', name } = refOf(nginx);
const bindingKey = keyOf({ apiVersion: bindingApi, kind: 'ResourceBinding', namespace, name: 'nginx-deployment' });
const workKey = keyOf({
  apiVersion: workApi,
  kind: 'Work',
  namespace: executionNamespace('member1'),
  name: workName({ kind: 'Deployment', namespace, name }),
});

/** Nginx on its way, as far as it gets when these questions are not asked. */
function onItsWay(...without: readonly Question[]): World {
  const world = rightAfter(atRest({}, web), nginx);
  run(world, { without: new Set(without) });
  return world;
}

function asked<Facts>(facts: Facts | undefined, decide: (facts: Facts) => Decision): Decision {
  if (!facts) throw new Error('there is nothing to decide about');
  return decide(facts);
}

/** The decisions of the scheduler and of the dispatcher alone. */
const scheduled = (world: World): Decision => asked(gatherSchedule(world, bindingKey), decideSchedule);
const dispatched = (world: World): Decision => asked(gatherDispatch(world, workKey), decideDispatch);

const whole = (): World => atRest({}, web, nginx);
const bindingOf = (world: World): Binding => world.get(bindingKey) as Binding;

function writtenBy(decision: Decision | undefined): readonly string[] {
  return (decision?.actions ?? []).map(({ write }) => `${write.verb} ${'object' in write ? write.object.kind : ''}`);
}

function perform(world: World, decision: Decision | undefined): World {
  for (const { write } of decision?.actions ?? []) world.write(write);
  return world;
}

describe('the status of a binding', () => {
  test('is what the scheduler and the fleet say, in one write', () => {
    const world = onItsWay('schedule', 'collect');
    expect(bindingOf(world).status).toBeUndefined();
    const collected = questions.collect(world, bindingKey);
    expect(writtenBy(collected)).toEqual(['updateStatus ResourceBinding', 'updateStatus Deployment']);
    const { conditions, aggregatedStatus } = bindingOf(perform(world, collected)).status ?? {};
    expect(conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'Scheduled True',
      'FullyApplied True',
      'InEffect True',
    ]);
    expect(aggregatedStatus).toEqual(bindingOf(whole()).status?.aggregatedStatus);
    expect(questions.collect(world, bindingKey)?.actions).toEqual([]);
  });

  test('is also written where only the scheduler has something to report', () => {
    const world = whole();
    const { schedulerObservedGeneration: _, ...status } = bindingOf(world).status ?? {};
    world.write({ verb: 'updateStatus', object: { ...bindingOf(world), status } as Binding });
    const said = questions.collect(world, bindingKey);
    expect(writtenBy(said)).toEqual(['updateStatus ResourceBinding']);
    expect(bindingOf(perform(world, said)).status?.schedulerObservedGeneration).toBe(
      bindingOf(world).metadata.generation,
    );
  });

  test('is left out of what the scheduler does, unless it could not place it', () => {
    const placed = onItsWay('schedule', 'collect');
    expect(writtenBy(scheduled(placed))).toEqual(['updateStatus ResourceBinding']);
    expect(questions.schedule(placed, bindingKey)).toMatchObject({ actions: [], reportedBy: 'collect' });

    const nowhere = rightAfter(atRest({}, policy('web', { to: 'nobody' })), nginx);
    run(nowhere, { without: new Set(['schedule', 'collect']) });
    const refused = questions.schedule(nowhere, bindingKey);
    expect(refused?.because).toBe('NoClusterFits');
    expect(writtenBy(refused)).toEqual(['updateStatus ResourceBinding']);
    expect(bindingOf(perform(nowhere, questions.collect(nowhere, bindingKey))).status?.conditions).toBeUndefined();
  });

  test('is nothing for a binding that is gone', () => {
    expect(questions.collect(onItsWay('claim'), bindingKey)).toBeUndefined();
  });
});

describe('the status of a Work', () => {
  const actionsOf = (decision: Decision | undefined): readonly string[] =>
    (decision?.actions ?? []).map((action) => action.do);

  test('is that it was applied and what the member answered, in one write', () => {
    const world = onItsWay('dispatch', 'reflect');
    expect(questions.reflect(world, workKey)?.actions).toEqual([]);
    const sent = questions.dispatch(world, workKey);
    expect([actionsOf(dispatched(world)), actionsOf(sent)]).toEqual([['apply', 'report'], ['apply']]);
    expect(sent?.reportedBy).toBe('reflect');
    perform(world, sent);
    perform(world, questions.reflect(world, workKey));
    const { status } = world.get(workKey) as Work;
    expect(status?.conditions?.map(({ type }) => type)).toEqual(['Dispatching', 'Applied', 'Healthy']);
    expect(status?.manifestStatuses?.length).toBe(1);
    expect(dispatched(world).actions).toEqual([]);
    expect(questions.reflect(world, workKey)?.actions).toEqual([]);
  });

  test('is written at once for a suspended Work', () => {
    const world = rightAfter(
      atRest({}, policy('web', { to: 'member1', suspend: { suspendDispatching: true } })),
      nginx,
    );
    run(world, { without: new Set(['dispatch', 'reflect']) });
    const suspended = questions.dispatch(world, workKey);
    expect(suspended?.because).toBe('Suspended');
    expect(actionsOf(suspended)).toEqual(['report']);
    expect(suspended?.reportedBy).toBeUndefined();
    expect(questions.reflect(world, workKey)?.actions).toEqual([]);
  });
});

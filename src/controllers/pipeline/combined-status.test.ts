import { describe, expect, test } from 'vitest';
import type { Binding, Work } from '../../api/index.ts';
import { bindingApi, executionNamespace, keyOf, refOf, workApi, workName } from '../../api/index.ts';
import { questions, run } from '../../engine/index.ts';
import type { Decision, Question, World } from '../../engine/index.ts';
import { atRest, rightAfter } from '../../../test/kit/worlds.ts';
import { deployment, policy } from '../../../test/kit/objects.ts';
import { collectAll, placeOnly, reflectAll, sendOnly } from './combined-status.ts';

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
    const collected = collectAll(world, bindingKey);
    expect(writtenBy(collected)).toEqual(['updateStatus ResourceBinding', 'updateStatus Deployment']);
    const { conditions, aggregatedStatus } = bindingOf(perform(world, collected)).status ?? {};
    expect(conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'Scheduled True',
      'FullyApplied True',
      'InEffect True',
    ]);
    expect(aggregatedStatus).toEqual(bindingOf(whole()).status?.aggregatedStatus);
    expect(collectAll(world, bindingKey)?.actions).toEqual([]);
  });

  test('is also what the scheduler alone has to say', () => {
    const world = perform(onItsWay('schedule'), { actions: [], because: 'UpToDate' });
    const said = collectAll(world, bindingKey);
    expect(writtenBy(said)).toEqual(['updateStatus ResourceBinding']);
    expect(bindingOf(perform(world, said)).status?.schedulerObservedGeneration).toBe(
      bindingOf(world).metadata.generation,
    );
  });

  test('is left out of what the scheduler does, unless it could not place it', () => {
    const scheduled = questions.schedule(onItsWay('schedule', 'collect'), bindingKey);
    expect(writtenBy(scheduled)).toEqual(['updateStatus ResourceBinding']);
    expect(scheduled && placeOnly(scheduled).actions).toEqual([]);

    const nowhere = rightAfter(atRest({}, policy('web', { to: 'nobody' })), nginx);
    run(nowhere, { without: new Set(['schedule', 'collect']) });
    const refused = questions.schedule(nowhere, bindingKey);
    expect(refused?.because).toBe('NoClusterFits');
    expect(refused && writtenBy(placeOnly(refused))).toEqual(['updateStatus ResourceBinding']);
    expect(bindingOf(perform(nowhere, collectAll(nowhere, bindingKey))).status?.conditions).toBeUndefined();
  });

  test('of a binding that is gone is nothing', () => {
    expect(collectAll(onItsWay('claim'), bindingKey)).toBeUndefined();
  });
});

describe('the status of a Work', () => {
  const actionsOf = (decision: Decision | undefined): readonly string[] =>
    (decision?.actions ?? []).map((action) => action.do);

  test('is that it was applied and what the member answered, in one write', () => {
    const world = onItsWay('dispatch', 'reflect');
    expect(reflectAll(world, workKey)?.actions).toEqual([]);
    const dispatched = questions.dispatch(world, workKey);
    const sent = dispatched && sendOnly(dispatched);
    expect([actionsOf(dispatched), actionsOf(sent)]).toEqual([['apply', 'report'], ['apply']]);
    perform(world, sent);
    perform(world, reflectAll(world, workKey));
    const { status } = world.get(workKey) as Work;
    expect(status?.conditions?.map(({ type }) => type)).toEqual(['Dispatching', 'Applied', 'Healthy']);
    expect(status?.manifestStatuses?.length).toBe(1);
    expect(questions.dispatch(world, workKey)?.actions).toEqual([]);
    expect(reflectAll(world, workKey)?.actions).toEqual([]);
  });

  test('of one that is held is said at once', () => {
    const world = rightAfter(
      atRest({}, policy('web', { to: 'member1', suspend: { suspendDispatching: true } })),
      nginx,
    );
    run(world, { without: new Set(['dispatch', 'reflect']) });
    const held = questions.dispatch(world, workKey);
    expect(held?.because).toBe('Suspended');
    expect(actionsOf(held && sendOnly(held))).toEqual(['report']);
    expect(reflectAll(world, workKey)?.actions).toEqual([]);
  });
});

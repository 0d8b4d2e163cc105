import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Work } from '../../api/index.ts';
import { bindingRefOf, reasons, run } from '../../engine/index.ts';
import type { Question, Reason, World } from '../../engine/index.ts';
import { atRest } from '../../../test/kit/worlds.ts';
import { deployment, policy } from '../../../test/kit/objects.ts';
import { eventsOf } from './events.ts';

const nginx = deployment('nginx');
const applied = { type: 'Applied', status: 'False', reason: 'AppliedFailed', lastTransitionTime: '' } as const;
const world: World = atRest({}, policy('pp', { to: 'member1' }), nginx);
run(world);

function found(kind: string): KubeObject {
  for (const [key, object] of world.entries()) if (!key.startsWith('@') && object.kind === kind) return object;
  throw new Error(`there is no ${kind}`);
}

const binding = found('ResourceBinding');
const work = [...world.entries()].find(
  ([, object]) => object.kind === 'Work' && object.metadata.name.startsWith('nginx'),
)?.[1] as Work;
const cluster = found('Cluster');

/** The events of an action that fails. */
function eventsOfFailure(question: Question, what: string, about: KubeObject): readonly string[] {
  const action = { do: what, write: { verb: 'update', object: about } } as const;
  const error = new Error('the hub is out of breath');
  const done = {
    question,
    key: keyOf(refOf(about)),
    decision: { actions: [action], because: 'UpToDate' },
    action,
    error,
  } as const;
  const events = eventsOf(world, done);
  const message = question === 'dispatch' ? 'member1: the hub is out of breath' : 'the hub is out of breath';
  for (const event of events) expect(event).toMatchObject({ type: 'Warning', message });
  return events.map(({ object, reason }) => `${object.kind} ${reason}`);
}

test.each<[Question, string, KubeObject, readonly string[]]>([
  ['schedule', 'place', binding, ['ResourceBinding ScheduleBindingFailed', 'Deployment ScheduleBindingFailed']],
  ['render', 'render', binding, ['ResourceBinding SyncWorkFailed', 'Deployment SyncWorkFailed']],
  ['render', 'remove', binding, ['ResourceBinding CleanupWorkFailed']],
  ['render', 'finalize', binding, []],
  ['dispatch', 'apply', work, ['Work SyncFailed', 'Deployment SyncFailed']],
  ['dispatch', 'delete', work, ['Work SyncFailed']],
  ['reflect', 'report', work, ['Work ReflectStatusFailed', 'Work InterpretHealthFailed']],
  ['collect', 'report', binding, ['ResourceBinding AggregateStatusFailed', 'Deployment AggregateStatusFailed']],
  ['dependencies', 'record', binding, ['Deployment GetDependenciesFailed']],
  ['dependencies', 'attach', binding, ['ResourceBinding SyncScheduleResultToDependenciesFailed']],
  [
    'evict',
    'evict',
    binding,
    ['ResourceBinding EvictWorkloadFromClusterFailed', 'Deployment EvictWorkloadFromClusterFailed'],
  ],
  ['cluster', 'prepare', cluster, ['Cluster CreateExecutionSpaceFailed']],
  ['cluster', 'clear', cluster, ['Cluster RemoveExecutionSpaceFailed']],
])('%s %s fails', (question, what, about, expected) => {
  expect(eventsOfFailure(question, what, about)).toEqual(expected);
});

test('a binding that cannot be written gets an event on the template', () => {
  const action = {
    do: 'bind',
    write: { verb: 'create', object: world.get(keyOf(bindingRefOf(nginx))) as KubeObject },
  } as const;
  const decision = { actions: [action], because: 'PolicyEdited' } as const;
  const events = eventsOf(world, {
    question: 'claim',
    key: keyOf(refOf(nginx)),
    decision,
    action,
    error: new Error('no'),
  });
  expect(events.map(({ object, reason }) => `${object.kind} ${reason}`)).toContain('Deployment ApplyPolicyFailed');
});

/** The messages of an action that succeeds, by the reason of their event. */
function messagesOfSuccess(question: Question, what: string, about: KubeObject, written: KubeObject, because: Reason) {
  const action = { do: what, write: { verb: 'update', object: written } } as const;
  const decision = { actions: [action], because } as const;
  const events = eventsOf(world, { question, key: keyOf(refOf(about)), decision, action });
  return Object.fromEntries(events.map(({ reason, message }) => [reason, message]));
}

test('the event of a new binding names its policy, its replicas and its clusters', () => {
  expect(messagesOfSuccess('claim', 'bind', nginx, binding, 'Elected')).toEqual({
    ApplyPolicySucceed: 'Elected: the best matching policy took the template: PropagationPolicy default/pp',
    GetReplicasSucceed: '2 replicas',
    ScheduleBindingSucceed: 'Scheduled: the clusters were chosen: member1 (2 replicas)',
  });
});

test('any other event has the meaning of its reason', () => {
  expect(messagesOfSuccess('render', 'render', binding, work, 'Rendered')).toEqual({
    SyncWorkSucceed: `Rendered: ${reasons.Rendered}`,
  });
});

test('the refusal of a member has its message and its name', () => {
  const refused = { ...work, status: { conditions: [{ ...applied, message: 'exceeded quota: small' }] } };
  expect(messagesOfSuccess('dispatch', 'report', work, refused as Work, 'AlreadyThere')).toMatchObject({
    SyncFailed: 'member1: exceeded quota: small',
  });
});

import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Work } from '../../api/index.ts';
import { bindingRefOf, run } from '../../engine/index.ts';
import type { Question, World } from '../../engine/index.ts';
import { atRest } from '../../../test/kit/moment.ts';
import { deployment, policy } from '../../../test/kit/objects.ts';
import { noticesOf } from './notices.ts';

const nginx = deployment('nginx');
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

/** What is told when an action about an object fails. */
function toldOfFailure(question: Question, what: string, about: KubeObject): readonly string[] {
  const action = { do: what, write: { verb: 'update', object: about } } as const;
  const error = new Error('the hub is out of breath');
  const deed = {
    question,
    key: keyOf(refOf(about)),
    decision: { actions: [action], because: 'UpToDate' },
    action,
    error,
  } as const;
  const notices = noticesOf(world, deed);
  for (const notice of notices) expect(notice).toMatchObject({ type: 'Warning', message: 'the hub is out of breath' });
  return notices.map(({ object, reason }) => `${object.kind} ${reason}`);
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
  expect(toldOfFailure(question, what, about)).toEqual(expected);
});

test('a claim that cannot be written is told on the template', () => {
  const action = {
    do: 'bind',
    write: { verb: 'create', object: world.get(keyOf(bindingRefOf(nginx))) as KubeObject },
  } as const;
  const decision = { actions: [action], because: 'Refreshed' } as const;
  const notices = noticesOf(world, {
    question: 'claim',
    key: keyOf(refOf(nginx)),
    decision,
    action,
    error: new Error('no'),
  });
  expect(notices.map(({ object, reason }) => `${object.kind} ${reason}`)).toContain('Deployment ApplyPolicyFailed');
});

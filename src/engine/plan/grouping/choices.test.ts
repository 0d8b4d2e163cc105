import { expect, test } from 'vitest';
import { mutate } from '../../mutate/mutate.ts';
import { emptyWorld } from '../../world/index.ts';
import { clusterRole, deployment, deployments, policy } from '../../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../../test/kit/objects.ts';
import { Choices } from './choices.ts';

function choicesAmong(...all: readonly (readonly [name: string, words: PolicyWords])[]): Choices {
  const world = emptyWorld();
  for (const [name, words] of all) {
    const object = mutate(policy(name, words), { operation: 'CREATE', uuid: `id-${name}`, now: world.now });
    world.write({ verb: 'create', object });
  }
  return new Choices(world);
}

const cluster = { scope: 'cluster' } as const;
const chosenFrom = (choices: Choices, name: string, namespace: string): string =>
  choices.of(deployment(name, { namespace })).text;

test('where no policy asks for names, labels or namespaces, all templates of a kind have one choice', () => {
  const choices = choicesAmong(['all', { ...cluster, select: [deployments()] }]);
  expect(chosenFrom(choices, 'a', 'one')).toBe(chosenFrom(choices, 'b', 'two'));
  expect(choices.of(clusterRole('admin')).text).toBe('');
});

test.each<[string, readonly (readonly [string, PolicyWords])[]]>([
  ['a policy of one namespace', [['own', { namespace: 'one', select: [deployments()] }]]],
  ['a policy for one namespace', [['wide', { ...cluster, select: [deployments({ namespace: 'one' })] }]]],
  ['a policy for a prefix', [['wide', { ...cluster, select: [deployments({ namespace: 'on*' })] }]]],
])('%s is a choice there and nowhere else', (_, policies) => {
  const choices = choicesAmong(...policies);
  expect(chosenFrom(choices, 'a', 'one')).not.toBe('');
  expect(chosenFrom(choices, 'b', 'one')).toBe(chosenFrom(choices, 'a', 'one'));
  expect(chosenFrom(choices, 'a', 'two')).toBe('');
});

test.each([
  ['a', 'b'],
  ['b', 'a'],
])('where a policy asks for a name, each template has a choice of its own, whoever comes first: %s, %s', (...names) => {
  const choices = choicesAmong(['named', { ...cluster, select: [deployments({ name: 'a' })] }]);
  for (const name of names) expect(chosenFrom(choices, name, 'one') === '').toBe(name === 'b');
});

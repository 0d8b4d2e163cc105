import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../src/engine/index.ts';
import { customization, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

const revise = (more: number): Readonly<Record<string, string>> => ({
  replicaRevision: `
    function ReviseReplica(obj, desiredReplica)
      obj.spec.replicas = desiredReplica + ${more}
      return obj
    end`,
});
const nginx = deployment('nginx', { replicas: 2 });

let system: System;
beforeAll(async () => {
  system = await openSystem();
  await system.apply(
    customization('adds', revise(1)),
    policy('web', { to: 'member1', select: [deployments()] }),
    nginx,
  );
  await system.settle();
}, 60_000);
afterAll(() => system.close());

test('A plan shows what the edit of a customization does, and then that happens', async () => {
  const file = await system.file('adds.yaml', customization('adds', revise(3)));
  const { code, out } = await system.run(['plan', '-o', 'json', '-f', file]);
  const { effects } = JSON.parse(out) as Plan;
  expect(effects.map(({ template, cluster, effect, when }) => `${when} ${effect} ${template.name}@${cluster}`)).toEqual(
    ['now scale nginx@member1'],
  );
  expect(code).toBe(3);
  const replicas = async (): Promise<unknown> =>
    (await system.run(['get', 'deploy', 'nginx', '-o', 'jsonpath={.items[0].spec.replicas}'])).out;
  expect(await replicas()).toBe('3');
  await system.apply(customization('adds', revise(3)));
  await system.settle();
  expect(await replicas()).toBe('5');
});

test('The hub refuses a script that does not compile, with its line', async () => {
  const broken = customization('broken', { retention: 'function Retain(a, b)\n  return a +\nend' });
  await expect(system.apply(broken)).rejects.toThrow("line 3: unexpected symbol near 'end'");
});

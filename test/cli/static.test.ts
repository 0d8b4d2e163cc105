import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import type { Plan } from '../../src/engine/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

/** The hub runs with static policies: plans must know it without a flag. */
let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'], gates: { StaticPolicy: true } });
  await system.apply(place('member1'), configMap('a'));
}, 60_000);
afterAll(() => system.close());

const place = (to: string): KubeObject => policy('maps', { to, select: [configMaps({ name: 'a' })] });
const whens = (out: string): readonly string[] =>
  (JSON.parse(out) as Plan).effects.map(({ when, effect }) => `${when} ${effect}`);

test('a policy edit waits, and the plan knows', async () => {
  const file = await system.file('move.yaml', place('member2'));
  const { code, out, err } = await system.run(['plan', '-f', file, '-o', 'json']);
  expect([code, err]).toEqual([0, '']);
  expect(whens(out)).toEqual(['pending delete', 'pending create']);
  expect(JSON.parse(out)).toMatchObject({ notes: [] });
});

test('the last line says that it is the hub that makes the edit wait', async () => {
  const [table, markdown] = [
    await system.run(['plan', '-f', 'move.yaml']),
    await system.run(['plan', '-f', 'move.yaml', '-o', 'markdown']),
  ];
  const line = 'would restart 0, move 0, delete 0; 1 pending (static)\n';
  expect(table.out.endsWith(`\n${line}`)).toBe(true);
  expect(markdown.out.startsWith(`### Sluice plan: ${line}`)).toBe(true);
});

test('a snapshot remembers the gates', async () => {
  await writeFile(path.join(system.folder, 'state.json'), (await system.run(['snapshot'])).out);
  const { out } = await system.run(['plan', '-f', 'move.yaml', '-o', 'json', '--snapshot', 'state.json']);
  expect(whens(out)).toEqual(['pending delete', 'pending create']);
});

test('a read-only caller can plan too, and is told what was not validated', async () => {
  await onlookers();
  const { code, out, err } = await system.run([
    'plan',
    '-f',
    'move.yaml',
    '-o',
    'json',
    '--kubeconfig',
    'onlooker.json',
  ]);
  expect(code).toBe(0);
  expect(whens(out)).toEqual(['pending delete', 'pending create']);
  const untried = 'not validated: PropagationPolicy/default/maps: you need permission to write it';
  expect(err).toContain(`note: ${untried}\n`);
  expect(JSON.parse(out)).toMatchObject({ notes: expect.arrayContaining([untried]) });
});

test('a request takes it up', async () => {
  await system.apply(place('member2'));
  expect((await system.run(['status', 'cm/a'])).out).toContain('pending: WaitingForTemplateChange');
  const { code, out } = await system.run(['reconcile', 'cm/a', '--yes', '--wait']);
  expect(code).toBe(0);
  expect(out).toContain('1 template in effect\n');
  await system.settle();
  expect((await system.run(['get', 'cm', 'a', '-o', 'name'])).out).toBe('member2/configmaps/a\n');
});

/** A kubeconfig of somebody who may read everything and write nothing. */
async function onlookers(): Promise<void> {
  const metadata = { name: 'onlooker', namespace: 'default' };
  const group = 'rbac.authorization.k8s.io';
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }];
  await system.user.create({
    apiVersion: `${group}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'onlooker' },
    rules,
  } as KubeObject);
  await system.user.create({
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'onlooker' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'onlooker' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  } as KubeObject);
  await system.account('onlooker');
}

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { Printed, System } from './kit.ts';

const rbac = 'rbac.authorization.k8s.io';

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'], watchful: true, proxy: true });
  await system.apply(
    policy('wide', { scope: 'cluster', to: 'member1', select: [deployments({ name: 'nginx' })] }),
    policy('lazy', { to: 'member1', lazy: true, select: [configMaps({ name: 'calm' })] }),
    deployment('nginx'),
    configMap('calm'),
  );
  await system.untilHealthy(deployment('nginx'), 'member1');
  await system.grant('viewer', 'sluice-viewer', 'ClusterRoleBinding');
  await system.grant('operator', 'sluice-operator', 'ClusterRoleBinding');
  await system.grant('editor', 'edit', 'RoleBinding');
}, 60_000);
afterAll(() => system.close());

const as = (name: string, ...words: readonly string[]): Promise<Printed> =>
  system.run([...words, '--kubeconfig', `${name}.json`]);

test('sluice-viewer is enough for status, explain and describe', async () => {
  const fleet = await as('viewer', 'status');
  expect([fleet.code, fleet.out]).toMatchObject([0, expect.stringMatching(/2 templates: 2 in effect\n$/)]);
  const { out } = await as('viewer', 'status', 'deploy/nginx');
  expect(out).toContain('Deployment/default/nginx, managed by ClusterPropagationPolicy/wide: in effect');
  expect(out).toMatch(/member1 +in effect +2\/2 +Healthy +-/);
  const explained = JSON.parse((await as('viewer', 'explain', 'deploy/nginx', '-o', 'json')).out) as object;
  const clusters = [
    { name: 'member1', chosen: true },
    { name: 'member2', chosen: false },
  ];
  expect(explained).toMatchObject({ holder: { name: 'wide' }, clusters });
  expect(explained).not.toHaveProperty('hidden');
  expect((await as('viewer', 'describe', 'deploy/nginx')).code).toBe(0);
});

test('sluice-viewer is enough for get, with rights of its own in the members', async () => {
  const refused = await as('viewer', 'get', 'deploy');
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain('cannot list resource "deployments"');
  const role = { apiGroup: rbac, kind: 'ClusterRole', name: 'view' };
  const subjects = [{ kind: 'ServiceAccount', name: 'viewer', namespace: 'default' }];
  const binding = { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'view' } };
  await system.member('member1').create({ ...binding, roleRef: role, subjects } as KubeObject);
  const seen = await as('viewer', 'get', 'deploy', '-C', 'member1');
  expect(seen).toMatchObject({ code: 0, err: '' });
  expect(seen.out).toMatch(/^nginx +member1 +2\/2 /m);
});

async function planned(name: string, ...words: readonly string[]): Promise<readonly [number, PlanSeen]> {
  const { code, out, err } = await as(name, 'plan', ...words, '-o', 'json');
  if (out === '') throw new Error(err);
  return [code, JSON.parse(out) as PlanSeen];
}

interface PlanSeen {
  readonly effects: readonly object[];
  readonly notes: readonly string[];
}

async function fileOf(object: KubeObject): Promise<string> {
  const file = `${object.metadata.name}.json`;
  await writeFile(path.join(system.folder, file), JSON.stringify(object));
  return file;
}

const moved = (): KubeObject =>
  policy('wide', { scope: 'cluster', to: 'member2', select: [deployments({ name: 'nginx' })] });

test.each<[string, () => Promise<readonly string[]>]>([
  ['a deletion', () => Promise.resolve(['--delete', 'deploy/nginx'])],
  ['the end of a policy', () => Promise.resolve(['--delete', 'clusterpropagationpolicy/wide'])],
  ['the end of a member', () => Promise.resolve(['--delete', 'cluster/member1'])],
  ['a new image', async () => ['-f', await fileOf(deployment('nginx', { image: 'nginx:9' }))]],
  ['a move', async () => ['-f', await fileOf(moved())]],
])('sluice-viewer plans %s as an administrator does, and is told what is hidden', async (_, words) => {
  const asked = await words();
  const whole = await system.run(['plan', ...asked, '-o', 'json']);
  const [code, plan] = await planned('viewer', ...asked);
  const { effects } = JSON.parse(whole.out) as PlanSeen;
  expect([code, plan.effects]).toEqual([whole.code, effects]);
  expect(plan.notes).toContainEqual(expect.stringContaining('Works, which may contain Secrets'));
});

test('sluice-viewer is not told that a change has no effect when it may concern a placed Secret', async () => {
  const select = [{ apiVersion: 'v1', kind: 'Secret', name: 'token' }];
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace: 'default' } } as KubeObject;
  await system.apply(policy('tokens', { to: 'member1', select }), secret);
  await system.settle();
  const { code, out, err } = await as(
    'viewer',
    'plan',
    '-f',
    await fileOf(policy('tokens', { to: 'member2', select })),
  );
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('secrets');
  const [calm] = await planned(
    'viewer',
    '-f',
    await fileOf(policy('lazy', { to: 'member1', lazy: true, select: [configMaps({ name: 'calm' })] })),
  );
  expect(calm).toBe(0);
});

test.each(['secrets', 'works'])('sluice-viewer and sluice-operator do not read %s', async (resource) => {
  const roles = ['sluice-viewer', 'sluice-operator'];
  for (const name of roles) {
    const role = await system.user.get({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', name });
    const { rules } = role as unknown as { readonly rules: readonly { readonly resources?: readonly string[] }[] };
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.flatMap(({ resources = [] }) => resources)).not.toContain(resource);
  }
});

test('sluice-viewer changes nothing, and sluice-operator suspends, resumes and reconciles', async () => {
  expect((await as('viewer', 'suspend', 'policy/lazy')).code).toBe(1);
  for (const words of [
    ['suspend', 'policy/lazy'],
    ['resume', 'policy/lazy', '--yes'],
    ['suspend', 'deploy/nginx'],
    ['resume', 'deploy/nginx', '--yes'],
    ['reconcile', 'cm/calm', '--yes'],
  ]) {
    const { code, err } = await as('operator', ...words);
    expect([words.join(' '), code, err]).toEqual([words.join(' '), 0, expect.any(String)]);
  }
  await system.settle();
});

test('sluice-operator is shown what a reconciliation deletes, also in a member that is down', async () => {
  const calm = (to: string): KubeObject => policy('lazy', { to, lazy: true, select: [configMaps({ name: 'calm' })] });
  await system.apply(calm('member2'));
  await system.reach('member1', false);
  const words = ['reconcile', 'cm/calm', '--dry-run', '-o', 'json'];
  const [whole, seen] = [await system.run(words), await as('operator', ...words)];
  const effects = ({ out }: Printed): unknown => (JSON.parse(out) as { readonly plan: PlanSeen }).plan.effects;
  expect(effects(whole)).toMatchObject([
    { cluster: 'member2', effect: 'create', when: 'now' },
    { cluster: 'member1', effect: 'delete', when: 'unreachable' },
  ]);
  expect(effects(seen)).toEqual(effects(whole));
  await system.reach('member1', true);
  await system.apply(calm('member1'));
});

test('a team with edit in one namespace is told what the template names, and what is hidden', async () => {
  const { code, out } = await as('editor', 'status', 'deploy/nginx');
  expect(code).toBe(0);
  expect(out).toContain('managed by ClusterPropagationPolicy/wide: ');
  expect(out).not.toContain('no policy');
  const explained = await as('editor', 'explain', 'deploy/nginx');
  expect(explained.code).toBe(0);
  expect(explained.out).toContain('is managed by ClusterPropagationPolicy/wide');
  expect(explained.out).not.toContain('no policy selects it');
  expect(explained.out).toContain('incomplete: you need permission to list');
});

test('a caller who may not read bindings is told that the state is hidden, not that it is in effect', async () => {
  const metadata = { name: 'reader', namespace: 'default' };
  const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }];
  await system.user.create({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'reader' },
    rules,
  } as KubeObject);
  await system.grant(metadata.name, 'reader', 'RoleBinding');
  const { out } = await as('reader', 'status', 'deploy/nginx');
  expect(out).toContain('managed by ClusterPropagationPolicy/wide: unknown');
  expect(out).toContain('hidden: you need permission to list resourcebindings.work.karmada.io');
});

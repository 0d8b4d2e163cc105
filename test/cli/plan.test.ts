import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import type { Plan } from '../../src/engine/index.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem();
  await system.apply(
    policy('web', { to: 'member1', select: [deployments()] }),
    policy('lazy', { to: 'member1', lazy: true, select: [configMaps({ name: 'settings' })] }),
    deployment('nginx', { image: 'nginx:1' }),
    deployment('other', { image: 'nginx:1' }),
    configMap('settings'),
  );
  await system.run(['apply', '-f', await system.file('nginx.yaml', deployment('nginx', { image: 'nginx:1' }))]);
  await system.settle();
}, 60_000);
afterAll(() => system.close());

async function planOf(...args: readonly string[]): Promise<{ code: number; plan: Plan; err: string }> {
  const { code, out, err } = await system.run(['plan', '-o', 'json', ...args]);
  if (out === '') throw new Error(err);
  return { code, plan: JSON.parse(out) as Plan, err };
}

const brief = ({ effects }: Plan): readonly string[] =>
  effects.map(({ template, cluster, effect, when }) => `${when} ${effect} ${template.name}@${cluster}`);

test('the manifests that stand there change nothing', async () => {
  const file = await system.file(
    'same.yaml',
    policy('web', { to: 'member1', select: [deployments()] }),
    deployment('nginx', { image: 'nginx:1' }),
  );
  const { code, plan, err } = await planOf('-f', file);
  expect(err).toBe('');
  expect(plan.effects).toEqual([]);
  expect(code).toBe(0);
  expect(await system.run(['plan', '-f', file])).toEqual({ code: 0, out: 'nothing changes in any member\n', err: '' });
});

test('applying to what was not applied before leaves a note, and that is a change like any other', async () => {
  await system.apply(
    policy('noted', { to: 'member1', lazy: true, select: [configMaps({ name: 'noted' })] }),
    configMap('noted'),
  );
  await system.apply(policy('noted', { to: 'member2', lazy: true, select: [configMaps({ name: 'noted' })] }));
  const file = await system.file('noted.yaml', configMap('noted'));
  const first = await planOf('-f', file);
  expect(brief(first.plan)).toEqual(['now delete noted@member1', 'now create noted@member2']);
  expect(first.code).toBe(3);
  await system.run(['apply', '-f', file, '--yes']);
  await system.settle();
  expect((await system.run(['get', 'cm', 'noted', '-o', 'name'])).out).toBe('member2/configmaps/noted\n');
  expect((await planOf('-f', file)).plan.effects).toEqual([]);
});

test('a policy with another placement moves its templates', async () => {
  const file = await system.file('move.yaml', policy('web', { to: 'member2', select: [deployments()] }));
  const { code, plan } = await planOf('-f', file);
  expect(code).toBe(3);
  expect(plan.totals).toMatchObject({ moved: 2, create: 2, delete: 2, restart: 0, pending: 0 });
  const { out } = await system.run(['plan', '-f', file]);
  await expect(out).toMatchFileSnapshot('../golden/cli/plan-move.txt');
  const markdown = await system.run(['plan', '-f', file, '-o', 'markdown']);
  await expect(markdown.out).toMatchFileSnapshot('../golden/cli/plan-move.md');
});

test('an object that a change names twice is refused when the first of the two is, as applying them is', async () => {
  const spelt = policy('spelt', { to: 'member1', select: [configMaps({ name: 'nobody' })] });
  const said = (suspension: object): KubeObject =>
    ({ ...spelt, spec: { ...(spelt as KubeObject & { spec: object }).spec, suspension } }) as KubeObject;
  await system.user.create(said({ dispatching: true }));
  const file = await system.file('spelt.yaml', said({ suspendDispatching: true }), spelt);
  const { code, plan } = await planOf('-f', file);
  expect(plan.errors).toMatchObject([{ message: expect.stringContaining('write one spelling only') }]);
  expect(code).toBe(1);
  expect((await system.run(['apply', '-f', file])).code).toBe(1);
});

test('an object that a change names twice is as it is named last, as applying one after the other makes it', async () => {
  const to = (member: string) =>
    policy('twice', { scope: 'cluster', to: member, select: [configMaps({ name: 'late' })] });
  const file = await system.file('twice.yaml', configMap('late'), to('member1'), to('member2'));
  const { code, plan } = await planOf('-f', file);
  expect(plan.errors).toEqual([]);
  expect(brief(plan)).toEqual(['now create late@member2']);
  expect(code).toBe(0);
});

test('changes under a lazy policy are pending, and have no effect on running workloads', async () => {
  const file = await system.file(
    'lazy.yaml',
    policy('lazy', { to: 'member3', lazy: true, select: [configMaps({ name: 'settings' })] }),
  );
  const { code, plan } = await planOf('-f', file);
  expect(code).toBe(0);
  expect(brief(plan)).toEqual(['pending delete settings@member1', 'pending create settings@member3']);
  const { out } = await system.run(['plan', '-f', file]);
  await expect(out).toMatchFileSnapshot('../golden/cli/plan-lazy.txt');
});

test.each([
  ['another image starts it anew', deployment('nginx', { image: 'nginx:2' }), 'restart', 3],
  ['other replicas scale it', deployment('nginx', { image: 'nginx:1', replicas: 5 }), 'scale', 3],
  ['a label is an update', deployment('nginx', { image: 'nginx:1', labels: { tier: 'web' } }), 'update', 3],
  ['what runs nowhere yet is no effect on what runs', deployment('new'), 'create', 0],
])('%s', async (_, manifest, effect, exit) => {
  const { code, plan } = await planOf('-f', await system.file('app.yaml', manifest));
  expect(brief(plan)).toEqual([`now ${effect} ${manifest.metadata.name}@member1`]);
  expect(code).toBe(exit);
});

test('an error of the hub is reported with its path, and is exit code 1', async () => {
  const wrong = policy('wrong', { to: 'member1', select: [deployments()], exclude: [{}] });
  const file = await system.file('wrong.yaml', wrong, deployment('nginx', { image: 'nginx:2' }));
  const { code, plan } = await planOf('-f', file);
  expect(code).toBe(1);
  expect(plan.errors).toHaveLength(1);
  expect(plan.errors[0]).toMatchObject({
    object: 'PropagationPolicy/default/wrong',
    path: 'spec.excludedResources[0]',
  });
  expect(plan.effects).toEqual([]);
  const { out } = await system.run(['plan', '-f', file]);
  await expect(out).toMatchFileSnapshot('../golden/cli/plan-refused.txt');
});

test('deleting a template takes it away, deleting its policy does not', async () => {
  const template = await planOf('--delete', 'deploy/nginx');
  expect(brief(template.plan)).toEqual(['now delete nginx@member1']);
  expect(template.code).toBe(3);
  const deletion = await planOf('--delete', 'policy/web');
  expect(brief(deletion.plan)).toEqual([]);
  expect(deletion.code).toBe(0);
  const nobody = await planOf('--delete', 'deploy/nobody');
  expect(nobody.plan.errors).toEqual([{ object: 'Deployment/default/nobody', path: '', message: 'not found' }]);
  expect(nobody.code).toBe(1);
});

test('deleting what the hub does not let go is refused, as it would be, and nothing is deleted', async () => {
  const kept = configMap('kept', { labels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' } });
  await system.apply(kept);
  const { code, plan } = await planOf('--delete', 'ns/kube-system', 'cm/kept', 'cm/settings');
  expect(code).toBe(1);
  expect(plan.errors).toEqual([
    { object: 'Namespace/kube-system', path: '', message: expect.stringContaining('may not be deleted') },
    { object: 'ConfigMap/default/kept', path: '', message: expect.stringContaining('protected') },
  ]);
  expect(await system.user.find(refOf(configMap('settings')))).toBeDefined();
});

test('deleting a namespace takes away what stands in it, as planned', async () => {
  const yard: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'yard' } };
  const place = policy('yard', { namespace: 'yard', to: 'member1', select: [configMaps({ name: 'swing' })] });
  await system.apply(yard, place, configMap('swing', { namespace: 'yard' }));
  const { code, plan } = await planOf('--delete', 'ns/yard');
  expect(code).toBe(3);
  expect(brief(plan)).toContain('now delete swing@member1');
  expect((await system.run(['get', 'cm', 'swing', '-n', 'yard', '-o', 'name'])).out).toBe('member1/configmaps/swing\n');
  await system.user.delete(refOf(yard));
  await system.until('it is gone from the member', async () => {
    const { out } = await system.run(['get', 'cm', 'swing', '-n', 'yard', '-o', 'name', '--ignore-not-found']);
    return out === '';
  });
  await system.settle();
});

test('an object that belongs to the member is left alone, and the plan lists no effect for it', async () => {
  const own = configMap('own');
  await system.member('member2').create(own);
  const manifest = policy('maps', { to: ['member2', 'member3'], select: [configMaps({ name: 'own' })] });
  const { plan } = await planOf('-f', await system.file('own.yaml', own, manifest));
  expect(brief(plan)).toEqual(['now create own@member3']);
});

test('manifests may come by standard input, without a namespace', async () => {
  const { metadata, ...rest } = deployment('piped');
  const { namespace: _, ...bare } = metadata;
  const words = { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ ...rest, metadata: bare }] }) };
  const { out } = await system.run(['plan', '-o', 'json', '-f', '-'], words);
  expect(brief(JSON.parse(out) as Plan)).toEqual(['now create piped@member1']);
});

test('nothing of all this was written', async () => {
  await system.settle();
  const { items } = await system.member('member1').listAll({ apiVersion: 'apps/v1', kind: 'Deployment' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['nginx', 'other']);
});

test.each([
  [['plan'], 'say what would change: -f FILE or --delete KIND/NAME', 2],
  [['plan', '--delete', 'nginx'], 'must be KIND/NAME', 2],
  [['plan', '--delete', 'deploymet/nginx'], 'did you mean deployment?', 2],
  [['plan', '-f', 'nowhere.yaml'], 'nowhere.yaml does not exist', 1],
  [['plan', '-f', 'move.yaml', '-o', 'xml'], 'Allowed choices are table, json, yaml, markdown', 2],
  [['plan', '-f', 'move.yaml', '--kubeconfig', 'none'], 'there is no kubeconfig none', 1],
  [['plan', '-f', 'move.yaml', '--context', 'none'], 'there is no context none', 1],
  [['plan', '-f', 'move.yaml', '--snapshot', 'none'], 'the snapshot none cannot be read', 1],
  [['plam'], 'did you mean plan?', 2],
])('%j is told apart in one line', async (args, message, exit) => {
  const { code, out, err } = await system.run(args);
  expect(err).toContain(message);
  expect(out).toBe('');
  expect(code).toBe(exit);
});

test('a plan warns of a cluster that does not exist, of templates that lose their policy, and of a kind that does not act', async () => {
  const typo = await system.file('typo.yaml', policy('web', { to: 'member9', select: [deployments()] }));
  const shown = await system.run(['plan', '-f', typo]);
  // A placement that no cluster fits removes nothing.
  expect([shown.code, shown.err]).toEqual([0, '']);
  await expect(shown.out).toMatchFileSnapshot('../golden/cli/plan-warnings.txt');
  const { plan: gone } = await planOf('--delete', 'policy/web');
  expect([gone.effects, gone.warnings]).toEqual([
    [],
    [
      {
        object: 'PropagationPolicy/default/web',
        because: 'TemplatesReleased',
        message: '2 templates lose their policy: running copies stay, later edits reach no member',
      },
    ],
  ]);
  const remedy = { apiVersion: 'remedy.karmada.io/v1alpha1', kind: 'Remedy', metadata: { name: 'r' } };
  const idle = await system.run([
    'plan',
    '-f',
    await system.file('r.yaml', { ...remedy, spec: { actions: ['TrafficControl'] } } as KubeObject),
  ]);
  expect(idle).toEqual({
    code: 0,
    err: '',
    out: 'warning: Remedy/r: not supported yet: Remedy: no action is taken on a cluster\nnothing changes in any member\n',
  });
  const { out } = await system.run(['plan', '-f', typo, '-o', 'markdown']);
  expect(out).toContain('> **Warning:** PropagationPolicy/default/web: cluster member9 does not exist');
});

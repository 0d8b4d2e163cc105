import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import type { Explanation, Plan, TemplateReport } from '../../src/engine/index.ts';
import { configMap, configMaps, deployment, deployments, policy, rollout } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

const secret = (name: string, value: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default' },
    type: 'Opaque',
    data: { password: Buffer.from(value).toString('base64') },
  }) as KubeObject;
const secrets = { apiVersion: 'v1', kind: 'Secret', name: 'login' };
const place = (to: string, extra = {}): KubeObject => policy('secrets', { to, select: [secrets], ...extra });

let system: System;
beforeAll(async () => {
  system = await openSystem();
  await system.member('member2').create(configMap('settings', { value: 'of the member' }));
  await system.apply(
    policy('web', { to: ['member1', 'member2'], select: [deployments({ name: 'nginx' })] }),
    policy('younger', { to: 'member3', select: [deployments({ name: 'nginx' })] }),
    policy('maps', { to: 'member2', select: [configMaps({ name: 'settings' })] }),
    policy('lazy', { to: 'member1', lazy: true, select: [configMaps({ name: 'calm' })] }),
    place('member1'),
    deployment('nginx'),
    configMap('settings'),
    configMap('calm'),
    secret('login', 'open sesame'),
    rollout('nginx-hold', { suspendDispatchingOnClusters: { clusterNames: ['member2'] } }, { reason: 'a freeze' }),
  );
  await system.apply(policy('lazy', { to: 'member3', lazy: true, select: [configMaps({ name: 'calm' })] }));
  await system.untilHealthy(deployment('nginx'), 'member1');
}, 60_000);
afterAll(() => system.close());

const golden = (name: string): string => `../golden/cli/${name}.txt`;
const timeless = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME');

test('the fleet: members, what is not in effect and why, and totals', async () => {
  const { code, out, err } = await system.run(['status']);
  expect(err).toBe('');
  expect(code).toBe(0);
  await expect(out).toMatchFileSnapshot(golden('status-fleet'));
});

test('one template: cluster by cluster, with the message of the member or the reason of the suspension', async () => {
  await expect((await system.run(['status', 'deploy/nginx'])).out).toMatchFileSnapshot(golden('status-suspended'));
  await expect((await system.run(['status', 'cm/settings'])).out).toMatchFileSnapshot(golden('status-failing'));
  await expect(timeless((await system.run(['status', 'cm/calm'])).out)).toMatchFileSnapshot(golden('status-pending'));
});

test('everything that a policy manages', async () => {
  const { out } = await system.run(['status', 'policy/web', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    apiVersion: 'sluice.dev/v1',
    kind: 'FleetStatus',
    totals: { templates: 1, suspended: 1, failing: 0, unhealthy: 0, pending: 0, progressing: 0, inEffect: 0 },
    templates: [{ template: { kind: 'Deployment', name: 'nginx' }, state: 'suspended', pending: null }],
  });
});

test('a missing object is reported in one line', async () => {
  for (const args of [
    ['status', 'deploy/nobody'],
    ['explain', 'deploy/nobody'],
    ['status', 'policy/nobody'],
  ]) {
    const { code, out, err } = await system.run(args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^sluice: there is no .*\n$/);
  }
});

test.each([
  ['policy/web', 'PropagationPolicy/default/web'],
  ['cluster/member1', 'Cluster/member1'],
  ['cm/own', 'ConfigMap/kube-system/own', '-n', 'kube-system'],
])('there is nothing to explain of %s', async (word, name, ...place) => {
  if (place.length > 0) await system.user.create(configMap('own', { namespace: 'kube-system' }));
  expect(await system.run(['explain', word, ...place])).toEqual({
    code: 1,
    out: '',
    err: `sluice: ${name} is not propagated, so there is nothing to explain: try \`sluice describe ${word}\`\n`,
  });
});

test('an explanation for people', async () => {
  await expect((await system.run(['explain', 'deploy/nginx'])).out).toMatchFileSnapshot(golden('explain'));
  const { out: waiting } = await system.run(['explain', 'cm/calm']);
  await expect(timeless(waiting)).toMatchFileSnapshot(golden('explain-pending'));
  await expect((await system.run(['explain', 'deploy/nginx'], { columns: 60 })).out).toMatchFileSnapshot(
    golden('explain-narrow'),
  );
});

test('an explanation for programs', async () => {
  const { out } = await system.run(['explain', 'deploy/nginx', '-o', 'json']);
  expect(JSON.parse(out) as Explanation).toEqual({
    apiVersion: 'sluice.dev/v1',
    kind: 'Explanation',
    template: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' },
    holder: { kind: 'PropagationPolicy', namespace: 'default', name: 'web' },
    candidates: [
      {
        policy: { kind: 'PropagationPolicy', namespace: 'default', name: 'web' },
        outcome: 'holds',
        because: 'Manages',
      },
      {
        policy: { kind: 'PropagationPolicy', namespace: 'default', name: 'younger' },
        outcome: 'lost',
        because: 'LaterName',
        detail: 'PropagationPolicy/web',
      },
    ],
    clusters: [
      { name: 'member1', chosen: true, because: 'Chosen', detail: '2 replicas' },
      { name: 'member2', chosen: true, because: 'Chosen', detail: '2 replicas' },
      { name: 'member3', chosen: false, because: 'AffinityDiffers' },
    ],
    pending: null,
    suspended: [{ cluster: 'member2', by: 'RolloutPolicy/default/nginx-hold', reason: 'a freeze' }],
  });
});

test('a snapshot contains no value of a Secret, and plans as the live hub does', async () => {
  const { code, out } = await system.run(['snapshot']);
  expect(code).toBe(0);
  const value = Buffer.from('open sesame').toString('base64');
  expect(out).not.toContain(value);
  expect(JSON.stringify(await system.user.get({ ...secrets, namespace: 'default' }))).toContain(value);
  await writeFile(path.join(system.folder, 'state.json'), out);
  const change = await system.file(
    'change.yaml',
    place('member2'),
    policy('web', { to: 'member3', select: [deployments({ name: 'nginx' })] }),
  );
  const live = await system.run(['plan', '-f', change, '-o', 'json']);
  const later = await system.run([
    'plan',
    '-f',
    change,
    '-o',
    'json',
    '--snapshot',
    'state.json',
    '--kubeconfig',
    'none',
  ]);
  expect(later).toEqual(live);
  expect((JSON.parse(later.out) as Plan).effects.filter(({ template }) => template.kind === 'Secret')).toHaveLength(2);
});

test('a Secret behind a lazy policy stays pending in a snapshot', async () => {
  await system.apply(place('member1', { lazy: true }));
  await writeFile(path.join(system.folder, 'calm.json'), (await system.run(['snapshot'])).out);
  const change = await system.file('calm.yaml', place('member3', { lazy: true }));
  const { out, code } = await system.run(['plan', '-f', change, '-o', 'json', '--snapshot', 'calm.json']);
  expect(code).toBe(0);
  expect((JSON.parse(out) as Plan).effects.map(({ when }) => when)).toEqual(['pending', 'pending']);
});

test('a caller with few permissions is told what is hidden', async () => {
  await letView('viewer', {
    apiGroups: ['', 'apps'],
    resources: ['configmaps', 'deployments'],
    verbs: ['get', 'list'],
  });
  const { code, out, err } = await system.run(['snapshot', '--kubeconfig', 'viewer.json']);
  expect(code).toBe(0);
  const unseen = /^note: hidden from you: clusters, .*, works and \d+ more kinds; `sluice snapshot` names them all\n/;
  expect(err).toMatch(unseen);
  expect(err).toContain('note: hidden: the feature gates of the hub');
  expect(err).not.toContain('deployments');
  const taken = JSON.parse(out) as { readonly objects: KubeObject[]; readonly hidden: string[] };
  expect([...new Set(taken.objects.map(({ kind }) => kind))].sort()).toEqual(['ConfigMap', 'Deployment']);
  expect(taken.hidden).toContain('secrets');

  const looks = [['status'], ['status', 'deploy/nginx'], ['explain', 'deploy/nginx'], ['describe', 'deploy/nginx']];
  for (const look of [...looks, ['reconcile', 'all', '--yes']]) {
    const seen = await system.run([...look, '--kubeconfig', 'viewer.json']);
    expect([look, seen.code]).toEqual([look, 0]);
    expect(seen.err).toMatch(unseen);
    expect(seen.out).not.toContain('there are no members');
  }

  const change = await system.file(
    'web.yaml',
    policy('web', { to: 'member3', select: [deployments({ name: 'nginx' })] }),
  );
  const plan = await system.run(['plan', '-f', change, '--kubeconfig', 'viewer.json']);
  expect(plan.err).toMatch(unseen);
  expect(plan.err).toContain(
    'note: not validated: PropagationPolicy/default/web: you cannot read it on the hub, so the plan takes it as new\n',
  );
  // A caller who cannot see members must not be told that nothing happens in them.
  expect([plan.code, plan.out]).toEqual([1, '']);
  expect(plan.err).toMatch(/\nsluice: cannot plan: you need permission to list clusters, .*, works\n$/);
});

test('a caller with permissions in one namespace uses -n', async () => {
  await letView('neighbour', { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] });
  const kubeconfig = path.join(system.folder, 'neighbour.json');
  const away = JSON.parse(await readFile(kubeconfig, 'utf8')) as { contexts: { context: { namespace?: string } }[] };
  for (const { context } of away.contexts) context.namespace = 'elsewhere';
  await writeFile(kubeconfig, JSON.stringify(away));
  const look = ['explain', 'deploy/nginx', '--kubeconfig', 'neighbour.json'];
  expect(await system.run(look)).toMatchObject({ code: 1 });
  const { code, out } = await system.run([...look, '-n', 'default']);
  expect([code, out.split('\n')[0]]).toEqual([
    0,
    'Deployment/default/nginx is managed by PropagationPolicy/default/web',
  ]);
});

test('a caller with all permissions in one namespace who cannot see members is not told that there are none', async () => {
  await letView('tenant', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] });
  const run = (...words: readonly string[]) => system.run([...words, '--kubeconfig', 'tenant.json']);
  const right = 'you need permission to list clusters.cluster.karmada.io';
  const unseen = `the members are hidden: ${right}`;

  const report = JSON.parse((await run('status', 'deploy/nginx', '-o', 'json')).out) as TemplateReport;
  const message = `the state of member1 is hidden: ${right}`;
  expect(report.clusters).toEqual([
    { name: 'member1', state: 'inEffect', ready: 2, replicas: 2, health: 'Healthy', message },
    {
      name: 'member2',
      state: 'suspended',
      replicas: 2,
      suspendedBy: [{ by: 'RolloutPolicy/default/nginx-hold', reason: 'a freeze' }],
    },
  ]);
  for (const look of ['status', 'status policy/web', 'describe deploy/nginx', 'describe policy/web']) {
    const { code, out } = await run(...look.split(' '));
    expect([look, code]).toEqual([look, 0]);
    expect(out).not.toContain('there is no member');
  }

  for (const words of ['get deploy', 'get deploy -C member1', 'suspend deploy/nginx -C member1']) {
    expect([words, await run(...words.split(' '))]).toEqual([words, { code: 1, out: '', err: `sluice: ${unseen}\n` }]);
  }
  expect(await run('suspend', 'policy/maps')).toMatchObject({ code: 0 });
  const blind = await run('resume', 'policy/maps');
  expect([blind.code, blind.out]).toEqual([2, '']);
  expect(blind.err).toMatch(/the deletions in members are unknown: you need permission to list clusters, .*--yes/);
  expect(await run('resume', 'policy/maps', '--yes')).toMatchObject({ code: 0 });
});

test('a caller who cannot see members is not told that a request has no effect on them, and cannot wait for it', async () => {
  const request = ['reconcile', 'cm/calm', '--yes', '--kubeconfig', 'tenant.json'];
  const waited = await system.run([...request, '--wait']);
  expect([waited.code, waited.out]).toEqual([1, '']);
  expect(waited.err).toContain('sluice: the members are hidden: you need permission to list clusters');
  expect((await system.run(['status', 'cm/calm'])).out).toContain('pending: WaitingForTemplateChange');
  const { code, out } = await system.run(request);
  expect([code, out]).toEqual([
    0,
    'the effects are unknown: you need permission to list clusters, clusterpropagationpolicies, clusterresourcebindings, works\n1 template requested to apply pending changes\n',
  ]);
});

/** A kubeconfig of somebody who may do this in the namespace default, and nothing else. */
async function letView(name: string, rule: object): Promise<void> {
  const metadata = { name, namespace: 'default' };
  const roles = 'rbac.authorization.k8s.io';
  await system.user.create({ apiVersion: `${roles}/v1`, kind: 'Role', metadata, rules: [rule] } as KubeObject);
  await system.user.create({
    apiVersion: `${roles}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: roles, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  } as KubeObject);
  await system.account(name);
}

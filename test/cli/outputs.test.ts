import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import type { Reconciliation } from '../../src/cli/commands/reconcile.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { Printed, System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem();
  await system.member('member2').create(configMap('settings', { value: 'of the member' }));
  await system.apply(
    policy('web', { to: ['member1', 'member2'], select: [deployments({ name: 'nginx' })] }),
    policy('maps', { to: 'member2', select: [configMaps({ name: 'settings' })] }),
    policy('calm', { to: 'member1', lazy: true, select: [configMaps({ name: 'a' }), configMaps({ name: 'b' })] }),
    deployment('nginx', { labels: { app: 'nginx', tier: 'web' } }),
    configMap('settings'),
    configMap('a'),
    configMap('b'),
  );
  await system.untilHealthy(deployment('nginx'), 'member1');
  await system.untilHealthy(deployment('nginx'), 'member2');
}, 60_000);
afterAll(() => system.close());

/** Ages, counts and addresses differ from run to run. */
function steady(text: string): string {
  return text
    .replaceAll(/\d+[smh]( \(x\d+\))?(?= |$)/gm, 'AGE')
    .replaceAll(/AGE +/g, 'AGE   ')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/EVENT +AGO[\s\S]*/, 'EVENTS\n');
}

/** Runs the program until it has said all of this, and then interrupts it. */
async function runUntil(args: readonly string[], act: () => Promise<void>, says: RegExp): Promise<Printed> {
  const stop = new AbortController();
  let seen = '';
  const running = system.run(args, { interrupted: stop.signal, hear: (text) => void (seen += text) });
  await system.until('the program has begun', async () => seen !== '');
  await act();
  await system.until(`the program says ${says.source}`, async () => says.test(seen));
  stop.abort();
  return running;
}

test.each([
  ['deployment/nginx', 'describe-template'],
  ['cm/settings', 'describe-failing'],
  ['policy/calm', 'describe-policy'],
  ['cluster/member1', 'describe-member'],
])('%s is described', async (word, golden) => {
  const { code, out, err } = await system.run(['describe', word]);
  expect([code, err]).toEqual([0, '']);
  await expect(steady(out)).toMatchFileSnapshot(`../golden/cli/${golden}.txt`);
});

test('a description for programs has the binding and the Works', async () => {
  const { out } = await system.run(['describe', 'deploy/nginx', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Description',
    object: { kind: 'Deployment', metadata: { name: 'nginx' } },
    template: { state: 'inEffect' },
    binding: { kind: 'ResourceBinding' },
    works: [
      { kind: 'Work', metadata: { namespace: 'karmada-es-member1' } },
      { kind: 'Work', metadata: { namespace: 'karmada-es-member2' } },
    ],
    events: expect.arrayContaining([expect.objectContaining({ reason: 'ApplyPolicySucceed' })]) as unknown,
  });
});

test('values of Secrets are not shown', async () => {
  const value = Buffer.from('open sesame').toString('base64');
  const metadata = { name: 'login', namespace: 'karmada-cluster' };
  await system.user.create({ apiVersion: 'v1', kind: 'Secret', metadata, data: { password: value } } as KubeObject);
  const { out } = await system.run(['describe', 'secret/login', '-n', 'karmada-cluster']);
  expect(out).toContain('password: 11 bytes');
  expect(out).not.toContain(value);
});

test('members draw their own columns, and more of them when asked to', async () => {
  const { out } = await system.run(['get', 'deploy', 'nginx', '-o', 'wide']);
  const [head, ...rows] = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(head).toEqual([
    'NAME',
    'CLUSTER',
    'READY',
    'UP-TO-DATE',
    'AVAILABLE',
    'AGE',
    'CONTAINERS',
    'IMAGES',
    'SELECTOR',
    'ADOPTION',
  ]);
  expect(rows.map((row) => [row[0], row[1], row[2], row.at(-1)])).toEqual([
    ['nginx', 'member1', '2/2', 'Y'],
    ['nginx', 'member2', '2/2', 'Y'],
  ]);
  const everywhere = await system.run(['get', 'deploy', '-A']);
  expect(everywhere.out).toMatch(/^NAMESPACE +NAME +CLUSTER +READY +UP-TO-DATE +AVAILABLE +AGE +ADOPTION\n/);
});

test('a template picks from the objects of all members', async () => {
  const template = '{range .items[*]}{.metadata.name}={.spec.replicas};{end}';
  const { out } = await system.run(['get', 'deploy', 'nginx', '-o', `jsonpath=${template}`]);
  expect(out).toBe('nginx=2;nginx=2;');
  expect((await system.run(['status', 'deploy/nginx', '-o', 'jsonpath={.clusters[*].name}'])).out).toBe(
    'member1 member2',
  );
});

test.each([
  ['jsonpath={.items', 'a brace is not closed'],
  ['jsonpath={.items[7].metadata}', 'there is no item 7 in a list of 2'],
  ['xml', 'Allowed choices are table, wide, json, yaml, name, jsonpath=TEMPLATE'],
])('-o %s says what is wrong', async (format, message) => {
  const { code, out, err } = await system.run(['get', 'deploy', 'nginx', '-o', format]);
  expect([code > 0, out]).toEqual([true, '']);
  expect(err).toContain(message);
});

test('changes in members are shown as they happen', async () => {
  const scale = async (replicas: number): Promise<void> => {
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' };
    await system.user.patch(ref, { spec: { replicas } }, { type: 'merge' });
  };
  const args = ['get', 'deploy', 'nginx', '-w', '--output-watch-events'];
  const { code, out, err } = await runUntil(
    args,
    () => scale(3),
    /(member1 +3\/3[\s\S]*member2 +3\/3|member2 +3\/3[\s\S]*member1 +3\/3)/,
  );
  expect([code, err]).toEqual([0, '']);
  const lines = out.split('\n');
  expect(lines[0]).toMatch(/^EVENT +NAME +CLUSTER/);
  expect(lines.slice(1, 3).every((line) => line.startsWith('ADDED      nginx   member'))).toBe(true);
  expect(lines.slice(3, -1).every((line) => line.startsWith('MODIFIED   nginx   member'))).toBe(true);

  const named = await runUntil(
    ['get', 'deploy', 'nginx', '-C', 'member1', '-w', '-o', 'name'],
    () => scale(2),
    /\n.*\n/,
  );
  expect(new Set(named.out.trimEnd().split('\n'))).toEqual(new Set(['member1/deployments.apps/nginx']));
});

test('deletions are shown too', async () => {
  await system.apply(policy('gone', { to: 'member3', select: [configMaps({ name: 'gone' })] }), configMap('gone'));
  const args = ['get', 'cm', '-C', 'member3', '-w', '--output-watch-events'];
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'gone' };
  const { out } = await runUntil(args, async () => void (await system.user.delete(ref)), /DELETED/);
  expect(out).toMatch(/\nDELETED +gone +member3 +1 +\d+s +Y\n$/);
});

test('a status is shown again when it has changed', async () => {
  const act = async (): Promise<void> => void (await system.run(['suspend', 'policy/web']));
  const args = ['status', 'deploy/nginx', '-w', '--interval', '10ms'];
  const { code, out } = await runUntil(args, act, /: suspended\n[\s\S]*member2 +suspended/);
  expect(code).toBe(0);
  expect(out.startsWith('Deployment/default/nginx, managed by PropagationPolicy/default/web: in effect\n')).toBe(true);
  await system.run(['resume', 'policy/web']);
  await system.settle();
});

test('commands that write report the written objects to programs', async () => {
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await system.run([...args, '-o', 'json'])).out);
  expect(await json('suspend', 'policy/web', '--clusters', 'member2')).toMatchObject({
    kind: 'PropagationPolicy',
    spec: { suspension: { suspendDispatchingOnClusters: { clusterNames: ['member2'] } } },
  });
  expect(await json('resume', 'policy/web')).not.toHaveProperty('spec.suspension');
  expect(await json('suspend', 'deploy/nginx', '--reason', 'a freeze')).toMatchObject({
    kind: 'RolloutPolicy',
    spec: { reason: 'a freeze' },
  });
  expect(await json('resume', 'deploy/nginx')).toMatchObject({ kind: 'RolloutPolicy' });
  expect(await json('cordon', 'member3')).toMatchObject({
    kind: 'Cluster',
    spec: { taints: [{ key: 'cluster.karmada.io/unschedulable' }] },
  });
  expect((await system.run(['uncordon', 'member3', '-o', 'name'])).out).toBe('cluster.cluster.karmada.io/member3\n');
  expect(await json('taint', 'member3', 'night:NoSchedule')).toMatchObject({ spec: { taints: [{ key: 'night' }] } });
  expect(await json('taint', 'member3', 'night-')).not.toHaveProperty('spec.taints');
  expect((await system.run(['label', 'cm/a', 'tier=web', '-o', 'jsonpath={.metadata.labels.tier}'])).out).toBe('web');
  expect((await system.run(['annotate', 'cm/a', 'note=x', '-o', 'yaml'])).out).toContain('note: x');
  const file = await system.file('two.yaml', configMap('one'), configMap('two'));
  expect((await system.run(['apply', '-f', file, '-o', 'name'])).out).toBe('configmap/one\nconfigmap/two\n');
  expect(await json('apply', '-f', file)).toMatchObject({
    kind: 'List',
    items: [{ kind: 'ConfigMap' }, { kind: 'ConfigMap' }],
  });
});

test('a reconciliation for programs: the plan, and what became of each batch', async () => {
  await system.apply(
    policy('calm', { to: 'member3', lazy: true, select: [configMaps({ name: 'a' }), configMaps({ name: 'b' })] }),
  );
  const args = ['reconcile', '--policy', 'calm', '--batch', '1', '--yes', '--wait', '-o', 'json'];
  await system.members[2]?.setFaults({ refuse: [{ kind: 'ConfigMap', code: 422 }] });
  const failed = await system.run(args);
  expect(failed.code).toBe(1);
  const first = JSON.parse(failed.out) as Reconciliation;
  expect(first.batches.map(({ state }) => state)).toEqual(['failed', 'waiting']);
  expect(failed.err).toBe(`sluice: ${first.failure}\n`);
  await system.members[2]?.reset();
  // Failed dispatches are tried again by themselves; the next run waits until they have arrived.
  await system.until('what failed has arrived', async () => {
    const { out } = await system.run(['status', 'cm/a', '-o', 'json']);
    return (JSON.parse(out) as { state: string }).state === 'inEffect';
  });
  const done = JSON.parse((await system.run(args)).out) as Reconciliation;
  expect(done).toMatchObject({
    kind: 'Reconciliation',
    plan: { kind: 'Plan', totals: { moved: 1 }, notes: [] },
    batches: [{ templates: [{ kind: 'ConfigMap', name: 'b' }], state: 'inEffect', suspended: 0 }],
  });
});

test('on a terminal the progress of a batch is shown, and leaves no trace', async () => {
  const to = (member: string): KubeObject =>
    policy('calm', { to: member, lazy: true, select: [configMaps({ name: 'a' }), configMaps({ name: 'b' })] });
  await system.apply(to('member2'));
  const { code, err } = await system.run(
    ['reconcile', '--policy', 'calm', '--batch', '1', '--pause', '20ms', '--wait', '--yes'],
    {
      progress: true,
      columns: 60,
    },
  );
  expect(code).toBe(0);
  const frames = err.split('\r\u001B[K').filter((frame) => frame !== '');
  expect(frames).toContain('████████████░░░░░░░░░░░░ 1 of 2  waiting for the next batch');
  expect(frames.every((frame) => /^[█░]{24} \d of 2 {2}/.test(frame) && frame.length < 60)).toBe(true);
  expect(err.endsWith('\r\u001B[K')).toBe(true);
});

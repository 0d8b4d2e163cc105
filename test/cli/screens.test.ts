/**
 * Screens of a person on a terminal of 80 and of 160 columns, command after command; also with a member that is down.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ watchful: true, proxy: true });
  await system.apply(
    policy('web', { to: ['member1', 'member2'], select: [deployments()] }),
    policy('calm', { to: 'member1', lazy: true, select: [configMaps()] }),
    deployment('nginx', { labels: { tier: 'web' } }),
    configMap('settings'),
  );
  await system.apply(policy('calm', { to: 'member2', lazy: true, select: [configMaps()] }));
  for (const member of ['member1', 'member2']) await system.untilHealthy(deployment('nginx'), member);
  await system.file('move.yaml', policy('web', { to: 'member3', select: [deployments()] }));
  await system.grant('viewer', 'sluice-viewer', 'ClusterRoleBinding');
}, 60_000);
afterAll(() => system.close());

/** Ages, times and addresses differ from run to run. */
const steady = (text: string): string =>
  text
    .replaceAll(/\b\d+[smh]( \(x\d+\))?(?= |$)/gm, 'AGE')
    .replaceAll(/AGE +/g, 'AGE   ')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d\d:\d\d(:\d\d)?\b/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');

/** The screen after these commands; every question is answered with no. */
async function screen(columns: number, lines: readonly string[]): Promise<string> {
  let text = '';
  for (const line of lines) {
    const { code, out, err } = await system.run(line.split(' '), { columns, answer: 'n' });
    text += `$ sluice ${line}\n${out}${err.replace('[y/N] ', '[y/N] n\n')}[exit ${code}]\n\n`;
  }
  return steady(text);
}

const usual = [
  'status',
  'status deploy/nginx',
  'status policy/calm',
  'explain deploy/nginx',
  'get deploy,cm -l tier=web',
  'get secrets',
  'plan -f move.yaml',
  'plan --delete policy/web',
  'reconcile all',
  'apply -f move.yaml',
  'apply -f move.yaml --dry-run',
  'cordon member3',
  'uncordon member3',
  'label cluster/member3 tier=edge',
  'label cluster/member3 tier-',
  'unjoin member2',
  'sim member3',
  'undo',
];

test.each([80, 160])('the screens at %i columns', async (columns) => {
  await expect(await screen(columns, usual)).toMatchFileSnapshot(`../golden/cli/screens-${columns}.txt`);
});

test.each([80, 160])('help at %i columns', async (columns) => {
  await expect(await screen(columns, ['help', 'help apply'])).toMatchFileSnapshot(`../golden/cli/help-${columns}.txt`);
});

/** The same commands with the rights of sluice-viewer. */
const asViewer = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${line} --kubeconfig viewer.json`);

test.each([80, 160])('the screens of a viewer at %i columns', async (columns) => {
  const looks = asViewer(usual.filter((line) => /^(status|explain|get|plan|reconcile)/.test(line)));
  await expect(await screen(columns, looks)).toMatchFileSnapshot(`../golden/cli/screens-viewer-${columns}.txt`);
});

test('the screens with a member that is down', async () => {
  await system.members[1]?.setFaults({ down: true });
  await system.until('the hub knows', async () => (await system.run(['status'])).out.includes('member2   no'));
  const looks = ['status', 'status -A', 'status deploy/nginx', 'explain deploy/nginx', 'plan -f move.yaml'];
  const down = [
    ...looks,
    'plan --delete deploy/nginx',
    'plan --delete cluster/member2',
    'apply -f move.yaml',
    'unjoin member2',
    ...asViewer([...looks, 'plan --delete cluster/member2']),
  ];
  for (const columns of [80, 160])
    await expect(await screen(columns, down)).toMatchFileSnapshot(`../golden/cli/screens-down-${columns}.txt`);
  await system.members[1]?.reset();
});

test('status shows which members are cordoned or tainted', async () => {
  const row = async (): Promise<string> =>
    (await system.run(['status'], { columns: 160 })).out.split('\n').find((line) => line.startsWith('member3')) ?? '';
  await system.run(['cordon', 'member3']);
  expect(await row()).toMatch(/^member3 +yes .* cordoned$/);
  await system.run(['taint', 'member3', 'night=yes:NoSchedule']);
  expect(await row()).toMatch(/ cordoned; tainted night=yes:NoSchedule$/);
  await system.run(['uncordon', 'member3']);
  expect(await row()).toMatch(/ tainted night=yes:NoSchedule$/);
  await system.run(['taint', 'member3', 'night-']);
  expect(await row()).toMatch(/^member3 +yes .* -$/);
});

test('status -A shows all namespaces, also with -n and with a namespace in the context', async () => {
  const metadata = { name: 'own', namespace: 'elsewhere' };
  await system.user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } });
  await system.apply(policy('maps', { namespace: 'elsewhere', to: 'member9', select: [configMaps()] }));
  await system.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  const totals = async (...words: readonly string[]): Promise<string> =>
    (await system.run(['status', ...words])).out.trimEnd().split('\n').at(-1) ?? '';
  expect(await totals('-n', 'default')).toMatch(/^2 templates: /);
  expect(await totals('-n', 'elsewhere')).toMatch(/^1 template: .*1 failing/);
  expect(await totals('-A')).toMatch(/^3 templates: /);
  expect(await totals('-A', '-n', 'default')).toMatch(/^3 templates: /);
  expect(await totals()).toMatch(/^3 templates: /);
});

test('status -w shows on a terminal when it looked last, and looks again', async () => {
  const interrupt = new AbortController();
  const seen = new Set<string>();
  const hear = (text: string): void => {
    for (const [sign] of text.matchAll(/last look at \d\d:\d\d:\d\d, every 0.2s; Ctrl-C ends/g)) seen.add(sign);
    if (seen.size > 1) interrupt.abort();
  };
  const watch = ['status', 'deploy/nginx', '-w', '--interval', '200ms'];
  expect(await system.run(watch, { columns: 80, hear, interrupted: interrupt.signal })).toMatchObject({ code: 0 });
  expect(seen.size).toBe(2);
});

/** What a person sees on a terminal of 80 and of 160 columns, command after command; also with a member that is down. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ watchful: true });
  await system.apply(
    policy('web', { to: ['member1', 'member2'], select: [deployments()] }),
    policy('calm', { to: 'member1', lazy: true, select: [configMaps()] }),
    deployment('nginx', { labels: { tier: 'web' } }),
    configMap('settings'),
  );
  await system.apply(policy('calm', { to: 'member2', lazy: true, select: [configMaps()] }));
  for (const member of ['member1', 'member2']) await system.untilHealthy(deployment('nginx'), member);
  await system.file('move.yaml', policy('web', { to: 'member3', select: [deployments()] }));
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

/** What stands on the screen after these commands; every question is answered with no. */
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

test('the screens with a member that is down', async () => {
  await system.members[1]?.setFaults({ down: true });
  await system.until('the hub knows', async () => (await system.run(['status'])).out.includes('member2   no'));
  const down = ['plan -f move.yaml', 'plan --delete deploy/nginx', 'apply -f move.yaml'];
  for (const columns of [80, 160])
    await expect(await screen(columns, down)).toMatchFileSnapshot(`../golden/cli/screens-down-${columns}.txt`);
  await system.members[1]?.reset();
});

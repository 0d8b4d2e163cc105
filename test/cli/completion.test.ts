/** Shells complete what the hub knows: members, namespaces, kinds, objects, policies, and the values of flags. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { openSystem, sluice } from './kit.ts';
import type { System } from './kit.ts';

const run = promisify(execFile);
const bin = path.join(import.meta.dirname, '../../bin/sluice.js');

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
  await system.apply(policy('maps', { to: 'member1', select: [configMaps()] }), configMap('settings'));
}, 60_000);
afterAll(() => system.close());

const words = async (...line: readonly string[]): Promise<readonly string[]> => {
  const { code, out, err } = await system.run(['__complete', ...line]);
  expect([code, err]).toEqual([0, '']);
  return out
    .split('\n')
    .slice(0, -1)
    .map((one) => one.split('\t')[0] ?? '');
};

test.each<[readonly string[], readonly string[]]>([
  [['reco'], ['reconcile']],
  [['help', 'unj'], ['unjoin']],
  [['plan', '--sn'], ['--snapshot']],
  [
    ['unjoin', ''],
    ['member1', 'member2'],
  ],
  [['cordon', 'member2'], ['member2']],
  [['get', 'cm', '-C', 'member1,'], ['member1,member2']],
  [['get', 'configm'], ['configmaps']],
  [['get', 'cm', 's'], ['settings']],
  [['get', 'cm', '-n', 'def'], ['default']],
  [['get', 'cm', '--namespace=def'], ['default']],
  [['get', 'cm', '--namespace', '=', 'def'], ['default']],
  [['status', 'configm'], ['configmap/']],
  [['status', 'configmap/s'], ['configmap/settings']],
  [['explain', '-n', 'default', 'cm/s'], ['cm/settings']],
  [['suspend', 'policy/'], ['policy/maps']],
  [['reconcile', '--policy', 'm'], ['maps']],
  [['status', '--context', 'slu'], ['sluice']],
  [['plan', '-o', 'ma'], ['markdown']],
  [['plan', '-o', 'jsonp'], ['jsonpath=']],
  [['plan', '-f', ''], [':files']],
  [['completion', 'z'], ['zsh']],
  [['join', ''], []],
  [['nonsense', ''], []],
])('%j can become %j', async (line, found) => expect(await words(...line)).toEqual(found));

test('a hub that does not answer completes nothing, and says nothing', async () => {
  const nowhere = { directory: system.folder, environment: { KUBECONFIG: path.join(system.folder, 'none') } };
  expect(await sluice(['__complete', 'unjoin', ''], nowhere)).toEqual({ code: 0, out: '', err: '' });
});

test('the bash script completes with what the program says', async () => {
  const { out } = await sluice(['completion', 'bash']);
  const asked = (line: string): string =>
    `COMP_WORDS=(${bin} ${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _sluice; echo "\${COMPREPLY[@]}"`;
  const script = [out, asked('reco'), asked('plan --sn'), asked('cordon mem'), asked("status ''")].join('\n');
  const { stdout } = await run('bash', ['-c', script], { cwd: system.folder, env: { ...process.env, KUBECONFIG: '' } });
  const lines = stdout.split('\n');
  expect(lines.slice(0, 3)).toEqual(['reconcile', '--snapshot', 'member1 member2']);
  expect(lines[3]).toMatch(/^policy\/ /);
});

test.each(['bash', 'zsh', 'fish'])('the script for %s asks the program', async (shell) => {
  expect((await sluice(['completion', shell])).out).toContain(' __complete ');
});

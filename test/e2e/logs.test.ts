/** `kubectl logs` on the hub is answered at once with where the pods are. */
import { execFile } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUp } from '../../bench/kit/program.ts';
import { deployment, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const run = promisify(execFile);
let folder: string;
let system: ChildProcess;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-logs-'));
  system = await startUp(folder);
}, 60_000);
afterAll(async () => {
  system.kill('SIGTERM');
  await once(system, 'exit');
  await rm(folder, { recursive: true, force: true });
});

const kubectl = (...args: readonly string[]) =>
  run('kubectl', ['--kubeconfig', path.join(folder, '.sluice/kubeconfig'), ...args], { cwd: folder });
const refused = async (...args: readonly string[]): Promise<string> =>
  kubectl(...args).then(
    ({ stdout }) => `no error: ${stdout}`,
    (error: { stderr: string }) => error.stderr,
  );

test.each([
  [['logs', 'deployment/nginx'], 'logs deployment/nginx'],
  [['logs', 'nginx-5c9-xyz'], 'logs deployment/nginx'],
  [['exec', 'deployment/nginx', '--', 'ls'], 'exec deployment/nginx'],
])('kubectl %j names the members that run the pods', async (args, advice) => {
  const objects = [policy('web', { to: ['member2', 'member3'] }), deployment('nginx', { replicas: 1 })];
  await writeFile(path.join(folder, 'web.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  await kubectl('apply', '-f', 'web.json');
  const placed = async () => (await kubectl('get', 'rb', 'nginx-deployment', '-o', 'jsonpath={.spec.clusters}')).stdout;
  await until('it is placed', async () => (await placed().catch(() => '')).includes('member3'));
  expect(await refused(...args)).toBe(
    `Error from server (BadRequest): the hub runs no pods: the pods of deployment/nginx run in member2, member3; use \`kubectl --context member2 -n default ${advice}\`\n`,
  );
});

test('kubectl logs of an unknown pod names every member', async () => {
  expect(await refused('logs', 'nobody')).toContain(
    'the hub runs no pods: pods run in member1, member2, member3; use `kubectl --context member1 -n default logs nobody`',
  );
});

test('kubectl get pods on the hub still lists nothing without an error', async () => {
  expect((await kubectl('get', 'pods')).stderr).toContain('No resources found');
});

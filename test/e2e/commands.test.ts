/** Every command as a person runs it: the program itself, against a live `sluice up`. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUp } from '../../bench/kit/program.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { writeKubeconfig } from '../../src/auth/index.ts';
import type { Plan } from '../../src/engine/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import { schemas } from '../../tools/schemas.ts';
import { faultsOf } from '../kit/jsonschema.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const bin = path.join(import.meta.dirname, '../../bin/sluice.js');
/** A pipeline says that it has colours; what is no terminal gets none all the same. */
const env = { ...process.env, CI: 'true', FORCE_COLOR: '1' };

let folder: string;
let system: ChildProcess;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-commands-'));
  system = await startUp(folder);
  await writeManifests('shop.json', policy('web', { to: ['member1', 'member2'], select: [deployments()] }));
  await writeManifests('nginx.json', deployment('nginx', { replicas: 1 }));
  await writeManifests('calm.json', calm('member1'), ...names.map((name) => configMap(name)));
}, 60_000);
afterAll(async () => {
  system.kill('SIGTERM');
  await once(system, 'exit');
  await rm(folder, { recursive: true, force: true });
});

const names = ['a', 'b', 'c'];
const calm = (to: string): KubeObject =>
  policy('calm', { to, lazy: true, select: names.map((name) => configMaps({ name })) });

async function writeManifests(file: string, ...objects: readonly KubeObject[]): Promise<void> {
  await writeFile(path.join(folder, file), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A run of the program that can be listened to, and interrupted. */
class Running {
  readonly #child: ChildProcess;
  readonly #ended: Promise<[number | null]>;
  out = '';
  err = '';

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [bin, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    this.#ended = once(this.#child, 'close') as Promise<[number | null]>;
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }

  async end(): Promise<Ran> {
    const [code] = await this.#ended;
    return { code, out: this.out, err: this.err };
  }
}

const sluice = (...args: readonly string[]): Promise<Ran> => new Running(args).end();

/** Runs it and expects that all went well. */
async function done(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await sluice(...args);
  expect([args, code, err]).toEqual([args, 0, '']);
  return out;
}

/** Prints for programs what the schema knows. */
async function json<T>(schema: keyof typeof schemas, ...args: readonly string[]): Promise<T> {
  const { out } = await sluice(...args, ...(args[0] === 'snapshot' ? [] : ['-o', 'json']));
  const value = JSON.parse(out) as T;
  expect(faultsOf(value, schemas[schema] ?? {})).toEqual([]);
  return value;
}

/** Ages and addresses differ from run to run. */
const steady = (text: string): string =>
  text
    .replaceAll(/ {3}\d+[smh]( \(x\d+\))?(?= |$)/gm, '   AGE')
    .replaceAll(/AGE +/g, 'AGE   ')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/-[0-9a-f]{10}\b/g, '-HASH')
    .replace(/EVENT +AGO[\s\S]*/, 'EVENTS\n');

/** Runs it until it says what the golden file says. */
async function golden(name: string, ...args: readonly string[]): Promise<void> {
  const { err, out } = await sluice(...args);
  expect(err).toBe('');
  expect(out).not.toContain('\u001B');
  await expect(steady(out)).toMatchFileSnapshot(`../golden/cli/live-${name}.txt`);
}

async function untilSays(text: RegExp, ...args: readonly string[]): Promise<void> {
  await until(`sluice ${args.join(' ')} says ${text.source}`, async () => text.test((await sluice(...args)).out));
}

test('apply, and what became of it: status, explain, get, describe', async () => {
  expect(await done('apply', '-f', 'shop.json', '-f', 'nginx.json', '-f', 'calm.json')).toContain(
    'Deployment/default/nginx created\n',
  );
  await untilSays(/^4 templates: 4 in effect$/m, 'status');
  await untilSays(
    /member1 +in effect +1\/1 +Healthy[\s\S]*member2 +in effect +1\/1 +Healthy/,
    'status',
    'deploy/nginx',
  );
  await golden('status', 'status');
  await golden('status-template', 'status', 'deploy/nginx');
  await golden('status-policy', 'status', 'policy/calm');
  await golden('explain', 'explain', 'deploy/nginx');
  await golden('get', 'get', 'deploy');
  await golden('describe', 'describe', 'policy/web');
  await json('fleet-status', 'status');
  await json('template-status', 'status', 'deploy/nginx');
  await json('explanation', 'explain', 'deploy/nginx');
  await json('description', 'describe', 'deploy/nginx');
  await json('version', 'version');
  await json('api-resources', 'api-resources');
  expect(await done('get', 'cm', 'a', '-o', 'name')).toBe('member1/configmaps/a\n');
  expect(await done('api-resources', '-o', 'name')).toContain('\ndeployments.apps\n');
});

test('plan, live and from a snapshot', async () => {
  await writeManifests('move.json', policy('web', { to: 'member3', select: [deployments()] }), calm('member2'));
  await golden('plan', 'plan', '-f', 'move.json');
  await golden('plan-details', 'plan', '-f', 'move.json', '--details');
  await golden('plan-markdown', 'plan', '-f', 'move.json', '-o', 'markdown');
  expect((await sluice('plan', '-f', 'move.json')).code).toBe(3);
  const plan = await json<Plan>('plan', 'plan', '-f', 'move.json');
  await writeFile(path.join(folder, 'state.json'), JSON.stringify(await json('snapshot', 'snapshot')));
  expect(await json<Plan>('plan', 'plan', '-f', 'move.json', '--snapshot', 'state.json')).toEqual(plan);
});

test('suspend, and everybody sees it; resume', async () => {
  await golden(
    'suspend',
    'suspend',
    'deploy/nginx',
    '-C',
    'member2',
    '--reason',
    'a freeze',
    '--until',
    '2099-01-01T00:00:00Z',
  );
  await untilSays(/member2 +suspended/, 'status', 'deploy/nginx');
  await golden('status-suspended', 'status', 'deploy/nginx');
  await golden('explain-suspended', 'explain', 'deploy/nginx');
  await golden('resume', 'resume', 'deploy/nginx');
});

test('Ctrl-C in the middle of a rollout leaves the other batches as they were, and says how to go on', async () => {
  await writeManifests('calm.json', calm('member2'));
  await done('apply', '-f', 'calm.json');
  await untilSays(/3 pending/, 'status');
  const rollout = ['reconcile', '--policy', 'calm', '--batch', '1', '--yes', '--wait'];
  const running = new Running([...rollout, '--pause', '1m']);
  await until('the first batch is in effect', async () => running.out.includes('batch 1 of 3: 1 template in effect'));
  running.interrupt();
  const { code, err } = await running.end();
  expect([code, err]).toEqual([1, 'sluice: interrupted: 1 of 3 are in effect; run the command again for the rest\n']);
  await untilSays(/2 pending/, 'status');
  expect(await done('get', 'cm', '-C', 'member1,member2', '-l', '!x', '-o', 'name')).toContain(
    'member1/configmaps/b\n',
  );
  await golden('reconcile', ...rollout);
  await untilSays(/^4 templates: 4 in effect$/m, 'status');
  await json('reconciliation', 'reconcile', 'all', '--yes');
});

test.each([
  [['status', '--watch'], /4 templates/],
  [['get', 'cm', '-w'], /member2/],
])('Ctrl-C ends %j well', async (args, says) => {
  const running = new Running(args);
  await until('it has begun', async () => says.test(running.out));
  running.interrupt();
  const { code, out, err } = await running.end();
  expect([code, err]).toEqual([0, '']);
  expect(out.endsWith('\n')).toBe(true);
});

test('join, interrupted while it waits and run again; members are cordoned, tainted, labelled, made to misbehave; unjoin', async () => {
  const newcomer = await startSimulated({ name: 'newcomer', dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  try {
    await writeKubeconfig(path.join(folder, 'newcomer.yaml'), [newcomer.context()]);
    await newcomer.setFaults({ latencyMilliseconds: 500 });
    const join = ['join', 'newcomer', '--cluster-kubeconfig', 'newcomer.yaml'];
    const running = new Running(join);
    await until('it is registered', async () => (await sluice('status')).out.includes('newcomer'));
    running.interrupt();
    expect(await running.end()).toEqual({ code: 1, out: '', err: 'sluice: interrupted; run it again to go on\n' });
    await newcomer.reset();
    expect(await done(...join)).toBe('cluster newcomer is joined and ready\n');
    expect(await done('cordon', 'newcomer')).toBe('newcomer cluster cordoned\n');
    expect(await done('uncordon', 'newcomer')).toBe('newcomer cluster uncordoned\n');
    expect(await done('taint', 'newcomer', 'night:NoSchedule')).toBe('newcomer cluster tainted\n');
    expect(await done('label', 'cluster/newcomer', 'tier=edge')).toBe('Cluster/newcomer labeled\n');
    expect(await done('annotate', 'cluster/newcomer', 'owner=jane')).toBe('Cluster/newcomer annotated\n');
    expect(await done('unjoin', 'newcomer', '--yes')).toBe('cluster newcomer is unjoined\n');
    expect(await done('sim', 'member3', '--latency', '10ms')).toContain('latency: 10 ms');
    expect(await done('sim', 'member3', '--reset')).not.toContain('latency: 10 ms');
  } finally {
    await newcomer.close();
  }
});

test('one hub is joined to another, and gets what is placed there', async () => {
  const there = await mkdtemp(path.join(tmpdir(), 'sluice-other-'));
  const other = await startUp(there);
  try {
    const kubeconfig = path.join(there, '.sluice/kubeconfig');
    const join = (name: string): readonly string[] => ['join', name, '--cluster-kubeconfig', kubeconfig];
    expect(await done(...join('other'))).toBe('cluster other is joined and ready\n');
    expect(await sluice(...join('twin'))).toEqual({
      code: 1,
      out: '',
      err: 'sluice: this cluster is joined already, as other: unjoin that member first\n',
    });
    await writeManifests('guest.json', configMap('guest'));
    await done('apply', '-f', 'guest.json', '-C', 'other');
    await untilSays(/^other\/configmaps\/guest$/m, 'get', 'cm', 'guest', '-o', 'name', '--ignore-not-found');
    expect(await done('unjoin', 'other', '--yes')).toBe('cluster other is unjoined\n');
  } finally {
    other.kill('SIGTERM');
    await once(other, 'exit');
    await rm(there, { recursive: true, force: true });
  }
});

/** A line of bash, with the exit code of the first program in it. */
async function piped(script: string): Promise<string> {
  const line = `"${process.execPath}" "${bin}" ${script}; echo "\${PIPESTATUS[0]}"`;
  const child = spawn('bash', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return text;
}

test('a reader that has seen enough is no error', async () => {
  expect(await piped('get cm -A | head -n 1')).toMatch(/^NAMESPACE +NAME +CLUSTER.*\n0\n$/);
  expect(await piped('snapshot | head -c 14')).toBe('{"apiVersion":0\n');
  expect(await piped('api-resources -o json | head -n 1')).toBe('{\n0\n');
});

test.each(['bash', 'zsh', 'fish'])('completion for %s is given out', async (shell) => {
  expect(await done('completion', shell)).toContain(' __complete ');
  expect(await done('__complete', 'reco')).toContain('reconcile\t');
});

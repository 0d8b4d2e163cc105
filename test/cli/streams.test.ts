import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { clusterApi } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1'] });
  await system.apply(policy('maps', { to: 'member1', select: [configMaps({ name: 'a' })] }), configMap('a'));
}, 60_000);
afterAll(() => system.close());

const program = path.resolve('bin/sluice.js');
const knowsPipes = spawnSync('tail', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU') ?? false;

test.skipIf(!knowsPipes).each(['status -w', 'get configmaps -w'])(
  '`%s | head -1` ends when head does, though nothing changes',
  async (words) => {
    const line = `{ "${process.execPath}" "${program}" ${words}; echo "code $?" >&2; } | head -1`;
    const shell = spawn('sh', ['-c', line], { cwd: system.folder, detached: true });
    onTestFailed(() => void process.kill(-(shell.pid ?? 0)));
    const said = { out: '', err: '' };
    shell.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    await once(shell, 'close');
    expect(said.out.split('\n')).toHaveLength(2);
    expect(said.err).toBe('code 0\n');
  },
  60_000,
);

test('as long as somebody reads it goes on', async () => {
  const line = `"${process.execPath}" "${program}" status -w --interval 100ms | cat`;
  const shell = spawn('sh', ['-c', line], { cwd: system.folder, detached: true });
  let out = '';
  shell.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await system.until('the fleet is shown', async () => out.includes('1 template: 1 in effect\n'));
  await system.apply(policy('more', { to: 'member1', select: [configMaps({ name: 'b' })] }), configMap('b'));
  await system.until('the change is shown', async () => out.includes('2 templates: 2 in effect\n'));
  process.kill(-(shell.pid ?? 0));
  await once(shell, 'close');
});

test('how young a part is that the program is built on is not told to its users', async () => {
  const secretRef = { namespace: 'default', name: 'far' };
  await system.user.create({ apiVersion: 'v1', kind: 'Secret', metadata: secretRef, data: {} } as KubeObject);
  const spec = {
    apiEndpoint: 'https://far.example:6443',
    secretRef,
    proxyURL: 'socks5://127.0.0.1:1',
    syncMode: 'Pull',
  };
  await system.user.create({ apiVersion: clusterApi, kind: 'Cluster', metadata: { name: 'far' }, spec } as KubeObject);
  const args = [program, 'get', 'configmaps', '-C', 'far'];
  const child = spawn(process.execPath, args, { cwd: system.folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(err).toMatch(/^warning: far cannot be read: .*\nsluice: no member can be read\n$/);
});

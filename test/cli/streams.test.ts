import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const secretRef = { namespace: 'karmada-cluster', name: 'far' };
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

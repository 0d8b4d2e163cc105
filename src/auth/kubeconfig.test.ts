import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeKubeconfig } from './kubeconfig.ts';
import type { KubeconfigContext } from './kubeconfig.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-kubeconfig-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const hub: KubeconfigContext = {
  name: 'sluice',
  server: 'https://127.0.0.1:7443',
  certificateAuthority: 'CA',
  user: { certificate: 'CERT', key: 'KEY' },
};
const member: KubeconfigContext = {
  name: 'member1',
  server: 'https://[::1]:1234',
  certificateAuthority: 'CA1',
  user: { token: 'yes: "no"' },
  namespace: 'default',
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  it('has a context, a cluster and a user per API, and the first is current', async () => {
    const file = path.join(folder, 'deep', 'er', 'kubeconfig');
    await writeKubeconfig(file, [hub, member]);
    expect(load(await readFile(file, 'utf8'))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      preferences: {},
      'current-context': 'sluice',
      clusters: [
        { name: 'sluice', cluster: { server: hub.server, 'certificate-authority-data': base64('CA') } },
        { name: 'member1', cluster: { server: member.server, 'certificate-authority-data': base64('CA1') } },
      ],
      users: [
        { name: 'sluice-admin', user: { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') } },
        { name: 'member1-admin', user: { token: 'yes: "no"' } },
      ],
      contexts: [
        { name: 'sluice', context: { cluster: 'sluice', user: 'sluice-admin' } },
        { name: 'member1', context: { cluster: 'member1', user: 'member1-admin', namespace: 'default' } },
      ],
    });
  });

  it('belongs to its owner alone, even when it replaces an open file, and leaves nothing beside it', async () => {
    const file = path.join(folder, 'kubeconfig');
    await writeFile(file, 'old', { mode: 0o666 });
    await writeKubeconfig(file, [hub, member], 'member1');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['kubeconfig']);
    expect(await readFile(file, 'utf8')).toContain('"current-context": "member1"');
  });

  it('leaves the old one alone when it cannot be written', async () => {
    await expect(writeKubeconfig(folder, [hub])).rejects.toThrow(/cannot be written/);
    expect(await readdir(path.dirname(folder))).not.toContainEqual(expect.stringMatching(/sluice-kubeconfig.*\.tmp$/));
  });
});

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { policy } from '../kit/objects.ts';
import { clientBy, startProgram } from '../kit/running.ts';
import { untilObject } from '../kit/until.ts';

const words = 'not-to-be-found-on-the-disk';

test('a hub with an encryption configuration has no Secret on its disk, and does not start without it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-encryption-'));
  const at = (name: string): string => path.join(folder, name);
  const place = [
    '--data-dir',
    at('hub'),
    '--listen',
    '127.0.0.1:0',
    '--kubeconfig',
    at('kubeconfig'),
    '--members',
    'a',
  ];
  const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }];
  await writeFile(
    at('encryption.yaml'),
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }],
    }),
  );
  const encrypted = [...place, '--encryption-config', at('encryption.yaml')];
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password', namespace: 'default' } };
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'password' };
  try {
    const first = await startProgram(['up', ...encrypted]);
    const client = await clientBy(at('kubeconfig'), 'sluice');
    await client.create(policy('p', { to: 'a', select: [{ apiVersion: 'v1', kind: 'Secret', name: 'password' }] }));
    await client.create({ ...secret, data: { password: Buffer.from(words).toString('base64') } } as KubeObject);
    const member = await clientBy(at('kubeconfig'), 'a');
    await untilObject(member, ref, () => true);
    await Promise.all([client.close(), member.close()]);
    await first.end('SIGKILL');
    const disk = readdirSync(at('hub'))
      .filter((name) => name.startsWith('store'))
      .map((name) => readFileSync(path.join(at('hub'), name), 'latin1'))
      .join('');
    expect(disk).toContain('k8s:enc:aesgcm:v1:key1:');
    expect(disk).not.toContain(Buffer.from(words).toString('base64'));
    await expect(startProgram(['up', ...place])).rejects.toThrow(/is encrypted with the key \\?"key1\\?"/);
    const second = await startProgram(['up', ...encrypted]);
    const again = await clientBy(at('kubeconfig'), 'sluice');
    expect(JSON.stringify(await again.get(ref))).toContain(Buffer.from(words).toString('base64'));
    await again.close();
    await second.end();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

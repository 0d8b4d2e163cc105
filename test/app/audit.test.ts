/** `sluice up --audit-log`: requests from outside are recorded, the controllers' own are not, and no Secret gets into it. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultGates } from '../../src/api/index.ts';
import { up } from '../../src/app/index.ts';
import { connectTo } from '../../src/cli/connect.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-audit-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const optionsIn = (file: string) => ({
  dataDir: ':memory:',
  listen: { host: '127.0.0.1', port: 0 },
  members: [],
  kubeconfig: path.join(folder, 'kubeconfig'),
  gates: defaultGates,
  version: '0.0.0',
  auditLog: { file, maxBytes: 1_000_000, keep: 2 },
});

test('a request over HTTPS is recorded with its user, and the value of a Secret is not', async () => {
  const file = path.join(folder, 'audit.log');
  const running = await up(optionsIn(file));
  const { server, certificateAuthority: caBundle, user } = running.site.context('sluice');
  if (!('certificate' in user)) throw new Error('the administrator has a certificate');
  const { client } = await connectTo({ server, caBundle, certificate: user }, { timeout: '5s' });
  await client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'password', namespace: 'default' },
    stringData: { key: 'open-sesame' },
  } as never);
  await client.close();
  await running.stop();

  const text = await readFile(file, 'utf8');
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events).toContainEqual(
    expect.objectContaining({
      verb: 'create',
      level: 'Metadata',
      user: expect.objectContaining({ username: 'kubernetes-admin' }),
      objectRef: expect.objectContaining({ resource: 'secrets', namespace: 'default' }),
      responseStatus: expect.objectContaining({ code: 201 }),
    }),
  );
  expect(text).not.toContain('open-sesame');
  expect(text).not.toContain(Buffer.from('open-sesame').toString('base64'));
  expect(text).not.toContain('"username":"system:sluice"');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('an audit log that cannot be written is an error that names the flag', async () => {
  await expect(up(optionsIn(path.join(folder, 'missing', 'audit.log')))).rejects.toThrow(/^--audit-log: .*ENOENT/);
});

import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentGroup, agentUserOf } from '../../src/api/index.ts';
import type { Cluster, KubeObject } from '../../src/api/index.ts';
import { certificateRequest, generateKey, openAuthority, writeKubeconfig } from '../../src/auth/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { conditionStatus } from '../../src/engine/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { clientBy, freePort, startProgram } from '../kit/running.ts';
import type { Program } from '../kit/running.ts';
import { until, untilObject } from '../kit/until.ts';

let folder: string;
let port: number;
let hub: Program;
let user: ApiClient;
let edge: SimulatedMember;

const at = (...names: readonly string[]): string => path.join(folder, ...names);
const clusterOf = (name: string) => ({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name });
const requestKind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' };

/** Runs the program; what hangs is killed. */
function sluice(...args: readonly string[]): {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
} {
  const patience = { encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL', cwd: folder } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.resolve('bin/sluice.js'), ...args], patience);
  return { status, out: stdout, err: stderr };
}

const onHub = (...args: readonly string[]) => sluice(...args, '--kubeconfig', at('hub.kubeconfig'));

/** The words of the `sluice register` line in an output. */
function registerWords(out: string): readonly string[] {
  return (/sluice (register .*)/.exec(out)?.[1] ?? '').split(' ');
}

const isReady = ({ status }: Cluster): boolean => conditionStatus(status?.conditions, 'Ready') === 'True';

async function agentOf(name: string, kubeconfig: string): Promise<Program> {
  const ways = ['--hub-kubeconfig', at(kubeconfig), '--member-kubeconfig', at('member.kubeconfig')];
  return startProgram(['agent', '--cluster', name, ...ways, '--status-update-frequency', '250ms']);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-register-'));
  port = await freePort();
  edge = await startSimulated({ name: 'edge', dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  await writeKubeconfig(at('member.kubeconfig'), [edge.context()]);
  const place = ['--data-dir', at('hub'), '--listen', `127.0.0.1:${port}`, '--kubeconfig', at('hub.kubeconfig')];
  hub = await startProgram(['up', '--members', '0', ...place]);
  user = await clientBy(at('hub.kubeconfig'), 'sluice');
});

afterAll(async () => {
  await user.close();
  await hub.end();
  await edge.close();
  await rm(folder, { recursive: true, force: true });
});

test('join prints the commands of a Pull member, and they make it ready', async () => {
  const joined = onHub(
    'join',
    'edge',
    '--sync-mode',
    'Pull',
    '--region',
    'eu-west',
    '--cluster-kubeconfig',
    at('member.kubeconfig'),
  );
  expect(joined).toMatchObject({ status: 0, err: '' });
  const registered = sluice(...registerWords(joined.out), '--write', at('edge.kubeconfig'));
  expect(registered).toMatchObject({ status: 0, err: '' });
  expect((await stat(at('edge.kubeconfig'))).mode & 0o777).toBe(0o600);
  const agent = await agentOf('edge', 'edge.kubeconfig');
  const cluster = await untilObject<Cluster>(user, clusterOf('edge'), isReady);
  expect(cluster.spec).toMatchObject({ syncMode: 'Pull', region: 'eu-west', id: expect.stringMatching(/./) });
  await agent.end();
});

test('a token for any new member makes the Cluster, and gets no certificate of a member that has an agent', async () => {
  const created = onHub('token', 'create', '--print-register-command', '--description', 'for the shop');
  const words = registerWords(created.out.replace('<NAME>', 'shop'));
  expect(sluice(...words, '--write', at('shop.kubeconfig'))).toMatchObject({ status: 0, err: '' });
  expect((await user.get<Cluster>(clusterOf('shop'))).spec.syncMode).toBe('Pull');
  expect(onHub('token', 'list').out).toMatch(/[a-z0-9]{6} +any new one .*for the shop/);
  const other = words.map((word) => (word === 'shop' ? 'edge' : word));
  const refused = sluice(...other, '--write', at('stolen.kubeconfig'), '--discovery-timeout', '4s');
  expect(refused.status).toBe(1);
  expect(refused.err).toMatch(/the hub did not approve the certificate: `kubectl certificate approve edge-/);
});

test('a token for one member registers no other', () => {
  const words = registerWords(onHub('token', 'create', '--cluster', 'edge', '--print-register-command').out);
  const other = words.map((word) => (word === 'edge' ? 'elsewhere' : word));
  expect(sluice(...other, '--discovery-timeout', '2s')).toMatchObject({ status: 1 });
  expect(sluice(...words, '--write', at('again.kubeconfig'))).toMatchObject({ status: 0 });
});

test('a hub with another authority, a token that was deleted and one that has expired are refused', () => {
  const words = registerWords(onHub('token', 'create', '--cluster', 'edge', '--print-register-command').out);
  const pinned = words.map((word) => (word.startsWith('sha256:') ? `sha256:${'0'.repeat(64)}` : word));
  expect(sluice(...pinned).err).toMatch(/the authority of the hub is not the pinned one/);
  const forged = words.map((word) => (/^[a-z0-9]{6}\./.test(word) ? `${word.slice(0, 7)}${'x'.repeat(16)}` : word));
  expect(sluice(...forged).err).toMatch(/the hub did not sign its address with this token/);
  const token = words.find((word) => /^[a-z0-9]{6}\./.test(word)) ?? '';
  expect(onHub('token', 'delete', token)).toMatchObject({ status: 0, out: `token ${token.slice(0, 6)} deleted\n` });
  expect(sluice(...words).err).toMatch(/the hub does not know this token/);
  const short = registerWords(onHub('token', 'create', '--ttl', '1ms', '--print-register-command').out);
  expect(sluice(...short, '--cluster', 'late')).toMatchObject({ status: 1 });
});

test('a bootstrap token may ask for certificates, and do nothing else', async () => {
  const token = onHub('token', 'create').out.trim();
  const authority = await openAuthority({ folder: at('hub', 'pki') });
  const server = `https://127.0.0.1:${port}`;
  await writeKubeconfig(at('token.kubeconfig'), [
    { name: 'hub', server, certificateAuthority: authority.certificate, user: { token } },
  ]);
  const own = await clientBy(at('token.kubeconfig'));
  for (const kind of ['Secret', 'ConfigMap', 'Namespace'])
    await expect(own.listAll({ apiVersion: 'v1', kind }), kind).rejects.toMatchObject({ code: 403 });
  const key = generateKey();
  const ask = (commonName: string, organizations: readonly string[]): Promise<KubeObject> =>
    own.create({
      ...requestKind,
      metadata: { name: '', generateName: 'try-' },
      spec: {
        request: Buffer.from(certificateRequest({ commonName, organizations }, key)).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth', 'digital signature'],
      },
    } as KubeObject);
  await expect(ask('root', ['system:masters'])).rejects.toMatchObject({ code: 403 });
  const other = await ask('jane', ['developers']);
  const generator = await ask('system:karmada:agent:rbac-generator', [agentGroup]);
  const { metadata } = await ask(agentUserOf('newcomer'), [agentGroup]);
  await untilObject(user, { ...requestKind, name: metadata.name }, (object) =>
    JSON.stringify(object).includes('"certificate"'),
  );
  for (const { metadata: left } of [other, generator]) {
    const { status = {} } = (await user.get({ ...requestKind, name: left.name })) as KubeObject & { status?: object };
    expect(status).toEqual({});
    const approved = { ...(await user.get({ ...requestKind, name: left.name })), status: approval };
    await expect(own.update(approved as KubeObject, { subresource: 'approval' })).rejects.toMatchObject({ code: 403 });
  }
  await user.update(
    { ...(await user.get({ ...requestKind, name: other.metadata.name })), status: approval } as KubeObject,
    {
      subresource: 'approval',
    },
  );
  const signed = await untilObject<KubeObject & { status?: { certificate?: string } }>(
    user,
    { ...requestKind, name: other.metadata.name },
    ({ status }) => status?.certificate !== undefined,
  );
  const certificate = new X509Certificate(Buffer.from(signed.status?.certificate ?? '', 'base64'));
  expect(certificate.subject).toBe('O=developers\nCN=jane');
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  await own.close();
});

const approval = { conditions: [{ type: 'Approved', status: 'True', reason: 'ByHand', message: '' }] };

test('an agent replaces a certificate that nears its end, and works with the next one', async () => {
  const authority = await openAuthority({ folder: at('hub', 'pki') });
  const subject = { commonName: agentUserOf('edge'), organizations: [agentGroup] };
  // It began five minutes ago and ends in one.
  const spent = authority.clientCertificate(subject, 1 / 24 / 60);
  const server = `https://127.0.0.1:${port}`;
  await writeKubeconfig(at('spent.kubeconfig'), [
    { name: 'hub', server, certificateAuthority: authority.certificate, user: spent },
  ]);
  const before = await readFile(at('spent.kubeconfig'), 'utf8');
  const agent = await agentOf('edge', 'spent.kubeconfig');
  await until(
    'the kubeconfig has another certificate',
    async () => (await readFile(at('spent.kubeconfig'), 'utf8')) !== before,
  );
  const own = await clientBy(at('spent.kubeconfig'));
  expect((await own.get(clusterOf('edge'))).metadata.name).toBe('edge');
  expect(await readFile(at('spent.kubeconfig'), 'utf8')).not.toContain(Buffer.from(spent.key).toString('base64'));
  await own.close();
  await agent.end();
});

test('a request that is not signed with its own key gets no certificate', async () => {
  const subject = { commonName: 'mallory', organizations: [] };
  const [pem, other] = [certificateRequest(subject, generateKey()), certificateRequest(subject, generateKey())];
  const [a, b] = [pem, other].map((text) => Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64'));
  const mixed = Buffer.concat([(a ?? Buffer.alloc(0)).subarray(0, -72), (b ?? Buffer.alloc(0)).subarray(-72)]);
  const text = `-----BEGIN CERTIFICATE REQUEST-----\n${mixed.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  const spec = {
    request: Buffer.from(text).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
  };
  const made = await user.create({ ...requestKind, metadata: { name: 'mixed' }, spec } as KubeObject);
  await user.update({ ...made, status: approval } as KubeObject, { subresource: 'approval' });
  const { status } = await untilObject<KubeObject & { status?: { certificate?: string } }>(
    user,
    { ...requestKind, name: 'mixed' },
    (object) => JSON.stringify(object).includes('SignerValidationFailure'),
  );
  expect(status?.certificate).toBeUndefined();
});

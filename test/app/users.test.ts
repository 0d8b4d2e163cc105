import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { contextOf, readKubeconfig } from '../../src/client/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { clientBy, freePort, startProgram } from '../kit/running.ts';
import type { Program } from '../kit/running.ts';
import { until } from '../kit/until.ts';

let folder: string;
let port: number;
let hub: Program;
let user: ApiClient;

const at = (...names: readonly string[]): string => path.join(folder, ...names);

/** A certificate as a company's own authority would issue it. */
function issueCertificates(): void {
  const run = (...args: readonly string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const leaf = ['-subj', '/CN=hub.example.com', '-addext', 'subjectAltName=DNS:hub.example.com,IP:127.0.0.1'];
  run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '30', '-subj', '/CN=company');
  run(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'hub.key',
    '-out',
    'hub.crt',
    '-days',
    '30',
    ...leaf,
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
  );
  run('req', '-x509', ...key, '-keyout', 'other.key', '-out', 'other.crt', '-days', '30', '-subj', '/CN=other');
}

const place = (): readonly string[] =>
  ['--data-dir', at('hub'), '--listen', `127.0.0.1:${port}`, '--kubeconfig', at('hub.kubeconfig')].concat(
    '--members',
    '0',
  );
const own = (certificate: string, key: string, inFolder = (name: string) => name): readonly string[] => {
  const authority = ['--tls-ca-file', inFolder('ca.crt')];
  return ['--tls-cert-file', inFolder(certificate), '--tls-private-key-file', inFolder(key)].concat(authority);
};

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

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-users-'));
  port = await freePort();
  issueCertificates();
  hub = await startProgram(['up', ...place(), ...own('hub.crt', 'hub.key', at)]);
  user = await clientBy(at('hub.kubeconfig'));
});

afterAll(async () => {
  await user.close();
  await hub.end();
  await rm(folder, { recursive: true, force: true });
});

test('the hub shows the given certificate, and the kubeconfig trusts its authority', async () => {
  const shown = await until('a handshake', () => shownBy('127.0.0.1', port));
  expect(shown.fingerprint256).toBe(new X509Certificate(readFileSync(at('hub.crt'))).fingerprint256);
  const { connection } = contextOf(await readKubeconfig([at('hub.kubeconfig')]));
  expect(connection.caBundle?.trim()).toBe(readFileSync(at('ca.crt'), 'utf8').trim());
});

function shownBy(host: string, to: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: to, rejectUnauthorized: false }, () => {
      const shown = socket.getPeerX509Certificate();
      socket.destroy();
      if (shown) resolve(shown);
      else reject(new Error('no certificate'));
    });
    socket.on('error', reject);
  });
}

test.each([
  ['a key of another certificate', own('hub.crt', 'other.key'), /other\.key: does not belong to the certificate in/],
  ['a file that is not there', own('none.crt', 'hub.key'), /none\.crt: cannot be read/],
  ['a file that is no certificate', own('hub.key', 'hub.key'), /hub\.key: is not a certificate in PEM/],
  ['a certificate without its key', ['--tls-cert-file', 'hub.crt'], /belong together/],
])('%s is refused in one line', (_, flags, message) => {
  const elsewhere = ['--data-dir', ':memory:', '--listen', '127.0.0.1:0', '--members', '0', '--kubeconfig', at('x')];
  const { status, err } = sluice('up', ...elsewhere, ...flags);
  expect(status).not.toBe(0);
  expect(err).toMatch(message);
  expect(err.trim().split('\n').length).toBeLessThan(3);
});

async function whoIs(kubeconfig: string): Promise<{ readonly username: string; readonly groups: readonly string[] }> {
  const client = await clientBy(at(kubeconfig));
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: { name: '' } };
  const answer = (await client.create(review)) as KubeObject & {
    readonly status: { readonly userInfo: { readonly username: string; readonly groups: readonly string[] } };
  };
  await expect(client.listAll({ apiVersion: 'v1', kind: 'Secret' })).rejects.toMatchObject({ code: 403 });
  await client.close();
  return answer.status.userInfo;
}

test('user create makes a kubeconfig with a certificate, without rights', async () => {
  const made = onHub('user', 'create', 'jane', '--group', 'developers', 'operators', '--ttl', '30d');
  expect(made).toMatchObject({ status: 0, err: '' });
  expect(made.out).toContain('kubectl create clusterrolebinding jane --clusterrole=sluice-viewer --user=jane');
  expect((await stat(at('jane.kubeconfig'))).mode & 0o777).toBe(0o600);
  expect(await whoIs('jane.kubeconfig')).toMatchObject({
    username: 'jane',
    groups: ['developers', 'operators', 'system:authenticated'],
  });
  const { connection } = contextOf(await readKubeconfig([at('jane.kubeconfig')]));
  const days = new X509Certificate(connection.certificate?.certificate ?? '').validToDate.getTime() - Date.now();
  expect(Math.round(days / 86_400_000)).toBe(30);
});

test('user create makes a kubeconfig with a token, which ends with its account', async () => {
  expect(onHub('user', 'create', 'ci', '--token', '--write', 'robot.kubeconfig')).toMatchObject({ status: 0, err: '' });
  expect((await whoIs('robot.kubeconfig')).username).toBe('system:serviceaccount:sluice-users:ci');
  await user.delete({ apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'sluice-users', name: 'ci' });
  await expect(clientBy(at('robot.kubeconfig'))).rejects.toMatchObject({ code: 401 });
});

test.each([
  ['a name of Kubernetes', ['system:admin'], /begin with system:/],
  ['a group of Kubernetes', ['eve', '--group', 'system:masters'], /begin with system:/],
  ['a group for a token', ['eve', '--token', '--group', 'a'], /a token has no groups/],
  ['a time that is too short', ['eve', '--ttl', '1m'], /at least 10m/],
])('user create refuses %s', (_, args, message) => {
  const { status, err } = onHub('user', 'create', ...args);
  expect(status).toBe(2);
  expect(err).toMatch(message);
});

/** The hub's port: the names in its certificate, and what browsers and kubectl logs are answered. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { openApiServer } from '../../src/apiserver/index.ts';
import type { ApiServer, ApiServerOptions } from '../../src/apiserver/index.ts';
import { namesOf } from '../../src/app/index.ts';
import { hubPage } from '../../src/app/page.ts';
import { connectTo } from '../../src/cli/connect.ts';

let site: ApiServer | undefined;
afterEach(() => site?.close());

async function opened(words: Partial<ApiServerOptions>): Promise<ApiServer> {
  return (site = await openApiServer({ dataDir: ':memory:', host: '127.0.0.1', port: 0, ...words }));
}

/** Tells whether the certificate of the hub is valid for this name or address. */
function isCovered({ authority }: ApiServer, name: string): boolean {
  const certificate = new X509Certificate(authority.serving.certificate);
  return (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
}

test('a hub on every address has a certificate for each, and a kubeconfig that names one of them', async () => {
  const hub = await opened({ host: '0.0.0.0' });
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { address, scopeid = 0 } of addresses)
    if (scopeid === 0) expect(isCovered(hub, address), address).toBe(true);
  const { server, certificateAuthority: caBundle, user } = hub.context('sluice');
  const outer = addresses
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
  expect(outer.length > 0 ? outer : ['127.0.0.1']).toContain(new URL(server).hostname);
  if (!('certificate' in user)) throw new Error('the administrator has a certificate');
  const { client } = await connectTo({ server, caBundle, certificate: user }, { timeout: '5s' });
  await client.close();
});

test('further names are in the certificate, and the first is the host of the kubeconfig', async () => {
  const hub = await opened({ host: '0.0.0.0', names: namesOf('hub.example.com,10.9.8.7') });
  for (const name of ['hub.example.com', '10.9.8.7', 'localhost', '127.0.0.1']) expect(isCovered(hub, name)).toBe(true);
  expect(new URL(hub.context('sluice').server).hostname).toBe('hub.example.com');
});

test('a name that no certificate can carry is wrong usage', () => {
  expect(() => namesOf('a b')).toThrow('--tls-san: a b must be a host name or an IP address');
  expect(namesOf('')).toEqual([]);
});

const ask = (hub: ApiServer, headers: Readonly<Record<string, string>>, path = '/') =>
  hub.hub.handle({ method: 'GET', path, query: '', headers });

test('a browser gets a page, every other caller without credentials the 401 of Kubernetes', async () => {
  const hub = await opened({ page: hubPage('1.2.3') });
  const page = await ask(hub, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(String(page.body)).toContain('Sluice hub');
  for (const headers of [{ accept: 'application/json' }, {}, { accept: 'text/html', authorization: 'Bearer x' }]) {
    const other = await ask(hub, headers, '/api/v1/pods');
    expect(other.status).toBe(401);
    expect(String(other.body)).toContain('"kind":"Status"');
  }
});

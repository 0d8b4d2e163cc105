import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { builtinCatalog } from '../../src/api/index.ts';
import { kubeconfigOf, openAuthority } from '../../src/auth/index.ts';
import { ApiClient, contextOf, HttpsTransport, parseKubeconfig } from '../../src/client/index.ts';
import type { Connection, HttpsOptions } from '../../src/client/index.ts';
import { openSecureHub, until } from './kit.ts';
import type { SecureHub } from './kit.ts';

const namespaces = { apiVersion: 'v1', kind: 'Namespace' };
const once = { attempts: 1, longestMilliseconds: 0 };

describe('a connection', () => {
  let hub: SecureHub;
  const transports: HttpsTransport[] = [];
  const servers: Server[] = [];
  beforeAll(async () => {
    hub = await openSecureHub();
  });
  afterAll(() => hub.close());
  afterEach(async () => {
    await Promise.all(transports.splice(0).map((transport) => transport.close()));
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  function over(connection: Connection, options?: HttpsOptions): { transport: HttpsTransport; client: ApiClient } {
    const transport = new HttpsTransport(connection, options);
    transports.push(transport);
    return { transport, client: new ApiClient({ transport, resources: builtinCatalog, retry: once }) };
  }

  async function plainServer(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('is refused without credentials and with wrong ones', async () => {
    const { server, caBundle } = hub.connection;
    await expect(over({ server, caBundle: caBundle ?? '' }).client.list(namespaces)).rejects.toMatchObject({
      code: 401,
    });
    const token = { server, caBundle: caBundle ?? '', token: 'wrong' };
    await expect(over(token).client.list(namespaces)).rejects.toMatchObject({ code: 401 });
  });

  it('does not trust whom it does not know, unless told to', async () => {
    const other = await openAuthority();
    const { certificate, server } = hub.connection;
    const wrong = { server, caBundle: other.certificate, ...(certificate && { certificate }) };
    await expect(over(wrong).client.list(namespaces)).rejects.toMatchObject({ why: 'untrusted', sent: false });
    const { client } = over({ ...wrong, insecureSkipTLSVerification: true });
    expect((await client.list(namespaces)).items.length).toBeGreaterThan(0);
  });

  it('takes new credentials from one request to the next', async () => {
    const { server, caBundle = '' } = hub.connection;
    const { transport, client } = over({
      server,
      caBundle,
      certificate: hub.authority.clientCertificate({ commonName: 'nobody' }),
    });
    await expect(client.list(namespaces)).rejects.toMatchObject({ code: 403 });
    transport.rotate(hub.connection);
    expect((await client.list(namespaces)).items.length).toBeGreaterThan(0);
    transport.rotate({ server, caBundle });
    await expect(client.list(namespaces)).rejects.toMatchObject({ code: 401 });
  });

  it('asks for its token every time', async () => {
    const seen: string[] = [];
    const url = await plainServer((request, response) => {
      seen.push(request.headers.authorization ?? '');
      response.end('{}');
    });
    let token = 'one';
    const { client } = over({ server: url, token: () => token, allowPlainToken: true });
    await client.raw({ method: 'GET', path: '/' });
    token = 'two';
    await client.raw({ method: 'GET', path: '/' });
    expect(seen).toEqual(['Bearer one', 'Bearer two']);
  });

  it('follows a kubeconfig that the hub writes', async () => {
    const { authority, listener } = hub;
    const text = JSON.stringify(
      kubeconfigOf([
        {
          name: 'sluice',
          server: `https://127.0.0.1:${listener.port}`,
          certificateAuthority: authority.certificate,
          user: authority.admin,
        },
      ]),
    );
    const { connection } = contextOf(parseKubeconfig([{ file: 'config', text }]));
    expect((await over(connection).client.list(namespaces)).items.length).toBeGreaterThan(0);
  });

  it('says that nobody listens', async () => {
    const url = await plainServer(() => {});
    const server = servers.pop();
    await new Promise((resolve) => server?.close(resolve));
    await expect(over({ server: url }).client.list(namespaces)).rejects.toMatchObject({ why: 'refused', sent: false });
  });

  it('gives up on a server that never answers, and on one that stops answering', async () => {
    const silent = await plainServer(() => {});
    const options = { timeoutMilliseconds: 50 };
    await expect(over({ server: silent }, options).client.list(namespaces)).rejects.toMatchObject({
      why: 'timeout',
      sent: true,
    });
    const half = await plainServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"kind":');
    });
    await expect(over({ server: half }, options).client.list(namespaces)).rejects.toMatchObject({
      why: 'timeout',
      sent: true,
    });
  });

  it('knows a broken connection from an answer', async () => {
    const rude = await plainServer((request) => request.socket.destroy());
    await expect(over({ server: rude }).client.list(namespaces)).rejects.toMatchObject({ why: 'cut', sent: true });
    const html = await plainServer((_request, response) => response.end('<html>hello</html>'));
    await expect(over({ server: html }).client.list(namespaces)).rejects.toMatchObject({ why: 'nonsense' });
    const gateway = await plainServer((_request, response) => {
      response.writeHead(502);
      response.end('bad gateway');
    });
    await expect(over({ server: gateway }).client.list(namespaces)).rejects.toMatchObject({ code: 502 });
  });

  it('ends what is aborted, whether it is sent or waits to be', async () => {
    let asked = 0;
    const silent = await plainServer(() => asked++);
    const { client } = over({ server: silent }, { concurrency: 1 });
    const stop = new AbortController();
    const calls = [1, 2].map(() => client.list(namespaces, { signal: stop.signal }));
    const outcomes = Promise.allSettled(calls);
    await until(() => asked === 1);
    stop.abort(new Error('enough'));
    const said = (await outcomes).map((outcome) =>
      outcome.status === 'rejected' ? String(outcome.reason) : 'answered',
    );
    expect([said, asked]).toEqual([['Error: enough', 'Error: enough'], 1]);
  });

  it('puts the path of the server before all others', async () => {
    let asked = '';
    const url = await plainServer((request, response) => {
      asked = request.url ?? '';
      response.end('{}');
    });
    await over({ server: `${url}/k8s/clusters/c-1/` }).client.raw({ method: 'GET', path: '/version', query: 'a=b' });
    expect(asked).toBe('/k8s/clusters/c-1/version?a=b');
  });

  it('has no more requests under way than it may, whatever watches it holds', async () => {
    let under = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const url = await plainServer((request, response) => {
      if (request.url?.includes('watch')) {
        response.flushHeaders();
        return;
      }
      most = Math.max(most, ++under);
      waiting.push(() => {
        under--;
        response.setHeader('content-type', 'application/json');
        response.end('{"metadata":{},"items":[]}');
      });
      if (waiting.length >= 2) for (const release of waiting.splice(0)) release();
    });
    const { client } = over({ server: url }, { concurrency: 2 });
    await Promise.all([1, 2, 3].map(() => client.watch(namespaces)));
    await Promise.all(Array.from({ length: 8 }, () => client.list(namespaces)));
    expect(most).toBe(2);
  });

  it('goes through a proxy', async () => {
    const through: string[] = [];
    const proxy = createServer();
    servers.push(proxy);
    proxy.on('connect', (request, socket) => {
      through.push(`${request.url} ${String(request.headers['x-team'])}`);
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket);
        socket.pipe(upstream);
      });
      socket.on('close', () => upstream.destroy());
      socket.on('error', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { client } = over({ ...hub.connection, proxy: { url, headers: { 'x-team': 'blue' } } });
    expect((await client.list(namespaces)).items.length).toBeGreaterThan(0);
    expect(through).toEqual([`127.0.0.1:${hub.listener.port} blue`]);
  });
});

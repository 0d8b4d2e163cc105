import { createPublicKey, createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createSecureServer, connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import type { ConnectionOptions, Server, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAuthority } from './authority.ts';
import type { Authority, KeyPair } from './authority.ts';
import { generateKey, issueCertificate } from './certificate.ts';
import type { PeerCertificate } from './credentials.ts';
import { keyText } from './keyfile.ts';
import { peerOf } from './peer.ts';

let authority: Authority;
let server: Server;
const accepted: TLSSocket[] = [];

beforeAll(async () => {
  authority = await openAuthority();
  const { certificate: cert, key } = authority.serving;
  const options = { cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false };
  server = createServer(options, (socket) => {
    accepted.push(socket);
    socket.on('error', () => socket.destroy());
    socket.write('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const socket of accepted) socket.destroy();
  server.close();
});

/** Dials the server, waits for its greeting and returns what it knows of us. */
async function dial(pair?: KeyPair, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { port } = server.address() as AddressInfo;
  const ours = pair ? { cert: pair.certificate, key: pair.key } : {};
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: authority.certificate,
    ...ours,
    ...options,
  });
  await once(socket, 'data');
  socket.destroy();
  return accepted.at(-1) as TLSSocket;
}

const seen = async (pair?: KeyPair): Promise<PeerCertificate | undefined> => {
  const peer = peerOf(await dial(pair));
  return peer && { commonName: peer.commonName, organizations: peer.organizations };
};

describe('the user of a connection', () => {
  it('the administrator', async () => {
    expect(await seen(authority.admin)).toEqual({ commonName: 'kubernetes-admin', organizations: ['system:masters'] });
  });

  it.each<readonly [string, readonly string[]]>([
    ['jane', []],
    ['jane', ['dev']],
    ['jane', ['dev', 'ops', 'system:authenticated']],
    ['jané "quoted", O=system:masters', ['a,b', 'c=d']],
    ['jane\nO=system:masters', ['dev\nsystem:masters']],
  ])('%j of %j, exactly', async (commonName, organizations) => {
    const pair = authority.clientCertificate({ commonName, organizations });
    expect(await seen(pair)).toEqual({ commonName, organizations });
  });

  it('nobody without a certificate', async () => expect(await seen()).toBeUndefined());

  it('nobody with an empty name', async () => {
    expect(
      await seen(authority.clientCertificate({ commonName: '', organizations: ['system:masters'] })),
    ).toBeUndefined();
  });

  it('nobody from an authority that merely has the same name', async () => {
    const imposter = await openAuthority();
    expect(await seen(imposter.admin)).toBeUndefined();
  });

  it('nobody with the certificate of the server', async () => expect(await seen(authority.serving)).toBeUndefined());

  it('nobody with a certificate that a mere client has signed', async () => {
    const jane = authority.clientCertificate({ commonName: 'jane' });
    const key = generateKey();
    const certificate = issueCertificate(
      {
        subject: { commonName: 'root', organizations: ['system:masters'] },
        publicKey: createPublicKey(key),
        use: { for: 'client' },
        notBefore: new Date(Date.now() - 60_000),
        notAfter: new Date(Date.now() + 60_000),
      },
      { subject: { commonName: 'jane' }, privateKey: createPrivateKey(jane.key) },
    );
    expect(await seen({ certificate: certificate + jane.certificate, key: keyText(key) })).toBeUndefined();
  });

  it('nobody with an expired certificate', async () => {
    expect(await seen(authority.clientCertificate({ commonName: 'jane' }, -0.001))).toBeUndefined();
  });

  it('nobody any more once the certificate expires on an open connection', async () => {
    const pair = authority.clientCertificate({ commonName: 'jane' });
    const end = new X509Certificate(pair.certificate).validToDate.getTime();
    const socket = await dial(pair);
    expect(peerOf(socket, end - 1000)?.commonName).toBe('jane');
    expect(peerOf(socket, end)).toBeUndefined();
  });

  it('the same user on a resumed session', async () => {
    const { port } = server.address() as AddressInfo;
    const cert = { cert: authority.admin.certificate, key: authority.admin.key, ca: authority.certificate };
    const first = connect({ port, host: '127.0.0.1', servername: 'localhost', ...cert });
    const [session] = (await once(first, 'session')) as [Buffer];
    first.destroy();
    const resumed = await dial(authority.admin, { session });
    expect(resumed.isSessionReused()).toBe(true);
    expect(peerOf(resumed)?.commonName).toBe('kubernetes-admin');
  });

  it('over HTTP/2 as well', async () => {
    const { certificate: cert, key } = authority.serving;
    const h2 = createSecureServer({
      cert,
      key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    });
    h2.on('request', (request, response) =>
      response.end(peerOf(request.stream.session?.socket as TLSSocket)?.commonName ?? 'nobody'),
    );
    h2.listen(0, '127.0.0.1');
    await once(h2, 'listening');
    const url = `https://localhost:${(h2.address() as AddressInfo).port}`;
    const session = connectHttp2(url, {
      ca: authority.certificate,
      cert: authority.admin.certificate,
      key: authority.admin.key,
    });
    const [chunk] = (await once(session.request({ ':path': '/' }), 'data')) as [Buffer];
    expect(chunk.toString()).toBe('kubernetes-admin');
    session.destroy();
    h2.close();
  });
});

describe('a client', () => {
  it('the server is who it was dialled as, by name or by address', async () => {
    await expect(dial()).resolves.toBeDefined();
    await expect(dial(undefined, { servername: '' })).resolves.toBeDefined();
  });

  it('the server is not somebody else', async () => {
    await expect(dial(undefined, { servername: 'evil.example.com' })).rejects.toThrow(/does not match certificate/);
  });

  it('the server comes from the authority', async () => {
    const other = await openAuthority();
    await expect(dial(undefined, { ca: other.certificate })).rejects.toThrow(/certificate|verify/);
  });
});

import { ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { Http2ServerRequest, Http2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { gzip } from 'node:zlib';
import { ApiError, badRequest } from '../../api/index.ts';
import { peerOf, repeatedHeaders } from '../../auth/index.ts';
import type { KeyPair } from '../../auth/index.ts';
import { BodyReader } from './body-reader.ts';
import type { BodyLimits } from './body-reader.ts';
import type { HubRequest, HubResponse, HubStream } from '../http.ts';
import type { Hub } from '../hub.ts';
import { lengthOf } from '../respond/list-text.ts';
import { failed } from '../respond/render.ts';
import { headerBytes } from '../respond/warnings.ts';

/** How a hub is reached. */
export interface ListenerOptions {
  /** The hub that answers. When `handle` rejects, the caller gets no answer: its connection is cut. */
  readonly hub: Pick<Hub, 'handle' | 'recognize'>;
  readonly serving: KeyPair;
  /** PEM of the authority whose client certificates count. */
  readonly clientAuthority: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string;
  readonly bodies?: BodyLimits;
}

/** A hub that listens. */
export interface Listener {
  readonly port: number;
  /** Shows this certificate to new connections; those that exist go on. */
  renew(serving: KeyPair): void;
  /** Closes all connections that are open now, once what was written to them has left; new ones are welcome. */
  drop(): void;
  /** Ends all connections and resolves when they are gone. */
  close(): Promise<void>;
}

type Incoming = IncomingMessage | Http2ServerRequest;
/** Both protocols answer through this interface; HTTP/2 sends its headers without being told to flush them. */
type Outgoing = Omit<ServerResponse, 'flushHeaders'> & { readonly flushHeaders?: () => void };

const worthCompressing = 128 * 1024;

/**
 * How long a connection of HTTP/1.1 is kept for the next request. Callers who come every few minutes would otherwise pay for a
 * new one each time, and now and then write to one that is just being closed.
 */
const idleMilliseconds = 180_000;

/** Listens with TLS for HTTP/1.1 and HTTP/2 on one port; client certificates are asked for and not demanded. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const server = createSecureServer({
    allowHTTP1: true,
    ...contextOf(options, options.serving),
    requestCert: true,
    rejectUnauthorized: false,
    settings: { maxConcurrentStreams: 250, initialWindowSize: 1024 * 1024 },
  });
  Object.assign(server, { keepAliveTimeout: idleMilliseconds });
  const service = { hub: options.hub, bodies: new BodyReader(options.bodies) };
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // Everybody who has called, also those who are not let in yet: a server that closes waits for them, too.
  const callers = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    callers.add(socket);
    socket.on('close', () => callers.delete(socket));
  });
  server.on('request', (incoming: Incoming, outgoing: Outgoing) => {
    serve(service, incoming, outgoing).catch(() => cut(incoming));
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: TLSSocket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    serveUpgrade(service, incoming, head).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    renew: (serving) => server.setSecureContext(contextOf(options, serving)),
    drop: () => {
      for (const socket of sockets) socket.destroySoon();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of [...sockets, ...callers]) socket.destroy();
      }),
  };
}

/** All of the connection: another request on it would get no answer either. */
function cut(incoming: Incoming): void {
  if ('stream' in incoming) incoming.stream.session?.destroy();
  else incoming.socket.destroy();
}

const contextOf = ({ clientAuthority }: ListenerOptions, { certificate, key }: KeyPair): SecureContextOptions => ({
  cert: certificate,
  key,
  ca: clientAuthority,
  minVersion: 'TLSv1.2',
});

interface Service {
  readonly hub: ListenerOptions['hub'];
  readonly bodies: BodyReader;
}

async function serve({ hub, bodies }: Service, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const head = headOf(incoming);
  // A caller that the hub refuses must not make it keep a body in memory: the hub answers without one.
  const known = !bodyless.has(head.method) || hasBody(incoming) ? hub.recognize(head) : undefined;
  if (!known) {
    incoming.resume();
    return send(head, await hub.handle(head), outgoing);
  }
  const read = await bodies.read(incoming, known.caller);
  if (read === null) return;
  if (read instanceof ApiError) {
    incoming.resume();
    return send(head, failed(head, read), outgoing);
  }
  try {
    const request = { ...known, body: read.body };
    await send(request, await hub.handle(request), outgoing);
  } finally {
    read.release();
  }
}

/** A hub that answers without a tunnel answers as if no upgrade had been requested; the connection ends with the answer. */
async function serveUpgrade({ hub }: Service, incoming: IncomingMessage, head: Buffer): Promise<void> {
  const { socket } = incoming;
  const { upgrade = '' } = incoming.headers;
  const request = { ...headOf(incoming), upgrade };
  const response = hasBody(incoming) ? failed(request, bodyInUpgrade()) : await hub.handle(request);
  if (response.tunnel) return switchProtocols(response, socket, head);
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.on('finish', () => socket.destroySoon());
  await send(request, response, outgoing);
}

/** Writes the 101 that the answer is and hands the connection over; from then on it carries no HTTP. */
function switchProtocols({ headers, tunnel }: HubResponse, socket: Socket, head: Buffer): void {
  const lines = ['HTTP/1.1 101 Switching Protocols'];
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      lines.push(`${name}: ${value}`);
    }
  }
  socket.setTimeout(0);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  tunnel?.open(socket, head);
}

const bodyInUpgrade = (): ApiError => badRequest('a request that asks for an upgrade must not have a body');

const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD']);

function hasBody({ headers }: Incoming): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function headOf(incoming: Incoming): HubRequest {
  const url = incoming.url ?? '/';
  const question = url.indexOf('?');
  const socket = connectionOf(incoming);
  const peer = peerOf(socket);
  const from = socket.remoteAddress;
  const repeated = 'impersonate-user' in incoming.headers ? repeatedHeaders(incoming.rawHeaders) : undefined;
  return {
    method: incoming.method ?? 'GET',
    path: question < 0 ? url : url.slice(0, question),
    query: question < 0 ? '' : url.slice(question + 1),
    headers: incoming.headers as Record<string, string>,
    rawHeaders: incoming.rawHeaders,
    ...(repeated && { repeated }),
    ...(peer && { peer }),
    ...(from && { from }),
  };
}

/** The socket: HTTP/2 shows every request another proxy of it, but keeps one a session, and what we know hangs on that. */
function connectionOf(incoming: Incoming): TLSSocket {
  const session = 'stream' in incoming ? incoming.stream.session : undefined;
  return (session?.socket ?? incoming.socket) as TLSSocket;
}

async function send(request: HubRequest, response: HubResponse, outgoing: Outgoing): Promise<void> {
  const { status, headers, stream } = response;
  if (stream) return sendStream(stream, response, outgoing);
  const parts = response.parts ?? (response.body ? [response.body] : []);
  const length = lengthOf(parts);
  const compressed = length >= worthCompressing ? await compressedBody(request, parts) : undefined;
  outgoing.writeHead(status, {
    'cache-control': 'no-cache, private',
    ...wireHeaders(headers),
    'content-length': compressed?.length ?? length,
    ...(compressed && { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }),
  } as OutgoingHttpHeaders);
  if (request.method === 'HEAD') outgoing.end();
  else endWith(outgoing, compressed ? [compressed] : parts);
}

/** Warnings quote what clients wrote, in any script; no other header does. */
function wireHeaders(headers: HubResponse['headers']): HubResponse['headers'] {
  const { warning } = headers;
  return warning === undefined ? headers : { ...headers, warning: [warning].flat().map(headerBytes) };
}

/** The pieces leave as one. */
function endWith(outgoing: Outgoing, parts: readonly Buffer[]): void {
  const last = parts.at(-1);
  if (parts.length > 1) outgoing.cork();
  for (let i = 0; i + 1 < parts.length; i++) outgoing.write(parts[i]);
  if (last) outgoing.end(last);
  else outgoing.end();
}

/** Compressing costs more than the loopback gains, so only large bodies are, and off the event loop. */
function compressedBody(request: HubRequest, parts: readonly Buffer[]): Promise<Buffer | undefined> {
  if (!request.headers['accept-encoding']?.includes('gzip')) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    gzip(Buffer.concat(parts), { level: 1 }, (error, result) => resolve(error ? undefined : result));
  });
}

function sendStream(stream: HubStream, response: HubResponse, outgoing: Outgoing): void {
  outgoing.writeHead(response.status, {
    'cache-control': 'no-cache, private',
    ...wireHeaders(response.headers),
  } as OutgoingHttpHeaders);
  // Node.js flushes headers as UTF-8, which makes other bytes of them; with a body, also an empty one, they leave as they are.
  if (outgoing.flushHeaders) outgoing.write(Buffer.alloc(0));
  let isFull = false;
  const stop = stream.open({
    write: (chunk) => void (isFull = !outgoing.write(chunk)),
    pending: () => outgoing.writableLength,
    whenDrained: (callback) => void (isFull ? outgoing.once('drain', callback) : setImmediate(callback)),
    end: () => void outgoing.end(),
    drop: () => void ('stream' in outgoing ? (outgoing.stream as Http2Stream).destroy() : outgoing.destroy()),
  });
  // A caller that left while the answer was on its way has said so already.
  if (outgoing.destroyed) stop();
  else outgoing.on('close', stop);
}

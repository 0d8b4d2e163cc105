/** Ways to a hub: in the same process, where the server is a function, or over TLS with HTTP/1.1 and HTTP/2 in turn. */
import { validateHeaderValue } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:http2';
import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';
import type { Access } from '../access.ts';
import { headerBytes } from '../../../src/apiserver/respond/warnings.ts';
import type { Hub, HubRequest, HubResponse } from '../../../src/apiserver/index.ts';

/** A request as it goes out. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The answer; status 0 means that there was none, and `fault` says why. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly fault?: string;
}

/** Sends a request and resolves whatever happens. */
export type Send = (request: Sent) => Promise<Reply>;

const fuzzer = { name: 'fuzzer', groups: ['system:masters', 'system:authenticated'] };

/** Calls the hub as a function; an answer that HTTP could not carry is a fault. */
export function sendInProcess(hub: Pick<Hub, 'handle'>, faultOf: (request: HubRequest) => string | undefined): Send {
  return async (request) => {
    try {
      const incoming = { ...request, user: fuzzer };
      const response = await hub.handle(incoming);
      const fault = response.status >= 500 ? faultOf(incoming) : headerFault(response);
      return { status: response.status, body: bodyText(response), ...(fault !== undefined && { fault }) };
    } catch (error) {
      return { status: 0, body: '', fault: `the hub threw: ${(error as Error).stack ?? String(error)}` };
    }
  };
}

function headerFault({ headers }: HubResponse): string | undefined {
  try {
    for (const [name, value] of Object.entries(headers))
      for (const one of [value].flat()) validateHeaderValue(name, headerBytes(one));
    return undefined;
  } catch (error) {
    return `a header that HTTP cannot carry: ${(error as Error).message}`;
  }
}

const endless = 'endless';

/** Opens a watch and ends it after its first events; joins the parts of a long body. */
function bodyText({ body, parts, stream }: HubResponse): string {
  if (!stream) return body?.toString() ?? (parts ? Buffer.concat(parts).toString() : '');
  let text = '';
  let over = false;
  const stop = stream.open({
    write: (chunk) => void (text += over ? '' : chunk.toString()),
    pending: () => 0,
    end: () => void (over = true),
  });
  stop();
  return text || endless;
}

/** A connection that can be closed. */
export interface Wire {
  readonly send: Send;
  close(): void;
}

/** How long an answer may take before it counts as a hang. */
export const hangMilliseconds = 30_000;
const watchMilliseconds = 200;

/** Sends every third request by HTTP/2, the others by HTTP/1.1 on connections that are kept. */
export function sendOverTls(access: Access): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: access.ca, cert: access.cert, key: access.key });
  let session: ClientHttp2Session | undefined;
  let count = 0;
  const http2 = (): ClientHttp2Session => {
    if (!session || session.closed || session.destroyed) {
      session = connect(access.url, { ca: access.ca, cert: access.cert, key: access.key });
      session.on('error', () => {});
    }
    return session;
  };
  return {
    send: (request) => (count++ % 3 === 0 ? byHttp2(http2(), request) : byHttp1(access.url, agent, request)),
    close() {
      agent.destroy();
      session?.destroy();
    },
  };
}

const targetOf = ({ path, query }: Sent): string =>
  `${path.startsWith('/') ? path : `/${path}`}${query && `?${query}`}`;
const isWatch = ({ query, path }: Sent): boolean => /(?:^|&)watch=/.test(query) || path.includes('/watch/');

function byHttp1(url: string, agent: Agent, sent: Sent): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const fail = (fault: string): void => resolve({ status: 0, body: '', fault });
    const headers = { ...sent.headers, ...(sent.body && { 'content-length': sent.body.length }) };
    const options = { hostname, port, agent, method: sent.method, path: targetOf(sent), headers };
    const outgoing = httpsRequest(options, (incoming) => {
      const chunks: Buffer[] = [];
      const done = (): void => {
        clearTimeout(timer);
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      };
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', done);
      incoming.on('error', done);
      if (isWatch(sent)) setTimeout(() => (done(), outgoing.destroy()), watchMilliseconds).unref();
    });
    const timer = setTimeout(() => {
      fail('hang');
      outgoing.destroy();
    }, hangMilliseconds);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      fail(error.message);
    });
    outgoing.end(sent.body);
  });
}

/** HTTP/2 has no connection headers, and no methods that are not upper case. */
function byHttp2(session: ClientHttp2Session, sent: Sent): Promise<Reply> {
  return new Promise((resolve) => {
    const fail = (fault: string): void => resolve({ status: 0, body: '', fault });
    const headers: OutgoingHttpHeaders = { ...sent.headers, ':method': sent.method, ':path': targetOf(sent) };
    const stream = session.request(headers, { endStream: sent.body === undefined });
    const timer = setTimeout(() => {
      fail('hang');
      stream.close();
    }, hangMilliseconds);
    let status = 0;
    const chunks: Buffer[] = [];
    const done = (): void => {
      clearTimeout(timer);
      resolve({ status, body: Buffer.concat(chunks).toString() });
    };
    stream.on('response', (got) => {
      status = Number(got[':status']);
      if (isWatch(sent)) setTimeout(() => (done(), stream.close()), watchMilliseconds).unref();
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', done);
    stream.on('error', (error) => {
      clearTimeout(timer);
      fail(error.message);
    });
    stream.on('close', () => fail('the stream was closed without an answer'));
    if (sent.body !== undefined) stream.end(sent.body);
  });
}

/**
 * A caller with raw HTTPS requests and upgrades, for what no client of ours would send.
 * Start with `callerOf`.
 */
import type { Buffer } from 'node:buffer';
import { request } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiServer } from '../../src/apiserver/index.ts';

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** How a call differs from a plain GET. */
export interface CallWords {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Calls a server as its administrator who takes on a user. */
export interface Caller {
  send(path: string, words?: CallWords): Promise<Answer>;
  /** The answer as it comes. */
  open(path: string, words?: CallWords): Promise<IncomingMessage>;
  /** The connection after 101; an answer that is none. */
  upgrade(path: string, words?: CallWords): Promise<{ readonly socket: Duplex; readonly head: Buffer } | Answer>;
}

/** As `user` with these groups; by the administrator's certificate and impersonation. */
export function callerOf(site: ApiServer, user: string, groups: readonly string[] = []): Caller {
  const { server, certificateAuthority: ca, user: admin } = site.context('admin');
  const { certificate: cert, key } = admin as { readonly certificate: string; readonly key: string };
  const as = { 'impersonate-user': user, ...(groups.length > 0 && { 'impersonate-group': [...groups] }) };
  const start = (path: string, { method = 'GET', headers = {}, body }: CallWords): ReturnType<typeof request> => {
    const started = request(server, { path, method, ca, cert, key, agent: false, headers: { ...as, ...headers } });
    started.end(body);
    return started;
  };
  const open: Caller['open'] = (path, words = {}) =>
    new Promise((resolve, reject) => start(path, words).on('response', resolve).on('error', reject));
  return {
    open,
    send: async (path, words) => wholeOf(await open(path, words)),
    upgrade: (path, words = {}) =>
      new Promise((resolve, reject) => {
        start(path, words)
          .on('upgrade', (_, socket, head) => resolve({ socket, head }))
          .on('response', (response) => void wholeOf(response).then(resolve, reject))
          .on('error', reject);
      }),
  };
}

async function wholeOf(response: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

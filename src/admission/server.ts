/**
 * Serves admission over HTTPS, for a hub that calls webhooks: `POST /mutate`, `POST /validate`, `GET /livez`, `/readyz` and
 * `/metrics`. It knows no rule. Start with `serveAdmission`.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../observe/index.ts';
import { reviewed } from './webhook.ts';
import type { AskHub, Judge, Manner } from './webhook.ts';

/** A certificate and its key, both in PEM. */
export interface ServingPair {
  readonly certificate: string;
  readonly key: string;
}

export interface AdmissionServerOptions {
  readonly host: string;
  readonly port: number;
  readonly pair: ServingPair;
  readonly judge: Judge;
  readonly ask: AskHub;
  /** Why this process cannot judge yet; undefined when it can. */
  readonly unready: () => string | undefined;
  readonly metrics: () => string;
  readonly log: Logger;
}

/** A server that answers reviews. */
export interface AdmissionServer {
  readonly port: number;
  /** Uses another certificate from the next connection on. */
  renew(pair: ServingPair): void;
  close(): Promise<void>;
}

/** An AdmissionReview has the object twice; etcd takes no object larger than 1.5 MiB. */
const mostBytes = 8 * 1024 * 1024;
const requestMilliseconds = 30_000;

/** Starts to listen; resolves when reviews are answered. */
export async function serveAdmission(options: AdmissionServerOptions): Promise<AdmissionServer> {
  const { host, port, pair, log } = options;
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      log.error('a review failed for no good reason', { error });
      send(response, 500, 'internal error');
    });
  });
  server.requestTimeout = requestMilliseconds;
  server.on('clientError', (_: Error, socket: Duplex) => socket.destroy());
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    renew: (renewed) => server.setSecureContext({ cert: renewed.certificate, key: renewed.key }),
    async close() {
      server.close();
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 1_000).unref();
      await once(server, 'close');
      clearTimeout(force);
    },
  };
}

async function answer(
  options: AdmissionServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (request.method === 'GET') return answerRead(options, path, response);
  const manner = manners[path];
  if (request.method !== 'POST' || !manner) return send(response, 404, 'not found');
  const text = await bodyOf(request);
  if (text === undefined) return send(response, 413, 'the review is too large');
  const review = await reviewed(valueOf(text), manner, options);
  if (!review) return send(response, 400, 'the body is no AdmissionReview of admission.k8s.io/v1');
  return send(response, 200, { type: 'application/json', text: JSON.stringify(review) });
}

const manners: Readonly<Record<string, Manner>> = { '/mutate': 'mutate', '/validate': 'validate' };

function answerRead({ unready, metrics }: AdmissionServerOptions, path: string, response: ServerResponse): void {
  if (path === '/livez' || path === '/healthz') return send(response, 200, 'ok');
  if (path === '/metrics')
    return send(response, 200, { type: 'text/plain; version=0.0.4; charset=utf-8', text: metrics() });
  if (path !== '/readyz') return send(response, 404, 'not found');
  const why = unready();
  return send(response, why === undefined ? 200 : 503, why ?? 'ok');
}

/** The text of a body; undefined when it is longer than any review. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const plain = 'text/plain; charset=utf-8';

/** A body is plain text unless `type` says otherwise. */
function send(response: ServerResponse, status: number, body: string | { type: string; text: string }): void {
  const { type, text } = typeof body === 'string' ? { type: plain, text: body } : body;
  if (response.headersSent) return void response.end();
  response.writeHead(status, { 'content-type': type }).end(text);
}

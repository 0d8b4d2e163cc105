import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../api/index.ts';
import { lineOf } from '../../cli/index.ts';
import { Assets } from './assets.ts';
import { credentialIn } from './credentials.ts';
import type { Credential, HubPlace } from './credentials.ts';
import { bodyOf, protect, Refusal, requireOwnSite } from './guard.ts';
import { routes } from './routes.ts';
import { Sessions } from './sessions.ts';
import type { Session } from './sessions.ts';

/** The options of a dashboard. */
export interface DashboardOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly place: HubPlace;
  /** The credentials of the person who starts it, for the login link; absent: no link. */
  readonly own?: Credential;
  readonly now?: () => number;
  /** Called with failures that are no fault of the caller. */
  readonly onFault?: (error: unknown) => void;
}

/** A dashboard that runs. */
export interface Dashboard {
  /** `http://127.0.0.1:7480` */
  readonly url: string;
  /** A link that logs in once; undefined where nobody's credentials are known. */
  newLink(): string | undefined;
  close(): Promise<void>;
}

/** Starts the server of the dashboard. */
export async function openDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { own, listen, place, now = Date.now } = options;
  const site = new Site(new Sessions(place, { own, now }), options);
  const server = createServer((request, response) => void site.answer(request, response));
  server.requestTimeout = 60_000;
  await listening(server, listen);
  const { port } = server.address() as AddressInfo;
  site.port = port;
  const url = `http://${shown(listen.host)}:${port}`;
  return {
    url,
    newLink: () => (own ? `${url}/login?code=${site.sessions.issueCode()}` : undefined),
    close: async () => {
      server.close();
      await site.sessions.closeAll();
      server.closeAllConnections();
    },
  };
}

function listening(server: Server, { host, port }: DashboardOptions['listen']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A wildcard is reached by this machine's own address. */
function shown(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

const heartbeatMilliseconds = 20_000;

class Site {
  readonly sessions: Sessions;
  port = 0;
  readonly #options: DashboardOptions;
  readonly #assets = new Assets();

  constructor(sessions: Sessions, options: DashboardOptions) {
    this.sessions = sessions;
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    protect(response, nonce);
    try {
      requireOwnSite(request, this.#options.listen.host);
      await this.#route(request, response, nonce);
    } catch (error) {
      this.#fail(request, response, error);
    }
  }

  /** Cookies do not know ports: each dashboard of a machine has its own. */
  get #cookie(): string {
    return `sluice-${this.port}`;
  }

  async #route(request: IncomingMessage, response: ServerResponse, nonce: string): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://dashboard');
    if (url.pathname === '/login' && request.method === 'GET' && url.searchParams.has('code'))
      return this.#redeem(url.searchParams.get('code') ?? '', response);
    if (url.pathname.startsWith('/api/')) return this.#api(request, response, url);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'only GET is answered here');
    return this.#file(url.pathname.slice(1), request, { response, nonce });
  }

  async #redeem(code: string, response: ServerResponse): Promise<void> {
    try {
      this.#welcome(await this.sessions.redeem(code), response);
      response.writeHead(303, { location: '/' }).end();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response.writeHead(303, { location: `/login?why=${error.status === 429 ? 'wait' : 'used'}` }).end();
    }
  }

  #welcome({ id }: Session, response: ServerResponse): void {
    response.setHeader('set-cookie', `${this.#cookie}=${id}; HttpOnly; SameSite=Strict; Path=/`);
  }

  async #api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const name = `${request.method ?? 'GET'} ${url.pathname.slice('/api/'.length)}`;
    if (name === 'POST login') {
      this.#welcome(await this.sessions.login(credentialIn(await bodyOf(request))), response);
      return send(response, 200, {});
    }
    const session = this.sessions.of(request, this.#cookie);
    if (!session) throw new Refusal(401, 'log in first');
    if (name === 'GET news') return stream(session, response);
    if (name === 'POST logout') return send(response, 200, this.sessions.close(session));
    const route = routes[name];
    if (!route) throw new Refusal(404, 'there is no such request');
    const { sight } = session;
    try {
      send(response, 200, await route({ sight, query: url.searchParams, request }));
    } catch (error) {
      // The credentials have ended, so the session has.
      if (error instanceof ApiError && error.code === 401) this.sessions.close(session);
      throw error;
    }
  }

  async #file(
    name: string,
    request: IncomingMessage,
    { response, nonce }: { readonly response: ServerResponse; readonly nonce: string },
  ): Promise<void> {
    const asset = name === '' || name === 'index.html' ? undefined : await this.#assets.file(name);
    if (!asset) return this.#page(response, nonce);
    if (asset.lasts) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    const zipped = /\bgzip\b/.test([request.headers['accept-encoding']].join(','));
    if (zipped) response.setHeader('content-encoding', 'gzip');
    response.setHeader('vary', 'accept-encoding');
    response.writeHead(200, { 'content-type': asset.type }).end(zipped ? asset.gzipped : asset.body);
  }

  /** Every other path is a place in the page. */
  async #page(response: ServerResponse, nonce: string): Promise<void> {
    const page = await this.#assets.page(nonce);
    if (!page) throw new Refusal(503, 'the dashboard is being built: load this page again in a few seconds');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const status = statusOf(error);
    if (status >= 500 && !(error instanceof Refusal)) this.#options.onFault?.(error);
    if (response.headersSent) return void response.end();
    const message = lineOf(error);
    if (request.url?.startsWith('/api/')) return send(response, status, { message, code: status });
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
  }
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  if (error instanceof ApiError) return error.code;
  const name = error instanceof Error ? error.name : '';
  if (name === 'Unreachable') return 502;
  return name === 'Failure' || name === 'UsageError' ? 422 : 500;
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value ?? null));
}

/** News as server-sent events: a revision to ask about, or that the hub is gone. */
function stream({ sight }: Session, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  const tell = (news: unknown): void => void response.write(`data: ${JSON.stringify(news)}\n\n`);
  tell({ revision: sight.revision, state: sight.state });
  const stop = sight.listen(tell);
  const beat = setInterval(() => response.write(': beat\n\n'), heartbeatMilliseconds);
  response.on('close', () => {
    clearInterval(beat);
    stop();
  });
}

/** A dashboard in process, and a client that speaks to it as a browser does. */
import { readFile } from 'node:fs/promises';
import { request } from 'undici';
import { contextOf, readKubeconfig } from '../../src/client/index.ts';
import { openDashboard } from '../../src/dashboard/index.ts';
import type { Dashboard } from '../../src/dashboard/index.ts';

/** An answer of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Starts a dashboard for the hub of a kubeconfig, on a free port. */
export async function dashboardFor(kubeconfig: string, now?: () => number): Promise<Dashboard> {
  const config = await readKubeconfig([kubeconfig]);
  const { connection, namespace } = contextOf(config);
  const { certificate, token } = connection;
  const own = { ...(certificate && { certificate }), ...(token !== undefined && { token }) };
  return openDashboard({
    listen: { host: '127.0.0.1', port: 0 },
    place: { connection, namespace, config },
    own,
    ...(now && { now }),
  });
}

/** A browser without a page: it keeps the cookie and names its origin. */
export class Visitor {
  readonly #url: string;
  cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  async ask(
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> {
    const writing = body === undefined ? {} : { origin: this.#url, 'content-type': 'application/json' };
    const answer = await request(`${this.#url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...writing, ...(this.cookie && { cookie: this.cookie }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const [set] = [answer.headers['set-cookie'] ?? []].flat();
    if (set !== undefined) this.cookie = set.split(';')[0] ?? '';
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  /** The JSON of an answer; throws when it is no success. */
  async json<T>(path: string, body?: unknown): Promise<T> {
    const { status, text } = await this.ask(path, body === undefined ? {} : { body });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Logs in with a kubeconfig file. */
  async login(kubeconfig: string): Promise<this> {
    await this.json('/api/login', { kubeconfig: await readFile(kubeconfig, 'utf8') });
    return this;
  }
}

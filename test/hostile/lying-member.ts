/** A member that answers over TLS as a test wants it to: rightly, until it is told to lie. */
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openAuthority } from '../../src/auth/index.ts';

/** Answers a request, or leaves it to the truth by returning false. */
export type Lie = (request: IncomingMessage & { url: string }, response: ServerResponse) => boolean | void;

/** A member that lies. */
export interface LyingMember {
  readonly url: string;
  readonly caBundle: string;
  /** The lie that it tells from now on. */
  lie: Lie;
  /** Requests so far, as `GET /readyz`. */
  readonly requests: string[];
  /** Tokens that it was shown. */
  readonly tokens: Set<string>;
  close(): Promise<void>;
}

/** Starts a member that tells the truth. */
export async function startLyingMember(): Promise<LyingMember> {
  const authority = await openAuthority({ hosts: ['127.0.0.1'] });
  const member = { lie: (() => false) as Lie, requests: [] as string[], tokens: new Set<string>() };
  const { certificate: cert, key } = authority.serving;
  const server = createServer({ cert, key }, (request, response) => {
    member.requests.push(`${request.method} ${request.url}`);
    member.tokens.add(request.headers.authorization ?? '');
    response.on('error', () => {});
    if (member.lie(request as IncomingMessage & { url: string }, response) === false)
      truth(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(member, {
    url,
    caBundle: authority.certificate,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

const resource = (name: string, kind: string, namespaced = true) => ({
  name,
  kind,
  namespaced,
  singularName: '',
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
});

const answers: Readonly<Record<string, unknown>> = {
  '/readyz': 'ok',
  '/version': { gitVersion: 'v1.34.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      resource('pods', 'Pod'),
      resource('configmaps', 'ConfigMap'),
      resource('namespaces', 'Namespace', false),
      resource('nodes', 'Node', false),
    ],
  },
  '/api/v1/namespaces/kube-system': {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'kube-system', uid: 'liar', resourceVersion: '1' },
  },
};

/** Sends JSON. */
export function json(response: ServerResponse, value: unknown, code = 200): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

/** An empty list. */
export const emptyList = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };

function truth(url: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'https://x');
  const known = answers[pathname];
  if (pathname === '/readyz') response.end('ok');
  else if (known !== undefined) json(response, known);
  else if (searchParams.get('sendInitialEvents')) json(response, { kind: 'Status', code: 400, message: 'no' }, 400);
  else if (searchParams.get('watch')) response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  else if (/^\/api\/v1\/(nodes|pods|configmaps|namespaces)$/.test(pathname)) json(response, emptyList);
  else json(response, { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message: 'not found' }, 404);
}

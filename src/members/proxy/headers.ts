import type { User } from '../../api/index.ts';

/** Headers that are about one connection, not about the request. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Headers that say who the caller is at the hub, or where it came from; none of it is the member's business. */
const ofCaller: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'host',
  'content-length',
  'expect',
  'forwarded',
  'x-real-ip',
]);
const ofCallerPrefixes = [':', 'impersonate-', 'impersonate_', 'x-remote-', 'x-forwarded-'];

/** Headers of an answer that would act on the hub's name instead of the member's. */
const ofServer: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'alt-svc',
  'strict-transport-security',
  'clear-site-data',
  'www-authenticate',
]);

/** A WebSocket client may send its token as a protocol of this name. */
const bearerProtocol = 'base64url.bearer.authorization.k8s.io.';

/** The headers of a request, names and values in turns. */
export interface Brought {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawHeaders?: readonly string[];
}

/** The headers of a request as they go to a member: nothing that says who the caller is, then whom to take it for. */
export function forwardedHeaders(brought: Brought, user: User, token: string): readonly string[] {
  const raw = brought.rawHeaders ?? Object.entries(brought.headers).flatMap(([name, value = '']) => [name, value]);
  const named = new Set((brought.headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    if (isLeftOut(name) || named.has(name)) continue;
    if (name === 'sec-websocket-protocol') kept.push(...protocolHeader(value));
    else kept.push(name, value);
  }
  return [...kept, 'authorization', `Bearer ${token}`, ...impersonationHeaders(user)];
}

function isLeftOut(name: string): boolean {
  return ofConnection.has(name) || ofCaller.has(name) || ofCallerPrefixes.some((prefix) => name.startsWith(prefix));
}

function protocolHeader(value: string): readonly string[] {
  const protocols = value.split(',').map((protocol) => protocol.trim());
  const kept = protocols.filter((protocol) => !protocol.startsWith(bearerProtocol));
  return kept.length === 0 ? [] : ['sec-websocket-protocol', kept.join(', ')];
}

/** Groups that a server gives everybody by itself. */
const impliedGroups: ReadonlySet<string> = new Set(['system:authenticated', 'system:unauthenticated']);

function impersonationHeaders({ name, uid, groups, extra = {} }: User): readonly string[] {
  return [
    'impersonate-user',
    wire(name),
    ...(uid ? ['impersonate-uid', wire(uid)] : []),
    ...groups.flatMap((group) => (impliedGroups.has(group) ? [] : ['impersonate-group', wire(group)])),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.flatMap((value) => [`impersonate-extra-${escapedKey(key)}`, wire(value)]),
    ),
  ];
}

/** Headers carry bytes; names in other scripts go as UTF-8. */
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** As Kubernetes escapes keys: what may not stand in the name of a header is percent-encoded. */
const escapedKey = (key: string): string =>
  encodeURIComponent(key).replaceAll(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The headers of a member's answer as they go to the caller: each once, for HTTP/2 refuses some that come twice, and warnings
 * as the text that they are.
 */
export function returnedHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofConnection.has(name) || ofServer.has(name)) continue;
    const joined = [value].flat().join(', ');
    kept[name] = name === 'warning' ? Buffer.from(joined, 'latin1').toString('utf8') : joined;
  }
  // The page of a member must not act as a page of the hub.
  return { ...kept, 'x-content-type-options': 'nosniff', 'content-security-policy': 'sandbox' };
}

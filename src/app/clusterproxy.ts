import type { Duplex, Readable } from 'node:stream';
import { clusterApi, groupOf, keyOf, serviceUnavailable } from '../api/index.ts';
import type { MemberAccess, View } from '../api/index.ts';
import type { HubResponse, HubStream, HubTunnel, Proxy, ProxyCall, Sink } from '../apiserver/index.ts';
import { MemberProxy } from '../members/index.ts';

/** Forwards requests on `clusters/NAME/proxy/…`. */
export interface ClusterProxy {
  readonly proxies: Readonly<Record<string, Proxy>>;
  close(): Promise<void>;
}

type Seen = Pick<View, 'clusters' | 'get'>;

/** Forwards requests to members as the user who asks; `view` is undefined until the controllers have read everything. */
export function clusterProxy(view: () => Seen | undefined, access: MemberAccess): ClusterProxy {
  const seen = (): Seen => view() ?? notYet();
  const members = new MemberProxy({
    cluster: (name) => seen().clusters.find(({ metadata }) => metadata.name === name),
    secret: (ref) => seen().get(keyOf({ apiVersion: 'v1', kind: 'Secret', ...ref })),
    access,
  });
  return {
    proxies: { [`${groupOf(clusterApi)}/clusters/proxy`]: (call) => forwarded(members, call) },
    close: () => members.close(),
  };
}

function notYet(): never {
  throw serviceUnavailable('the hub is starting', 1);
}

async function forwarded(members: MemberProxy, { request, target, user }: ProxyCall): Promise<HubResponse> {
  const { method, query, headers, rawHeaders, body, upgrade } = request;
  const answer = await members.forward({
    member: target.name,
    user,
    method,
    path: target.rest,
    query,
    headers,
    ...(rawHeaders && { rawHeaders }),
    ...(body && { body }),
    ...(upgrade && { upgrade }),
  });
  const { socket, body: content } = answer;
  const head = { status: answer.status, headers: answer.headers };
  if (socket) return { ...head, tunnel: tunnelTo(socket) };
  return content ? { ...head, stream: streamOf(content) } : head;
}

/** Both ways until one side ends; then neither is left open. */
function tunnelTo(member: Duplex): HubTunnel {
  return {
    open(caller, head) {
      const end = (): void => {
        member.destroy();
        caller.destroy();
      };
      for (const side of [member, caller]) side.on('error', end).on('close', end);
      if (caller.destroyed) return end();
      if (head.length > 0) member.write(head);
      member.pipe(caller);
      caller.pipe(member);
    },
  };
}

/** Bytes that a caller may leave unread before the member has to wait. */
const mostUnread = 256 * 1024;

function streamOf(content: Readable): HubStream {
  return {
    open(sink) {
      const pass = (): void => {
        for (let chunk = nextOf(content); chunk; chunk = nextOf(content)) {
          sink.write(chunk);
          if (sink.pending() > mostUnread && sink.whenDrained) return sink.whenDrained(pass);
        }
      };
      content.on('readable', pass);
      content.on('end', () => sink.end());
      content.on('error', () => cut(sink));
      return () => content.destroy();
    },
  };
}

const nextOf = (content: Readable): Buffer | null => content.read() as Buffer | null;

/** An answer that breaks off must not look whole. */
function cut(sink: Sink): void {
  if (sink.drop) sink.drop();
  else sink.end();
}

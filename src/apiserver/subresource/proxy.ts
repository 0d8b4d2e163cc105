import type { User } from '../../api/index.ts';
import { isExempt } from '../flow/control.ts';
import type { FlowControl } from '../flow/control.ts';
import type { HubRequest, HubResponse, HubStream, HubTunnel } from '../http.ts';
import type { Target } from '../request/route.ts';

/** A request that another server is to answer; its caller is known and may ask for it. */
export interface ProxyCall {
  readonly request: HubRequest;
  readonly target: Target;
  readonly user: User;
}

/** Forwards a call and resolves to the answer; an ApiError that it throws is the answer. */
export type Proxy = (call: ProxyCall) => Promise<HubResponse>;

/** The names of proxied subresources by `group/plural`. */
export function subresourcesOf(proxies: Readonly<Record<string, Proxy>> = {}): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const path of Object.keys(proxies)) {
    const end = path.lastIndexOf('/');
    const resource = path.slice(0, end);
    names.set(resource, [...(names.get(resource) ?? []), path.slice(end + 1)]);
  }
  return names;
}

/** Forwards a call. It counts as one of its user's watches until its answer has ended: it may last as long. */
export async function proxied(proxy: Proxy, call: ProxyCall, flow: FlowControl): Promise<HubResponse> {
  const leave = isExempt(call.user) ? () => {} : flow.watches.enter(call.user.name);
  try {
    const response = await proxy(call);
    const { stream, tunnel } = response;
    if (stream) return { ...response, stream: endedStream(stream, leave) };
    if (tunnel) return { ...response, tunnel: endedTunnel(tunnel, leave) };
    leave();
    return response;
  } catch (error) {
    leave();
    throw error;
  }
}

function endedStream(stream: HubStream, onEnd: () => void): HubStream {
  return {
    open(sink) {
      const { drop } = sink;
      const stop = stream.open({
        ...sink,
        end() {
          sink.end();
          onEnd();
        },
        ...(drop && {
          drop() {
            drop();
            onEnd();
          },
        }),
      });
      return () => {
        stop();
        onEnd();
      };
    },
  };
}

function endedTunnel(tunnel: HubTunnel, onEnd: () => void): HubTunnel {
  return {
    open(socket, head) {
      if (socket.destroyed) onEnd();
      else socket.once('close', onEnd);
      tunnel.open(socket, head);
    },
  };
}

import { keyOf } from '../api/index.ts';
import type { Around, HubRequest } from '../apiserver/index.ts';
import { header } from '../auth/index.ts';
import { isObject } from '../base/index.ts';
import type { Transport, WireRequest } from '../client/index.ts';
import type { Tracing } from '../observe/index.ts';

const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Does each write of the hub within a span, which follows from the caller's. The object remembers the span before it is
 * written, so that all that controllers then do about the object belongs to the same trace.
 */
export function tracedVerbs(tracer: Tracing): Around {
  return (asked, verb) => {
    const { request, target } = asked;
    if (!writes.has(request.method)) return verb();
    const key = target.subresource === '' ? keyOfWritten(asked) : undefined;
    return tracer.follow(header(request, 'traceparent'), () =>
      tracer.span(`hub ${request.method}`, { 'url.path': request.path }, () => {
        if (key !== undefined) tracer.wrote(key);
        return verb();
      }),
    );
  };
}

/** The key of the object that a request writes; undefined when the hub is to find its name. */
function keyOfWritten({ request, target, kind }: Parameters<Around>[0]): string | undefined {
  const { group, version, namespace } = target;
  const name = target.name || nameIn(request);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return name ? keyOf({ apiVersion, kind: kind.kind, ...(namespace && { namespace }), name }) : undefined;
}

function nameIn({ object, body }: HubRequest): string | undefined {
  const value: unknown = object ?? parsed(body);
  const metadata = isObject(value) ? value['metadata'] : undefined;
  return isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : undefined;
}

/** YAML and Protobuf are not read twice: only the creation of such an object has no link to what follows. */
function parsed(body: Buffer | undefined): unknown {
  try {
    return body && JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** A way to a member whose writes are spans, and that tells the member which. */
export function tracedTransport(transport: Transport, tracer: Tracing): Transport {
  const send: Transport['send'] = (request) => {
    if (!writes.has(request.method)) return transport.send(request);
    const { method, path } = request;
    return tracer.span(`member ${method}`, { 'url.path': path }, () => transport.send(withParent(request, tracer)));
  };
  return { send, stream: (request) => transport.stream(request), close: () => transport.close() };
}

function withParent(request: WireRequest, tracer: Tracing): WireRequest {
  const traceparent = tracer.traceparent();
  return traceparent === undefined ? request : { ...request, headers: { ...request.headers, traceparent } };
}

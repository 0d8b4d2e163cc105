import type { Transport, WireRequest } from '../../src/client/index.ts';

/** Stands before a server and lets each request through when its time has come. */
export function delayed(until: (request: WireRequest) => Promise<void>): (transport: Transport) => Transport {
  return (transport) => ({
    send: (request) => until(request).then(() => transport.send(request)),
    stream: (request) => until(request).then(() => transport.stream(request)),
    close: () => transport.close(),
  });
}

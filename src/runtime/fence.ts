import type { Transport } from '../client/index.ts';

/** Tells whether this process may write now; a Lease is one. */
export interface Fence {
  readonly mayWrite: boolean;
}

/** A write that did not leave: another process may have the lease. */
export class Fenced extends Error {
  constructor() {
    super('nothing is written: another process may lead');
    this.name = 'Fenced';
  }
}

/**
 * Lets reads through, and writes only while the fence is open. It is asked twice: when a write is handed over, and when its bytes are
 * about to leave, which may be much later where the process was paused or no connection was free.
 */
export function fenced(transport: Transport, fence: Fence): Transport {
  const check = (): void => {
    if (!fence.mayWrite) throw new Fenced();
  };
  return {
    send: async (request) => {
      if (request.method === 'GET' || request.method === 'HEAD') return transport.send(request);
      check();
      return transport.send({ ...request, onLeave: check });
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  };
}

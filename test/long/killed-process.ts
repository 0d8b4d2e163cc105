import { Unreachable } from '../../src/client/index.ts';
import type { Transport, WireRequest } from '../../src/client/index.ts';

/** When a life ends: with which of its writes, and whether that one still reached the hub. */
export interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/**
 * The ways out of controllers that are going to die, to the hub and to the members: with the given write the process is
 * as if killed. Nothing that it sends from then on arrives, and no answer comes back, not even that of the write itself.
 */
export class KilledProcess {
  readonly #death: Death;
  #writes = 0;
  #dead = false;

  constructor(death: Death) {
    this.#death = death;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** To whom the last write went, or would have gone. */
  diedAt: 'hub' | 'member' | undefined;

  readonly between = (transport: Transport): Transport => this.#way(transport, 'hub');

  readonly betweenMembers = (transport: Transport): Transport => this.#way(transport, 'member');

  #way(transport: Transport, to: 'hub' | 'member'): Transport {
    return {
      send: async (request) => {
        // Events follow from what was done and cause nothing; a recorder that waits for them would only cost time.
        if (request.path.includes('/events')) return transport.send(request);
        this.#check();
        if (counts(request)) this.#write(to);
        return this.#answered(await transport.send(request));
      },
      stream: async (request) => {
        this.#check();
        return transport.stream(request);
      },
      close: () => transport.close(),
    };
  }

  /** Counts a write; throws when the process dies before it. */
  #write(to: 'hub' | 'member'): void {
    if (++this.#writes !== this.#death.at) return;
    this.#dead = true;
    this.diedAt = to;
    if (this.#death.when === 'before') this.#check();
  }

  #answered<T>(answer: T): T {
    this.#check();
    return answer;
  }

  #check(): void {
    if (this.#dead) throw new Unreachable('cut', 'the process has died', { sent: true });
  }
}

/** Requests about members follow from no story. */
function counts({ method, path }: WireRequest): boolean {
  return method !== 'GET' && !/\/(clusters|leases|secrets)(\/|$)/.test(path) && !path.includes('/karmada-system/');
}

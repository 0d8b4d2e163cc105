import { ApiError, memberWriter } from '../api/index.ts';
import type { MemberAccess, Probe } from '../api/index.ts';
import { ApiClient, discover, HttpsTransport, memberBounds, Unreachable } from '../client/index.ts';
import type { Connection, Discovered, HttpsOptions, Transport } from '../client/index.ts';
import type { Metrics } from '../observe/index.ts';
import { AnswerFaults } from './answers.ts';
import { sameConnection } from './credentials.ts';
import { probed } from './probe.ts';
import { Capacity } from './capacity.ts';

/** How members are talked to. */
export interface MemberOptions extends HttpsOptions {
  /** How members may be reached; strictly unless told. */
  readonly access?: MemberAccess;
  readonly metrics?: Metrics;
  /** How long the member may take to say that it is ready. */
  readonly readyMilliseconds?: number;
  /** Stands between us and the member, for those who want to see or to break what is sent. */
  readonly between?: (transport: Transport) => Transport;
}

const nothing: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };

/** One member cluster: a client with its own connections, what it serves, and how it is. */
export class Member {
  readonly name: string;
  readonly client: ApiClient;
  readonly capacity: Capacity;
  /** Kinds whose objects cannot be read, because the member's answers are wrong. */
  readonly faults = new AnswerFaults();
  /** Slower than this is not there; who waits for the answer to another request may wait longer. */
  readonly readyMilliseconds: number;
  readonly #transport: HttpsTransport;
  #connection: Connection;
  #served: Discovered = nothing;

  constructor(name: string, connection: Connection, options: MemberOptions = {}) {
    this.name = name;
    this.#connection = connection;
    this.readyMilliseconds = options.readyMilliseconds ?? 10_000;
    this.#transport = new HttpsTransport(connection, { bounds: memberBounds, ...options });
    this.client = new ApiClient({
      transport: options.between?.(this.#transport) ?? this.#transport,
      resources: () => this.#served,
      fieldManager: memberWriter,
      name,
      ...(options.metrics && { metrics: options.metrics }),
    });
    this.capacity = new Capacity(this.client, this.faults);
  }

  /** The kinds that the member served when it was last asked. */
  get served(): Discovered {
    return this.#served;
  }

  /**
   * Tells whether an address and credentials lead to the server of this member. Elsewhere may be another cluster, of
   * which nothing is known.
   */
  isReachedBy({ server, proxy }: Connection): boolean {
    return server === this.#connection.server && proxy?.url === this.#connection.proxy?.url;
  }

  /** Takes up new credentials without dropping what is under way. */
  rotate(connection: Connection): void {
    if (sameConnection(connection, this.#connection)) return;
    this.#connection = connection;
    this.#transport.rotate(connection);
  }

  /** Asks what the member serves; kinds that come later are found by the next probe. */
  async discover(): Promise<Discovered> {
    this.#served = await discover(this.client);
    return this.#served;
  }

  /** How is the member? Never throws: not answering is an answer. */
  async probe(): Promise<Probe> {
    try {
      return await probed(this);
    } catch (error) {
      return failed(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.capacity.close(), this.client.close()]);
  }
}

/** A member that answers, and wrongly, is reachable. The text of any other error is for developers, not for a condition. */
function failed(error: unknown): Probe {
  if (error instanceof Unreachable) {
    const answers = error.why === 'nonsense' || error.why === 'excessive';
    return { health: answers ? 'unhealthy' : 'unreachable', message: error.message };
  }
  const message = error instanceof ApiError ? error.message : 'its answers cannot be understood';
  return { health: 'unhealthy', message };
}

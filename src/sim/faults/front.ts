import { ApiError, internalError, tooManyRequests } from '../../api/index.ts';
import type { Hub, HubRequest, HubResponse, Sink } from '../../apiserver/index.ts';
import { administrator } from '../../auth/index.ts';
import type { Clock } from '../../observe/index.ts';
import { FaultsError, parseChange } from './faults.ts';
import type { FaultChange, Faults } from './faults.ts';

/** Where faults are read (GET), changed (PUT) and healed (DELETE), by the administrator alone. */
export const controlPath = '/sim/faults';

/** The options of the front. */
export interface FrontOptions {
  readonly clock: Clock;
  readonly random?: () => number;
  faults(): Faults;
  change(change: FaultChange): Promise<Faults>;
  reset(): Promise<Faults>;
}

type Answering = Pick<Hub, 'handle' | 'recognize'>;

/**
 * Stands between the listener and the API server and does to requests what the faults say.
 * Guarantees: the control path is never subject to faults; a request that was let through before a fault began is not
 * answered after it did.
 */
export class Front implements Answering {
  readonly #options: FrontOptions;
  readonly #silent = new Set<() => void>();
  readonly #watches = new Set<() => void>();
  #behind: Promise<Answering> = new Promise(() => {});
  #hub: Answering | undefined;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** Requests go to this API server from now on; those that came before it wait for it. */
  lead(hub: Promise<Answering>): void {
    this.#hub = undefined;
    this.#behind = hub;
    void hub.then(
      (ready) => (this.#hub = this.#behind === hub ? ready : this.#hub),
      () => {},
    );
  }

  recognize(request: HubRequest): HubRequest | undefined {
    // While there is no API server to ask, the body is read: it will be wanted.
    return request.path === controlPath || !this.#hub ? request : this.#hub.recognize(request);
  }

  async handle(request: HubRequest): Promise<HubResponse> {
    if (request.path === controlPath) return this.#control(request);
    await this.#suffer();
    const response = this.#mishap() ?? (await (this.#hub ?? (await this.#behind)).handle(request));
    if (this.#isMute()) await this.#silence();
    return response.stream ? { ...response, stream: { open: (sink) => this.#follow(response, sink) } } : response;
  }

  /** Ends every watch, as a server that restarts does. */
  cutWatches(): void {
    for (const cut of this.#watches) cut();
  }

  /** Ends the requests that were never answered. */
  release(): void {
    for (const leave of this.#silent) leave();
    this.#silent.clear();
  }

  #isMute(): boolean {
    const { down, partition } = this.#options.faults();
    return down || partition;
  }

  async #suffer(): Promise<void> {
    if (this.#isMute()) await this.#silence();
    const { latencyMilliseconds } = this.#options.faults();
    if (latencyMilliseconds === 0) return;
    await new Promise<void>((resolve) => void this.#options.clock.after(latencyMilliseconds, resolve));
    if (this.#isMute()) await this.#silence();
  }

  /** Never returns: throws at once when the member is down, and when a partition ends. */
  async #silence(): Promise<never> {
    if (!this.#options.faults().down) await new Promise<void>((resolve) => this.#silent.add(resolve));
    throw new Error('the connection is cut');
  }

  #mishap(): HubResponse | undefined {
    const { errorPercent, throttlePercent } = this.#options.faults();
    const dice = (this.#options.random ?? Math.random)() * 100;
    if (dice < errorPercent) return answerOf(internalError('a fault that was asked for'));
    return dice < errorPercent + throttlePercent
      ? answerOf(tooManyRequests('a fault that was asked for', 1))
      : undefined;
  }

  #follow(response: HubResponse, sink: Sink): () => void {
    const stop = response.stream?.open({
      ...sink,
      write: (chunk) => (this.#isMute() ? undefined : sink.write(chunk)),
      pending: () => sink.pending(),
      end: () => sink.end(),
    });
    const leave = (): void => {
      this.#watches.delete(cut);
      stop?.();
    };
    const cut = (): void => {
      leave();
      sink.end();
    };
    this.#watches.add(cut);
    return leave;
  }

  async #control(request: HubRequest): Promise<HubResponse> {
    const { peer } = request;
    const trusted =
      peer?.commonName === administrator.commonName &&
      administrator.organizations?.every((one) => peer.organizations.includes(one));
    if (!trusted) return json(403, { error: "only the administrator's certificate opens this path" });
    const options = this.#options;
    if (request.method === 'GET') return json(200, options.faults());
    if (request.method === 'DELETE') return json(200, await options.reset());
    if (request.method !== 'PUT') return json(405, { error: 'GET, PUT and DELETE are what this path knows' });
    try {
      return json(200, await options.change(parseChange(parsed(request.body))));
    } catch (error) {
      if (error instanceof FaultsError) return json(400, { error: error.message });
      throw error;
    }
  }
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    throw new FaultsError('the body is no JSON');
  }
}

function json(status: number, body: object): HubResponse {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: Buffer.from(`${JSON.stringify(body)}\n`) };
}

function answerOf({ status }: ApiError): HubResponse {
  const seconds = status.details?.retryAfterSeconds;
  const headers = { 'content-type': 'application/json', ...(seconds && { 'retry-after': String(seconds) }) };
  return { status: status.code ?? 500, headers, body: Buffer.from(JSON.stringify(status)) };
}

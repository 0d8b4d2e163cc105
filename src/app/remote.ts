import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../client/index.ts';
import type { Connection, Discovered, HttpsOptions } from '../client/index.ts';
import { pause, wallClock } from '../observe/index.ts';
import type { Clock, Logger, Metrics } from '../observe/index.ts';
import { SetupError } from './config.ts';

/** How a role reaches a hub that another program serves. */
export interface HubFile {
  readonly files: readonly string[];
  /** The current context when absent. */
  readonly context?: string;
}

/** The connection that a kubeconfig describes; one that cannot be used is an error of the setup. */
export async function hubConnection({ files, context }: HubFile): Promise<Connection> {
  try {
    return contextOf(await readKubeconfig(files), context).connection;
  } catch (error) {
    throw new SetupError(`--hub-kubeconfig: ${(error as Error).message}`, { cause: error });
  }
}

/** A client of the hub whose kinds can be read again. */
export interface RemoteHub {
  readonly client: ApiClient;
  /** Asks again what the hub serves. */
  refresh(): Promise<void>;
}

/** Makes a client of a hub; nothing is asked yet. */
export function remoteHub(connection: Connection, words: RemoteWords): RemoteHub {
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const { metrics, userAgent, limits = {} } = words;
  const transport = new HttpsTransport(connection, { userAgent, ...limits });
  const client = new ApiClient({
    transport,
    resources: () => served,
    fieldManager: userAgent,
    ...(metrics && { metrics }),
  });
  return {
    client,
    refresh: async () => {
      served = await discover(client);
    },
  };
}

/** How a client of a hub introduces itself, and how long it waits. */
export interface RemoteWords {
  readonly userAgent: string;
  readonly metrics?: Metrics;
  readonly limits?: Omit<HttpsOptions, 'userAgent'>;
}

const retryMilliseconds = 2_000;

/** Its timers keep the process alive: a role that waits for its hub has nothing else that would. */
const insistent: Clock = {
  ...wallClock,
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Resolves when the hub answers and serves all these kinds: a role may be started before the hub, and before the
 * definitions are installed. It says once what it waits for.
 */
export async function untilServed(
  hub: RemoteHub,
  kinds: readonly { readonly apiVersion: string; readonly kind: string }[],
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    const why = await whyNotServed(hub, kinds);
    if (why === undefined) return;
    if (why !== told) log.warn('waits for the hub', { why });
    told = why;
    await pause(insistent, retryMilliseconds, signal);
  }
}

async function whyNotServed(
  hub: RemoteHub,
  kinds: readonly { readonly apiVersion: string; readonly kind: string }[],
): Promise<string | undefined> {
  try {
    await hub.refresh();
  } catch (error) {
    return (error as Error).message;
  }
  const missing = kinds.filter(({ apiVersion, kind }) => !hub.client.resources.byKind(apiVersion, kind));
  if (missing.length === 0) return undefined;
  return `it does not serve ${missing.map(({ kind }) => kind).join(', ')}: run \`sluice install\``;
}

import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../../src/client/index.ts';
import type { Connection, Discovered } from '../../src/client/index.ts';
import { usageOf } from './usage.ts';
import type { Usage } from './usage.ts';

/** A control plane with its members, as a benchmark sees it. */
export interface System {
  readonly hub: ApiClient;
  /** Clients of the members, by the names that the hub knows them by. */
  readonly members: ReadonlyMap<string, ApiClient>;
  /** The processes whose cost is counted, by name; those of the control plane come first. */
  readonly processes: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** As many requests at a time as the load has clients. */
export const clients = 16;

/** A client for a server, which has been asked what it serves. */
export async function connected(connection: Connection): Promise<ApiClient> {
  const transport = new HttpsTransport(connection, { concurrency: clients, timeoutMilliseconds: 120_000 });
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'bench' });
  served = await discover(client);
  return client;
}

/** A system that runs already: a kubeconfig, the context of its hub, those of its members, and `name=pid` of what to count. */
export interface Given {
  readonly kubeconfig: string;
  readonly hub: string;
  readonly members: readonly string[];
  readonly processes: ReadonlyMap<string, number>;
}

/** The system that the environment describes; undefined when ours is to be started. */
export function givenSystem(environment: NodeJS.ProcessEnv): Given | undefined {
  const kubeconfig = environment['BENCH_KUBECONFIG'];
  if (kubeconfig === undefined) return undefined;
  const list = (name: string): readonly string[] => (environment[name] ?? '').split(',').filter((part) => part !== '');
  const processes = new Map(
    list('BENCH_PIDS').map((pair) => {
      const [name = '', pid = ''] = pair.split('=');
      return [name, Number(pid)];
    }),
  );
  return { kubeconfig, hub: environment['BENCH_HUB'] ?? '', members: list('BENCH_MEMBERS'), processes };
}

/** Connects to a system that runs already. The contexts of members are named as the hub names the members. */
export async function attach({ kubeconfig, hub, members, processes }: Given): Promise<System> {
  const config = await readKubeconfig([kubeconfig]);
  const open = (name?: string): Promise<ApiClient> => connected(contextOf(config, name || undefined).connection);
  const hubClient = await open(hub);
  const named = new Map<string, ApiClient>();
  for (const name of members) named.set(name, await open(name));
  return {
    hub: hubClient,
    members: named,
    processes,
    async close() {
      await Promise.all([hubClient, ...named.values()].map((client) => client.close()));
    },
  };
}

/** The resources that every process of a system has used so far. */
export function usages(system: System): ReadonlyMap<string, Usage> {
  const found = new Map<string, Usage>();
  for (const [name, pid] of system.processes) {
    const usage = usageOf(pid);
    if (usage) found.set(name, usage);
  }
  return found;
}

/** The name of everything that is not a member's process. */
export function isControlPlane(name: string): boolean {
  return !name.startsWith('member');
}

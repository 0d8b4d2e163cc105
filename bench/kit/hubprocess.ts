import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request to the hub's process. */
export type Question =
  | { readonly do: 'usage' }
  | { readonly do: 'collect' }
  | { readonly do: 'close' }
  | { readonly do: 'fill'; readonly like: string; readonly count: number };

/**
 * The use of resources by the hub's process: microseconds of CPU since its start, bytes, and handles that keep it
 * running.
 */
export interface Answer {
  readonly cpu: number;
  readonly mainCpu: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly resources: number;
}

/** Where the hub listens and how its administrator gets in. */
export interface Endpoint {
  readonly url: string;
  readonly ca: string;
  readonly user: { readonly certificate: string; readonly key: string };
  /** Milliseconds that opening took, without the start of Node. */
  readonly opened: number;
}

/** A hub in a process of its own. */
export interface HubProcess extends Endpoint {
  /** Milliseconds from the start of the process to its first answer. */
  readonly started: number;
  ask(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts a hub on a data directory; `flags` are for Node. */
export async function startHub(dataDir: string, flags: readonly string[] = []): Promise<HubProcess> {
  const module = fileURLToPath(new URL('hubserver.ts', import.meta.url));
  const before = performance.now();
  const child = fork(module, [dataDir], { execArgv: ['--expose-gc', ...flags] });
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the hub ended with ${String(code)}`);
  });
  died.catch(() => {});
  const message = async <T>(): Promise<T> => {
    const [answer] = (await Promise.race([once(child, 'message'), died])) as [T];
    return answer;
  };
  const endpoint = await message<Endpoint>();
  const started = performance.now() - before;
  const ask = (question: Question): Promise<Answer> => {
    const answer = message<Answer>();
    child.send(question);
    return answer;
  };
  return {
    ...endpoint,
    started,
    ask,
    async close() {
      const exit = once(child, 'exit');
      await ask({ do: 'close' });
      await exit;
    },
  };
}

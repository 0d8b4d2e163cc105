import { parentPort, workerData } from 'node:worker_threads';
import { contextOf, readKubeconfig } from '../../client/index.ts';
import { lineOf } from '../../cli/index.ts';
import { ensureBuilt } from './assets.ts';
import { openDashboard } from './serve.ts';

/** The data with which the thread starts; `src/cli/dashboard.ts` writes it. */
interface ThreadData {
  readonly listen: { readonly host: string; readonly port: number };
  readonly kubeconfig: readonly string[];
  readonly context?: string;
}

const port = parentPort;
const { listen, kubeconfig, context } = workerData as ThreadData;

const say = (message: object): void => port?.postMessage(message);

try {
  const config = await readKubeconfig(kubeconfig);
  const { connection, namespace } = contextOf(config, context);
  const { token, certificate } = connection;
  const own = { ...(token !== undefined && { token }), ...(certificate && { certificate }) };
  const dashboard = await openDashboard({
    listen,
    place: { connection, namespace, config },
    own,
    onFault: (error) => say({ say: 'fault', message: lineOf(error) }),
  });
  port?.on('message', () => void dashboard.close().then(() => port.close()));
  say({ say: 'ready', url: dashboard.url, link: dashboard.newLink() });
  const trouble = await ensureBuilt((line) => say({ say: 'note', message: line }));
  if (trouble) say({ say: 'note', message: trouble });
} catch (error) {
  say({ say: 'failed', message: lineOf(error), code: (error as NodeJS.ErrnoException).code ?? '' });
  port?.close();
}

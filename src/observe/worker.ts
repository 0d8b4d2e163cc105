import { getAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread that runs a module. The sources run as they are; compiled, a module has the same ending as this one; in the
 * single executable file there are no modules, and the text of each thread is an asset under the name of its file.
 */
export function startWorker(module: URL, options: WorkerOptions): Worker {
  // The program's own flags are no business of the thread, and some forbid one.
  const own = { ...options, execArgv: [] };
  if (isSea()) return new Worker(getAsset(nameOf(module), 'utf8'), { ...own, eval: true });
  const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  return new Worker(new URL(module.href.replace(/\.ts$/, ending)), own);
}

const nameOf = ({ pathname }: URL): string => pathname.slice(pathname.lastIndexOf('/') + 1);

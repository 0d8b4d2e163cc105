/*
 * Where the thread of the dashboard begins. The cache of compiled modules must be on before the modules are loaded, so
 * everything else is behind an import that happens later.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

const { compileCache } = workerData as { readonly compileCache: string | undefined };
if (compileCache) enableCompileCache(compileCache);
await import('./thread.ts');
if (compileCache) flushCompileCache();

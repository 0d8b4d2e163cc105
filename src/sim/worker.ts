/*
 * Where the thread of a simulated member begins. The cache of compiled modules must be on before the modules are
 * loaded, so everything else is behind an import that happens later.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';
import type { WorkerData } from './messages.ts';

const { compileCache, options } = workerData as WorkerData;
if (compileCache) enableCompileCache(compileCache);
const { serveMember } = await import('./thread.ts');
await serveMember(options);
if (compileCache) flushCompileCache();

/**
 * Loaded into the hub under test (`--import`), on its main thread and on those of its members: collects garbage on every thread
 * when the parent process asks, then answers with the memory that is in use.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** The request of the parent; with a file the heap of the main thread is written there. */
export interface MemoryQuestion {
  readonly measure: true;
  readonly snapshot?: string;
}

const threads = new BroadcastChannel('collect garbage');
threads.unref();

if (isMainThread) {
  process.on('message', ({ measure, snapshot }: MemoryQuestion) => {
    if (measure) void answer(snapshot);
  });
  // It must not keep the hub alive.
  process.channel?.unref();
} else threads.addEventListener('message', () => globalThis.gc?.());

async function answer(snapshot: string | undefined): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has none
  threads.postMessage('now');
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await pause(200);
  }
  const usage = process.memoryUsage();
  // Takes memory itself.
  if (snapshot) writeHeapSnapshot(snapshot);
  process.send?.(usage);
}

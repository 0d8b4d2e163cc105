/** A run on a hub in this process: fast, deterministic, and failures are made small. */
import { cp } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { campaign, grouped, wordsOf } from './campaign.ts';
import type { Failure, Tally } from './campaign.ts';
import { shrunk } from './shrink.ts';
import { cleanUp, inventory, openWorld } from './world.ts';
import type { World } from './world.ts';

/** The result of a run, in words and in numbers. */
export interface Result {
  readonly good: boolean;
  readonly words: string;
  readonly figures: Figures;
}

/** The numbers of a run. */
export interface Figures {
  readonly seed: number;
  readonly sent: number;
  readonly seconds: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly accepted: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
  readonly left: readonly string[];
  readonly slowestMilliseconds: number;
  readonly rssStart: number;
  readonly rssEnd: number;
  readonly heapStart: number;
  readonly heapEnd: number;
}

interface Words {
  readonly seed: number;
  readonly from: number;
  readonly requests: number;
  /** The folder of the store; in memory without. */
  readonly folder?: string | undefined;
}

/** Sends the requests, cleans up, and measures. */
export async function runHere({ seed, from, requests, folder = ':memory:' }: Words): Promise<Result> {
  let world = await openWorld(folder);
  const before = await inventory(world.send);
  await campaign(world.send, { seed: seed + 1, from: 0, goesOn: (sent) => sent < requests / 20, concurrency: 8 });
  await cleanUp(world.send, before);
  const start = await settledMemory(world.store);
  const began = performance.now();
  const tally = await campaign(world.send, {
    seed,
    from,
    goesOn: (sent) => sent < requests,
    concurrency: 8,
    onProgress: (sent) => process.send?.({ sent }),
  });
  const seconds = (performance.now() - began) / 1000;
  if (folder !== ':memory:') world = await reopened(world, folder);
  const left = await cleanUp(world.send, before);
  const end = await settledMemory(world.store);
  const failures = await explain(tally.failures);
  await world.close();
  const figures = figuresOf({ seed, seconds, tally, failures, left });
  const memory = { rssStart: start.rss, rssEnd: end.rss, heapStart: start.heapUsed, heapEnd: end.heapUsed };
  const good = failures.length === 0 && left.length === 0;
  return { good, words: describe({ ...figures, ...memory }), figures: { ...figures, ...memory } };
}

/** Opens the store again; a copy of what the run left stands beside it, to see whether a whole system starts on it. */
async function reopened(world: World, folder: string): Promise<World> {
  await world.close();
  await cp(folder, `${folder}-as-left`, { recursive: true });
  return openWorld(folder);
}

/** The numbers that every run has. */
export function figuresOf(parts: {
  readonly seed: number;
  readonly seconds: number;
  readonly tally: Tally;
  readonly failures: readonly string[];
  readonly left: readonly string[];
}): Omit<Figures, 'rssStart' | 'rssEnd' | 'heapStart' | 'heapEnd'> {
  const { tally, ...rest } = parts;
  return {
    ...rest,
    sent: tally.sent,
    byStatus: tally.byStatus,
    accepted: Object.fromEntries(tally.accepted),
    slowestMilliseconds: tally.slowest.milliseconds,
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

/** A page for a person. */
export function describe(figures: Figures): string {
  const { sent, seconds, byStatus, slowestMilliseconds, failures, left } = figures;
  return [
    `${sent} requests in ${seconds.toFixed(0)} s, seed ${figures.seed}`,
    `answers: ${Object.entries(byStatus)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
    `slowest answer: ${slowestMilliseconds.toFixed(0)} ms`,
    `RSS ${megabytes(figures.rssStart)} at the start, ${megabytes(figures.rssEnd)} at the end`,
    ...(figures.heapStart > 0
      ? [`heap ${megabytes(figures.heapStart)} at the start, ${megabytes(figures.heapEnd)} at the end`]
      : []),
    ...(left.length > 0 ? [`could not be deleted: ${left.slice(0, 10).join(', ')}`] : []),
    `failures: ${failures.length}`,
    ...failures,
  ].join('\n');
}

interface Compacting {
  readonly revision: number;
  compact(revision: number): Promise<void>;
}

/** The memory in use once the history of the store and all garbage are gone. */
async function settledMemory(store: Compacting): Promise<NodeJS.MemoryUsage> {
  await store.compact(store.revision);
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await turn();
  }
  return process.memoryUsage();
}

/** One text per cause, with the smallest request that shows it. */
async function explain(failures: readonly Failure[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { count, least } of grouped(failures))
    texts.push(`${count} × ${least.why}\n${await smallestWords(least)}`);
  return texts;
}

async function smallestWords(failure: Failure): Promise<string> {
  const small = await shrunk(failure, () => openWorld(':memory:'));
  if (small) return `on a fresh hub, smallest: ${wordsOf(small)}`;
  return `a fresh hub does not fail: ${wordsOf(failure.request)}\n  stored: ${failure.stored?.slice(0, 2000) ?? '?'}`;
}

/**
 * A process that writes to a store until it is killed: `node store-load.ts <data directory> <file of acknowledgements> <run>`.
 * Each write carries an id that no other write has; each acknowledged one is noted at once in the file, which outlives the process.
 */
import { openSync, writeSync } from 'node:fs';
import { openStore } from '../../src/store/index.ts';
import type { Entry, StoreWrite } from '../../src/store/index.ts';

const [, , dataDir = '', acknowledgements = '', run = ''] = process.argv;
const lanes = 32;
const keys = 400;

const store = await openStore({ dataDir, retention: { age: 3_600_000, bytes: 1 << 30, changes: 1_000_000 } });
const notes = openSync(acknowledgements, 'a');
const start = store.revision;
let shown = start;
let count = 0;

store.watch('', start, {
  onEvents: (events) => {
    for (const { entry } of events) if (entry.revision !== ++shown) process.exit(3);
  },
  onEnd: () => process.exit(4),
});

function randomWrite(): { readonly id: string; readonly write: StoreWrite } {
  const id = `${run}.${count++}`;
  const key = `/load/${Math.floor(Math.random() * keys)}`;
  const current = store.get(key);
  const dice = Math.random();
  const text = 'x'.repeat(Math.floor(12_000 * Math.random() ** 3));
  const value = (revision: number): object => ({ id, revision, text });
  // Half of the writes bear a precondition; under 32 lanes some of them lose.
  const precondition = dice < 0.5 ? { revision: current?.revision ?? 0 } : {};
  if (current && dice > 0.4 && dice < 0.6) return { id, write: { verb: 'delete', key, value, ...precondition } };
  return { id, write: { verb: 'put', key, value, ...precondition } };
}

async function attempt(write: StoreWrite): Promise<Entry | undefined> {
  try {
    return await store.write(write);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'conflict') return undefined;
    throw error;
  }
}

async function lane(): Promise<never> {
  for (;;) {
    const { id, write } = randomWrite();
    const entry = await attempt(write);
    if (entry) writeSync(notes, `${entry.revision} ${id} ${write.verb} ${write.key}\n`);
  }
}

/**
 * Revisions that the checker has seen before this run may be compacted, so that kills hit compaction and vacuum as
 * well.
 */
async function compactNow(): Promise<never> {
  for (let revision = Math.max(store.compacted, start - 4000); ; revision += 500) {
    await store.compact(Math.min(revision, start));
    await new Promise(setImmediate);
  }
}

process.stdout.write('open\n');
await Promise.all([compactNow(), ...Array.from({ length: lanes }, lane)]);

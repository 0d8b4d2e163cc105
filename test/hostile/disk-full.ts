/**
 * Fills a small file system under a store, empties it again, and prints what the store says. It runs in a mount namespace of
 * its own: `unshare -rm node disk-full.ts FOLDER`.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../src/store/index.ts';

const [, , folder = ''] = process.argv;
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
const filler = path.join(folder, 'filler');
const store = await openStore({ dataDir: path.join(folder, 'data'), probeEvery: 100 });
const put = (key: string, length: number): Promise<unknown> =>
  store.write({ verb: 'put', key, value: { text: 'x'.repeat(length) } });

// A write-ahead log that is longer than the space that is left: it cannot go back into the database.
for (let i = 0; i < 66; i++) await put(`/a/${i}`, 200_000);
const descriptor = openSync(filler, 'w');
const chunk = Buffer.alloc(1 << 16);
try {
  for (;;) writeSync(descriptor, chunk);
} catch {
  closeSync(descriptor);
}
await put('/b', 200_000).catch((error: Error) => process.stdout.write(`refused: ${error.message}\n`));
rmSync(filler);
for (let tries = 0; store.readonlyBecause !== undefined && tries < 100; tries++) await pause(100);
process.stdout.write(`then: ${store.readonlyBecause ?? 'writable'}\n`);
await put('/c', 100);
await store.close();
const again = await openStore({ dataDir: path.join(folder, 'data') });
process.stdout.write(`kept: ${again.count('')}\n`);
await again.close();

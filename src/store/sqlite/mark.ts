import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../contract.ts';
import { persist } from './files.ts';

const form = /^sluice store, acknowledged up to revision (\d{16})\n$/;

function textOf(revision: number): string {
  return `sluice store, acknowledged up to revision ${String(revision).padStart(16, '0')}\n`;
}

/**
 * How far writes were acknowledged, in a file beside the database: written after each commit and never flushed by force,
 * so it costs no time and is at most behind. When it is ahead of the database, acknowledged writes are missing there:
 * the only way to notice a write-ahead log that was cut short or removed, which SQLite takes for the normal end.
 */
export class Mark {
  readonly #descriptor: number;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r+');
  }

  write(revision: number): void {
    writeSync(this.#descriptor, textOf(revision), 0);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Makes the mark of a new or restored store, or sets it anew. */
export function createMark(file: string, revision: number): void {
  // All at once: whoever dies meanwhile leaves none, and not an empty one, which would pass for damaged.
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, textOf(revision), { mode: 0o600 });
  persist(unfinished);
  renameSync(unfinished, file);
  persist(dirname(file));
}

/** The acknowledged revision that the mark tells. */
export function readMark(file: string): number {
  const revision = form.exec(readFileSync(file, 'utf8'))?.[1];
  if (revision === undefined) {
    throw new StoreError(
      'corrupt',
      `${file} is damaged: it does not say up to which revision writes were acknowledged`,
    );
  }
  return Number(revision);
}

import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** Makes the mark of a new or restored store, or replaces it. */
export function createMark(file: string, revision: number): void {
  // Writes the mark in one step: a crash leaves no mark instead of an empty one, which would count as damaged.
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, textOf(revision), { mode: 0o600 });
  persist(unfinished);
  renameSync(unfinished, file);
  persist(dirname(file));
}

/**
 * The acknowledged revision in the mark; undefined when the mark is missing or cannot be read. It is written without a
 * flush, so a machine that goes down may leave it empty or garbled: that is not a sign of lost writes.
 */
export function readMark(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const revision = form.exec(readFileSync(file, 'utf8'))?.[1];
  return revision === undefined ? undefined : Number(revision);
}

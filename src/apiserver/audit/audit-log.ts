import { open, readdir, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** Where audit events go. */
export interface AuditLog {
  record(event: object): void;
  /** Resolves when everything recorded before is in the file. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

/** How an audit log is kept. */
export interface AuditLogOptions {
  readonly file: string;
  /** A file that has grown to this is put aside and a new one begun. */
  readonly maxBytes?: number;
  /** How many files that were put aside are kept; the oldest go first. */
  readonly keep?: number;
  readonly now?: () => Date;
  /** Called when events are lost: the disk is full, or too slow. */
  readonly onError?: (error: unknown) => void;
}

const defaultBytes = 100 * 1024 * 1024;
const defaultKeep = 10;
/** Bytes that wait for the disk at most; past it events are dropped instead of filling the memory. */
const mostWaiting = 16 * 1024 * 1024;

/** Opens an audit log: one JSON object a line, appended, readable by its owner alone. Fails when the file cannot be written. */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const handle = await open(options.file, 'a', 0o600);
  return new RotatingLog(options, handle, (await handle.stat()).size);
}

class RotatingLog implements AuditLog {
  readonly #options: AuditLogOptions;
  #handle: FileHandle;
  #size: number;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #lost = 0;
  #busy: Promise<void> | undefined;
  #closed = false;

  constructor(options: AuditLogOptions, handle: FileHandle, size: number) {
    this.#options = options;
    this.#handle = handle;
    this.#size = size;
  }

  record(event: object): void {
    if (this.#closed) return this.#lose(1, 'the log is closed');
    if (this.#waitingBytes > mostWaiting) return this.#lose(1, 'the disk cannot keep up');
    const line = `${JSON.stringify(event)}\n`;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#busy ??= this.#work();
  }

  async flushed(): Promise<void> {
    while (this.#busy) await this.#busy;
  }

  async close(): Promise<void> {
    await this.flushed();
    if (this.#closed) return;
    this.#closed = true;
    await this.#handle.close();
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeWaiting();
    this.#busy = undefined;
  }

  async #writeWaiting(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      const bytes = Buffer.from(lines.join(''));
      if (this.#size > 0 && this.#size + bytes.length > (this.#options.maxBytes ?? defaultBytes)) await this.#rotate();
      await this.#handle.appendFile(bytes);
      this.#size += bytes.length;
    } catch (error) {
      this.#lose(lines.length, error);
    }
  }

  async #rotate(): Promise<void> {
    const { file, now = () => new Date() } = this.#options;
    await this.#handle.close();
    try {
      await rename(file, asideName(file, now()));
    } finally {
      this.#handle = await open(file, 'a', 0o600);
      this.#size = (await this.#handle.stat()).size;
    }
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const { file, keep = defaultKeep } = this.#options;
    const folder = path.dirname(file);
    const { name, ext } = path.parse(file);
    const aside = (await readdir(folder)).filter((other) => isAside(other, name, ext)).sort();
    for (const old of aside.slice(0, Math.max(0, aside.length - keep)))
      await rm(path.join(folder, old), { force: true });
  }

  #lose(count: number, why: unknown): void {
    this.#lost += count;
    this.#options.onError?.(new Error(`${this.#lost} audit events are lost`, { cause: why }));
  }
}

/** `audit.log` is put aside as `audit-2026-11-15T22-18-00.000Z.log`, so that names sort by age. */
function asideName(file: string, at: Date): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${at.toISOString().replaceAll(':', '-')}${ext}`);
}

const isAside = (other: string, name: string, ext: string): boolean =>
  other.startsWith(`${name}-`) &&
  other.endsWith(ext) &&
  /^\d{4}-\d\d-\d\dT[-\d.]+Z$/.test(other.slice(name.length + 1, other.length - ext.length));

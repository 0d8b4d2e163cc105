import type { Io } from '../io.ts';
import { cut } from './table.ts';

type Terminal = Pick<Io, 'err' | 'progress' | 'columns'>;

const width = 24;

/** A line on a terminal that says how far something has come, and leaves no trace; elsewhere nothing. */
export class Progress {
  readonly #io: Terminal;
  #shown = false;

  constructor(io: Terminal) {
    this.#io = io;
  }

  /** Shows that `done` of `total` is done, and what is waited for. */
  show(done: number, total: number, what: string): void {
    if (!this.#io.progress) return;
    const full = total === 0 ? width : Math.floor((done / total) * width);
    const line = `${'█'.repeat(full)}${'░'.repeat(width - full)} ${done} of ${total}  ${what}`;
    this.#io.err(`\r\u001B[K${cut(line, (this.#io.columns ?? 80) - 1)}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#io.err('\r\u001B[K');
    this.#shown = false;
  }
}

/** Where an item is, or would be, in an Ordered. */
export interface Position {
  readonly chunk: number;
  readonly offset: number;
}

const fill = 512;

/**
 * Items in key order, in short sorted runs: an insertion moves at most one run, a range is copied run by run,
 * and counting a range adds run lengths. No run is ever empty.
 */
export class Ordered<T extends { readonly key: string }> {
  #chunks: T[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Replaces the content; the items must be sorted by key and distinct. */
  fill(sorted: readonly T[]): void {
    this.#chunks = [];
    this.#size = sorted.length;
    for (let i = 0; i < sorted.length; i += fill) this.#chunks.push(sorted.slice(i, i + fill));
  }

  /** Adds an item whose key is not there yet. */
  insert(item: T): void {
    this.#size++;
    const { chunk, offset } = this.seek(item.key);
    const run = this.#chunks[chunk] ?? this.#chunks.at(-1);
    if (!run) {
      this.#chunks.push([item]);
      return;
    }
    const last = chunk === this.#chunks.length;
    run.splice(last ? run.length : offset, 0, item);
    if (run.length > 2 * fill) this.#chunks.splice((last ? chunk - 1 : chunk) + 1, 0, run.splice(fill));
  }

  /** Takes the item with this key out, if there is one. */
  remove(key: string): void {
    const { chunk, offset } = this.seek(key);
    const run = this.#chunks[chunk];
    if (run?.[offset]?.key !== key) return;
    this.#size--;
    run.splice(offset, 1);
    if (run.length === 0) this.#chunks.splice(chunk, 1);
  }

  /** The first item at or after a key. */
  seek(key: string): Position {
    return this.#first((at) => at >= key);
  }

  /** The first item after a key. */
  seekAfter(key: string): Position {
    return this.#first((at) => at > key);
  }

  /** Just past the last item with this prefix. */
  seekEnd(prefix: string): Position {
    const end = successor(prefix);
    return end === undefined ? { chunk: this.#chunks.length, offset: 0 } : this.seek(end);
  }

  /** How many items lie from one position up to another. */
  distance(from: Position, to: Position): number {
    let count = to.offset - from.offset;
    for (let i = from.chunk; i < to.chunk; i++) count += this.#chunks[i]?.length ?? 0;
    return count;
  }

  /** Visits the items from a position on until the visitor answers false. */
  walk(from: Position, visit: (item: T) => boolean): void {
    let start = from.offset;
    for (let i = from.chunk; i < this.#chunks.length; i++) {
      const run = this.#chunks[i] ?? [];
      for (let j = start; j < run.length; j++) if (!visit(run[j] as T)) return;
      start = 0;
    }
  }

  /** `reached` must be false for a lower part of the order and true for the rest. */
  #first(reached: (key: string) => boolean): Position {
    const chunk = bisect(this.#chunks, (run) => reached(run.at(-1)?.key ?? ''));
    const run = this.#chunks[chunk];
    return { chunk, offset: run ? bisect(run, (item) => reached(item.key)) : 0 };
  }
}

function bisect<T>(items: readonly T[], reached: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reached(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The smallest string greater than every string with this prefix; undefined when there is none. */
function successor(prefix: string): string | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const code = prefix.charCodeAt(i);
    if (code < 0xffff) return prefix.slice(0, i) + String.fromCharCode(code + 1);
  }
  return undefined;
}

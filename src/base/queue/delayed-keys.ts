/** Keys with a due time, earliest first. A key has one time: the earliest one that was given for it. */
export class DelayedKeys {
  readonly #times = new Map<string, number>();
  /** A binary heap. Entries whose time is no longer the time of their key are skipped. */
  readonly #heap: { readonly at: number; readonly key: string }[] = [];

  get size(): number {
    return this.#times.size;
  }

  /** Adds a key; false when it is there already, due at that time or before. */
  add(key: string, at: number): boolean {
    const known = this.#times.get(key);
    if (known !== undefined && known <= at) return false;
    this.#times.set(key, at);
    this.#push({ at, key });
    return true;
  }

  delete(key: string): void {
    this.#times.delete(key);
  }

  clear(): void {
    this.#times.clear();
    this.#heap.length = 0;
  }

  /** The earliest due time. */
  get first(): number | undefined {
    this.#dropStale();
    return this.#heap[0]?.at;
  }

  /** Removes and returns a key that is due. */
  take(now: number): string | undefined {
    this.#dropStale();
    const first = this.#heap[0];
    if (!first || first.at > now) return undefined;
    this.#pop();
    this.#times.delete(first.key);
    return first.key;
  }

  #dropStale(): void {
    for (let first = this.#heap[0]; first && this.#times.get(first.key) !== first.at; first = this.#heap[0])
      this.#pop();
  }

  #push(entry: { readonly at: number; readonly key: string }): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || above.at <= entry.at) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const child = smallerChild(heap, at);
      const below = heap[child];
      if (!below || below.at >= last.at) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

function smallerChild(heap: readonly { readonly at: number }[], at: number): number {
  const left = 2 * at + 1;
  const right = heap[left + 1];
  return right && right.at < (heap[left]?.at ?? Infinity) ? left + 1 : left;
}

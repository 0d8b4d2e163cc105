/** Many values under a key. A single value costs no set: most keys of an index have just one. */
export class Multimap<V> {
  readonly #entries = new Map<string, V | Set<V>>();

  add(key: string, value: V): void {
    const present = this.#entries.get(key);
    if (present === undefined) this.#entries.set(key, value);
    else if (present instanceof Set) present.add(value);
    else if (present !== value) this.#entries.set(key, new Set([present, value]));
  }

  delete(key: string, value: V): void {
    const present = this.#entries.get(key);
    if (present instanceof Set) {
      present.delete(value);
      if (present.size === 0) this.#entries.delete(key);
    } else if (present === value) this.#entries.delete(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Visits the values in the order in which they came. */
  each(key: string, visit: (value: V) => void): void {
    const present = this.#entries.get(key);
    if (present === undefined) return;
    if (present instanceof Set) for (const value of present) visit(value);
    else visit(present);
  }

  /** A copy that can change on its own. */
  copy(): Multimap<V> {
    const copy = new Multimap<V>();
    for (const [key, present] of this.#entries)
      copy.#entries.set(key, present instanceof Set ? new Set(present) : present);
    return copy;
  }
}

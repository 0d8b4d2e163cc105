type Entries<V> = Map<string, V | Set<V>>;

const none: ReadonlySet<never> = new Set();

/**
 * Many values under a key. A single value costs no set: most keys of an index have just one. Keys are kept in drawers by
 * their first letters, so that a lookup in a small family of keys does not pay for a large one beside it.
 */
export class Multimap<V> {
  readonly #drawers = new Map<number, Entries<V>>();

  add(key: string, value: V): void {
    const drawer = drawerOf(key);
    let entries = this.#drawers.get(drawer);
    if (!entries) this.#drawers.set(drawer, (entries = new Map()));
    const present = entries.get(key);
    if (present === undefined) entries.set(key, value);
    else if (present instanceof Set) present.add(value);
    else if (present !== value) entries.set(key, new Set([present, value]));
  }

  delete(key: string, value: V): void {
    const entries = this.#drawers.get(drawerOf(key));
    const present = entries?.get(key);
    if (present instanceof Set) {
      present.delete(value);
      if (present.size === 0) entries?.delete(key);
    } else if (present === value) entries?.delete(key);
  }

  has(key: string): boolean {
    return this.#drawers.get(drawerOf(key))?.has(key) === true;
  }

  /** Visits the values in the order in which they came. */
  each(key: string, visit: (value: V) => void): void {
    const present = this.#drawers.get(drawerOf(key))?.get(key);
    if (present === undefined) return;
    if (present instanceof Set) for (const value of present) visit(value);
    else visit(present);
  }

  /** The values of a key, in the order in which they came. The set must not be kept: it may follow changes. */
  of(key: string): ReadonlySet<V> {
    const present = this.#drawers.get(drawerOf(key))?.get(key);
    if (present instanceof Set) return present;
    return present === undefined ? none : new Set([present]);
  }

  /** All keys. */
  *keys(): Iterable<string> {
    for (const entries of this.#drawers.values()) yield* entries.keys();
  }

  /** The keys that begin with a prefix of at least two letters. */
  *keysWith(prefix: string): Iterable<string> {
    for (const key of this.#drawers.get(drawerOf(prefix))?.keys() ?? []) if (key.startsWith(prefix)) yield key;
  }

  clear(): void {
    this.#drawers.clear();
  }

  /** A copy that can change on its own. */
  copy(): Multimap<V> {
    const copy = new Multimap<V>();
    for (const [drawer, entries] of this.#drawers) {
      const copied: Entries<V> = new Map();
      for (const [key, present] of entries) copied.set(key, present instanceof Set ? new Set(present) : present);
      copy.#drawers.set(drawer, copied);
    }
    return copy;
  }
}

function drawerOf(key: string): number {
  return key.length < 2 ? 0 : key.charCodeAt(0) * 65_536 + key.charCodeAt(1);
}

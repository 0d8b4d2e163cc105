/** Keys of the store by the group they belong to. An empty group takes no memory. */
export class Groups {
  readonly #groups = new Map<string, Set<string>>();

  add(group: string, key: string): void {
    const keys = this.#groups.get(group);
    if (keys) keys.add(key);
    else this.#groups.set(group, new Set([key]));
  }

  delete(group: string, key: string): void {
    const keys = this.#groups.get(group);
    keys?.delete(key);
    if (keys?.size === 0) this.#groups.delete(group);
  }

  /** The keys of a group, in the order in which they came. */
  of(group: string): ReadonlySet<string> {
    return this.#groups.get(group) ?? none;
  }

  /** The names of the groups that have keys. */
  names(): Iterable<string> {
    return this.#groups.keys();
  }

  clear(): void {
    this.#groups.clear();
  }
}

const none: ReadonlySet<string> = new Set();

import { Multimap } from '../base/index.ts';

/** Namespaces by kind and prefix: `namespaces(kind, 'team-')` without a walk over all of them. */
export class NamespaceIndex {
  readonly #counts = new Map<string, number>();
  readonly #prefixes = new Multimap<string>();

  /** An object of the kind stands in the namespace. */
  add(kind: string, namespace: string): void {
    const key = `${kind}|${namespace}`;
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    if (count > 0) return;
    for (let length = 0; length <= namespace.length; length++) {
      this.#prefixes.add(`${kind}|${namespace.slice(0, length)}`, namespace);
    }
  }

  /** One of them has gone. */
  delete(kind: string, namespace: string): void {
    const key = `${kind}|${namespace}`;
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) return void this.#counts.set(key, count);
    this.#counts.delete(key);
    for (let length = 0; length <= namespace.length; length++) {
      this.#prefixes.delete(`${kind}|${namespace.slice(0, length)}`, namespace);
    }
  }

  each(kind: string, prefix: string, visit: (namespace: string) => void): void {
    this.#prefixes.each(`${kind}|${prefix}`, visit);
  }
}

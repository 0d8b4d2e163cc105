import { Multimap } from '../base/index.ts';
import { isOwnApi } from './crds/all.ts';
import type { KubeObject } from './meta.ts';

/** The keys under which a view finds an object. They depend on kind, labels, annotations and spec alone. */
export type IndexKeysOf = (object: KubeObject) => readonly string[];

/**
 * The index of a view: objects by index key, and the namespaces of a kind by prefix, both without a walk over all objects.
 * Guarantees: `each` and `has` answer as if `indexKeysOf` were asked of every object again. Cost: an edit that leaves
 * labels, annotations and spec alone, as most status writes do, compares three references.
 */
export class ObjectIndex {
  readonly #indexKeysOf: IndexKeysOf;
  readonly #keys: Multimap<string>;
  /** `kind|namespace` → number of objects. */
  readonly #counts: Map<string, number>;
  /** `kind|prefix` → namespaces. */
  readonly #prefixes: Multimap<string>;

  /** An empty index, or a copy of another one that can change on its own. */
  constructor(indexKeysOf: IndexKeysOf, source?: ObjectIndex) {
    this.#indexKeysOf = indexKeysOf;
    this.#keys = source ? source.#keys.copy() : new Multimap();
    this.#counts = new Map(source ? source.#counts : undefined);
    this.#prefixes = source ? source.#prefixes.copy() : new Multimap();
  }

  /** Records a change of an object. An absent state means that the object did not exist, or does not any more. */
  update(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (before && after) return this.#move(key, before, after);
    if (after) this.#enter(key, after);
    if (before) this.#leave(key, before);
  }

  has(indexKey: string): boolean {
    return this.#keys.has(indexKey);
  }

  /** Visits the keys of the objects under an index key. */
  each(indexKey: string, visit: (key: string) => void): void {
    this.#keys.each(indexKey, visit);
  }

  /** The index keys that begin with a prefix of at least two letters. */
  indexKeys(prefix: string): Iterable<string> {
    return this.#keys.keysWith(prefix);
  }

  /** Visits the namespaces, beginning with a prefix, that have objects of a kind (`apiVersion|kind`). */
  namespaces(kind: string, prefix: string, visit: (namespace: string) => void): void {
    this.#prefixes.each(`${kind}|${prefix}`, visit);
  }

  #enter(key: string, object: KubeObject): void {
    for (const indexKey of this.#indexKeysOf(object)) this.#keys.add(indexKey, key);
    this.#count(object, 1);
  }

  #leave(key: string, object: KubeObject): void {
    for (const indexKey of this.#indexKeysOf(object)) this.#keys.delete(indexKey, key);
    this.#count(object, -1);
  }

  #move(key: string, before: KubeObject, after: KubeObject): void {
    if (hasSameIndexKeys(before, after)) return;
    const old = this.#indexKeysOf(before);
    const indexKeys = this.#indexKeysOf(after);
    if (areSame(old, indexKeys)) return;
    for (const indexKey of old) this.#keys.delete(indexKey, key);
    for (const indexKey of indexKeys) this.#keys.add(indexKey, key);
  }

  /** Policies select no objects of our own API, so nobody asks for the namespaces of these. */
  #count({ apiVersion, kind, metadata: { namespace } }: KubeObject, difference: 1 | -1): void {
    if (!namespace || isOwnApi(apiVersion)) return;
    const spelled = `${apiVersion}|${kind}|${namespace}`;
    const count = (this.#counts.get(spelled) ?? 0) + difference;
    if (count > 0) this.#counts.set(spelled, count);
    else this.#counts.delete(spelled);
    if (count !== (difference > 0 ? 1 : 0)) return;
    for (let length = 0; length <= namespace.length; length++) {
      const prefix = `${apiVersion}|${kind}|${namespace.slice(0, length)}`;
      if (difference > 0) this.#prefixes.add(prefix, namespace);
      else this.#prefixes.delete(prefix, namespace);
    }
  }
}

/** Parts that two states share need no comparison. */
function hasSameIndexKeys(a: KubeObject, b: KubeObject): boolean {
  return (
    a.metadata.labels === b.metadata.labels &&
    a.metadata.annotations === b.metadata.annotations &&
    (a as { spec?: unknown }).spec === (b as { spec?: unknown }).spec
  );
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

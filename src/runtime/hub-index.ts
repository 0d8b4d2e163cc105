import { clusterApi } from '../api/index.ts';
import type { Cluster, KubeObject } from '../api/index.ts';
import { Multimap } from '../base/index.ts';
import { NamespaceIndex } from './namespaces.ts';

/** Where the objects of the hub are found without a walk over all of them. */
export class HubIndex {
  readonly #indexKeysOf: (object: KubeObject) => readonly string[];
  readonly indexKeys = new Multimap<string>();
  readonly namespaces = new NamespaceIndex();
  readonly #fleet = new Map<string, Cluster>();
  #clusters: readonly Cluster[] | undefined;

  constructor(indexKeysOf: (object: KubeObject) => readonly string[]) {
    this.#indexKeysOf = indexKeysOf;
  }

  /** In order of name; the same array as long as none changes. */
  get clusters(): readonly Cluster[] {
    return (this.#clusters ??= Object.freeze(
      [...this.#fleet.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
    ));
  }

  /** An object has changed; at least one of the two states is there. */
  update(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const object = after ?? before;
    if (!object) return;
    if (object.kind === 'Cluster' && object.apiVersion === clusterApi) this.#updateFleet(key, after);
    if (before && after) this.#move(key, before, after);
    else if (after) this.#enter(key, after);
    else this.#leave(key, object);
  }

  #enter(key: string, object: KubeObject): void {
    for (const indexKey of this.#indexKeysOf(object)) this.indexKeys.add(indexKey, key);
    const { namespace } = object.metadata;
    if (namespace) this.namespaces.add(`${object.apiVersion}|${object.kind}`, namespace);
  }

  #leave(key: string, object: KubeObject): void {
    for (const indexKey of this.#indexKeysOf(object)) this.indexKeys.delete(indexKey, key);
    const { namespace } = object.metadata;
    if (namespace) this.namespaces.delete(`${object.apiVersion}|${object.kind}`, namespace);
  }

  #move(key: string, before: KubeObject, after: KubeObject): void {
    if (standsAlike(before, after)) return;
    const old = this.#indexKeysOf(before);
    const indexKeys = this.#indexKeysOf(after);
    if (same(old, indexKeys)) return;
    for (const indexKey of old) this.indexKeys.delete(indexKey, key);
    for (const indexKey of indexKeys) this.indexKeys.add(indexKey, key);
  }

  #updateFleet(key: string, after: KubeObject | undefined): void {
    this.#clusters = undefined;
    if (after) this.#fleet.set(key, after as Cluster);
    else this.#fleet.delete(key);
  }
}

/** Parts that are shared between two states need no look. */
function standsAlike(a: KubeObject, b: KubeObject): boolean {
  return (
    a.metadata.labels === b.metadata.labels &&
    a.metadata.annotations === b.metadata.annotations &&
    (a as { spec?: unknown }).spec === (b as { spec?: unknown }).spec
  );
}

function same(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

import { isOwnApi } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { Multimap } from '../../base/index.ts';
import { kindOf, indexKeysOf } from '../match/index.ts';

/** Objects by key. */
export type Objects = Map<string, KubeObject | null>;

/** Objects by key with their index, and the objects of members. `null` hides an object of the table below. */
export class Table {
  readonly objects: Objects;
  /** member → objects, by the same key that they have on the hub. */
  readonly members: Map<string, Objects>;
  readonly indexKeys: Multimap<string>;
  /** `kind|prefix` → namespaces that have, or had, objects of that kind; an empty one costs one lookup. */
  readonly prefixes: Multimap<string>;

  constructor(source?: Table) {
    this.objects = new Map(source?.objects);
    this.members = new Map();
    for (const [member, objects] of source?.members ?? []) this.members.set(member, new Map(objects));
    this.indexKeys = source?.indexKeys.copy() ?? new Multimap();
    this.prefixes = source?.prefixes.copy() ?? new Multimap();
  }

  get size(): number {
    let size = this.objects.size;
    for (const objects of this.members.values()) size += objects.size;
    return size;
  }

  putInMember(member: string, key: string, object: KubeObject | null): void {
    let objects = this.members.get(member);
    if (!objects) this.members.set(member, (objects = new Map()));
    objects.set(key, object);
  }

  put(key: string, object: KubeObject | null): void {
    const before = this.objects.get(key);
    this.objects.set(key, object);
    if (before && object && hasSameIndexKeys(before, object)) return;
    if (before) for (const indexKey of indexKeysOf(before)) this.indexKeys.delete(indexKey, key);
    if (!object) return;
    for (const indexKey of indexKeysOf(object)) this.indexKeys.add(indexKey, key);
    this.#spellNamespace(object);
  }

  #spellNamespace(object: KubeObject): void {
    const { namespace } = object.metadata;
    if (!namespace || isOwnApi(object.apiVersion)) return;
    const kind = kindOf(object);
    if (this.prefixes.has(`${kind}|${namespace}|`)) return;
    this.prefixes.add(`${kind}|${namespace}|`, namespace);
    for (let length = 1; length <= namespace.length; length++) {
      this.prefixes.add(`${kind}|${namespace.slice(0, length)}`, namespace);
    }
  }
}

/** Index keys depend on labels, the spec of policies and annotations of bindings alone: same parts, same keys. */
function hasSameIndexKeys(a: KubeObject, b: KubeObject): boolean {
  return (
    a.metadata.labels === b.metadata.labels &&
    a.metadata.annotations === b.metadata.annotations &&
    (a as { spec?: unknown }).spec === (b as { spec?: unknown }).spec
  );
}

import { ObjectIndex } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { indexKeysOf } from '../match/index.ts';

/** Objects by key. */
export type Objects = Map<string, KubeObject | null>;

/** Objects by key with their index, and the objects of members. `null` hides an object of the table below. */
export class Table {
  readonly objects: Objects;
  /** member → objects, by the same key that they have on the hub. */
  readonly members: Map<string, Objects>;
  readonly index: ObjectIndex;

  constructor(source?: Table) {
    this.objects = new Map(source?.objects);
    this.members = new Map();
    for (const [member, objects] of source?.members ?? []) this.members.set(member, new Map(objects));
    this.index = new ObjectIndex(indexKeysOf, source?.index);
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
    this.index.update(key, before ?? undefined, object ?? undefined);
  }
}

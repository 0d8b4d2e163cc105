import type { KubeObject } from '../../api/index.ts';

/** Which objects name an owner, by the uid of the owner. */
export class Dependents {
  readonly #byOwner = new Map<string, Set<string>>();

  /** Takes note of the change of the object at a key; either side is absent when it did not exist. */
  learn(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    for (const { uid } of before?.metadata.ownerReferences ?? []) this.#drop(uid, key);
    for (const { uid } of after?.metadata.ownerReferences ?? []) {
      const keys = this.#byOwner.get(uid);
      if (keys) keys.add(key);
      else this.#byOwner.set(uid, new Set([key]));
    }
  }

  /** The keys of the objects that name this owner. */
  of(uid: string | undefined): readonly string[] {
    return [...(this.#byOwner.get(uid ?? '') ?? [])];
  }

  clear(): void {
    this.#byOwner.clear();
  }

  #drop(uid: string, key: string): void {
    const keys = this.#byOwner.get(uid);
    keys?.delete(key);
    if (keys?.size === 0) this.#byOwner.delete(uid);
  }
}

import type { KubeObject, OwnerReference } from '../../api/index.ts';

/** The reference to whom an object obeys. */
export function controllerOf(object: KubeObject | undefined): OwnerReference | undefined {
  return object?.metadata.ownerReferences?.find((one) => one.controller === true);
}

/** Which objects a controller has made, by its uid and their resource. */
export class Family {
  readonly #children = new Map<string, Set<string>>();

  /** Takes note of a change; `resource` is `group/plural`. */
  learn(resource: string, change: { key: string; before?: KubeObject; after?: KubeObject }): void {
    const [old, now] = [controllerOf(change.before)?.uid, controllerOf(change.after)?.uid];
    if (old !== undefined && old !== now) this.#drop(`${old} ${resource}`, change.key);
    if (now === undefined) return;
    const place = `${now} ${resource}`;
    const keys = this.#children.get(place);
    if (keys) keys.add(change.key);
    else this.#children.set(place, new Set([change.key]));
  }

  /** The keys of the children of one resource, in order. */
  of(uid: string | undefined, resource: string): readonly string[] {
    return [...(this.#children.get(`${uid ?? ''} ${resource}`) ?? [])].sort();
  }

  clear(): void {
    this.#children.clear();
  }

  #drop(place: string, key: string): void {
    const keys = this.#children.get(place);
    keys?.delete(key);
    if (keys?.size === 0) this.#children.delete(place);
  }
}

import type { StoredChange } from '../../apiserver/index.ts';
import { Multimap } from '../../base/index.ts';
import type { KubeObject, OwnerReference } from '../../api/index.ts';

/** The reference to whom an object obeys. */
export function controllerOf(object: KubeObject | undefined): OwnerReference | undefined {
  return object?.metadata.ownerReferences?.find((one) => one.controller === true);
}

/** The objects that each controller has made, by its uid and their resource. */
export class Family {
  readonly #children = new Multimap<string>();

  /** Records a change; `resource` is `group/plural`. */
  learn(resource: string, { key, before, after }: StoredChange): void {
    const [old, now] = [controllerOf(before)?.uid, controllerOf(after)?.uid];
    if (old !== undefined && old !== now) this.#children.delete(`${old} ${resource}`, key);
    if (now !== undefined) this.#children.add(`${now} ${resource}`, key);
  }

  /** The keys of the children of one resource, in order. */
  of(uid: string | undefined, resource: string): readonly string[] {
    return [...this.#children.of(`${uid ?? ''} ${resource}`)].sort();
  }

  clear(): void {
    this.#children.clear();
  }
}

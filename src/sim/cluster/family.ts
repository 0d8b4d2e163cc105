import type { KubeObject, OwnerReference } from '../../api/index.ts';
import { partsOfKey } from '../../apiserver/index.ts';
import type { StoredChange } from '../../apiserver/index.ts';
import { Multimap } from '../../base/index.ts';

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

const adoptable: ReadonlySet<string> = new Set(['/pods', 'apps/replicasets']);

/** Pods and ReplicaSets without a controller, by namespace. They are few, so adoption costs nothing. */
export class Orphans {
  readonly #orphans = new Multimap<string>();

  clear(): void {
    this.#orphans.clear();
  }

  /** Records a change; `resource` is `group/plural`. */
  learn(resource: string, { key, after }: StoredChange): void {
    if (!adoptable.has(resource)) return;
    const group = `${resource} ${partsOfKey(key)?.namespace ?? ''}`;
    if (!after || controllerOf(after)) this.#orphans.delete(group, key);
    else this.#orphans.add(group, key);
  }

  /** The keys of the orphans of a resource in a namespace. */
  of(resource: string, namespace: string): readonly string[] {
    return [...this.#orphans.of(`${resource} ${namespace}`)];
  }
}

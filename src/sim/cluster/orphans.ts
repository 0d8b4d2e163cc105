import type { StoredChange } from '../../apiserver/index.ts';
import { Multimap } from '../../base/index.ts';
import { partsOfKey } from '../../apiserver/index.ts';
import { controllerOf } from './family.ts';

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

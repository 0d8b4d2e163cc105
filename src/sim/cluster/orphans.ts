import { partsOfKey } from '../../apiserver/index.ts';
import type { Change } from './behaviour.ts';
import { controllerOf } from './family.ts';

const adoptable: ReadonlySet<string> = new Set(['/pods', 'apps/replicasets']);

/** Pods and ReplicaSets that nobody controls: few, so that looking for some to adopt costs nothing. */
export class Orphans {
  readonly #places = new Map<string, Set<string>>();

  clear(): void {
    this.#places.clear();
  }

  /** Takes note of a change; `resource` is `group/plural`. */
  learn(resource: string, { key, after }: Change): void {
    if (!adoptable.has(resource)) return;
    const place = `${resource} ${partsOfKey(key)?.namespace ?? ''}`;
    const keys = this.#places.get(place);
    if (!after || controllerOf(after)) {
      keys?.delete(key);
      if (keys?.size === 0) this.#places.delete(place);
    } else if (keys) keys.add(key);
    else this.#places.set(place, new Set([key]));
  }

  /** The keys of those of a resource in a namespace. */
  of(resource: string, namespace: string): readonly string[] {
    return [...(this.#places.get(`${resource} ${namespace}`) ?? [])];
  }
}

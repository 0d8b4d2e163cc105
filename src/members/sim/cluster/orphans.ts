import { partsOfKey } from '../../../apiserver/index.ts';
import type { Change } from './behaviour.ts';
import { controllerOf } from './family.ts';

/** Pods that nobody controls, by namespace: few, so that looking for some to adopt costs nothing. */
export class Orphans {
  readonly #byNamespace = new Map<string, Set<string>>();

  clear(): void {
    this.#byNamespace.clear();
  }

  learn(resource: string, { key, after }: Change): void {
    if (resource !== '/pods') return;
    const namespace = partsOfKey(key)?.namespace ?? '';
    const keys = this.#byNamespace.get(namespace);
    if (!after || controllerOf(after)) {
      keys?.delete(key);
      if (keys?.size === 0) this.#byNamespace.delete(namespace);
    } else if (keys) keys.add(key);
    else this.#byNamespace.set(namespace, new Set([key]));
  }

  /** Their keys. */
  in(namespace: string): readonly string[] {
    return [...(this.#byNamespace.get(namespace) ?? [])];
  }
}

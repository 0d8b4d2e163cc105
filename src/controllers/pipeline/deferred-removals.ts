import { withoutRemovals } from '../../engine/index.ts';
import type { Decision } from '../../engine/index.ts';
import type { DeferredWork } from '../../runtime/index.ts';

/** Keeps the removals of one question back until no other question can still want what they remove. */
export class DeferredRemovals {
  readonly #deferred: DeferredWork;
  /** The keys whose removals wait. */
  readonly #waiting = new Set<string>();

  constructor(deferred: DeferredWork, ask: (key: string) => void) {
    this.#deferred = deferred;
    deferred.listen(() => this.#waiting.forEach(ask));
  }

  /** Tells whether nothing waits. */
  get idle(): boolean {
    return this.#waiting.size === 0;
  }

  /** The part of the decision that is performed now. The question is asked again when its removals need not wait any more. */
  now<D extends Decision>(key: string, decision: D): D {
    const rest = withoutRemovals(decision);
    if (rest === decision || this.#deferred.isOpen()) {
      this.#waiting.delete(key);
      return decision;
    }
    this.#waiting.add(key);
    return rest;
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }
}

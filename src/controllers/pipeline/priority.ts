import type { Clock } from '../../observe/index.ts';
import { isOwnApi, keyOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { bindingKeyOf, bindingRefOf } from '../../engine/index.ts';
import type { Priority } from '../../base/index.ts';
import type { CacheChange } from '../../runtime/index.ts';

/** A person who waits longer than this does something else. */
const urgentMilliseconds = 5_000;

/**
 * The priority of a change: a person's edit of a template and all its consequences go before other changes, and those go
 * before the first look at everything.
 */
export class ChangePriority {
  readonly #clock: Clock;
  /** Bindings of templates that were edited just now, and until when they are urgent; the oldest first. */
  readonly #urgent = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  priorityOf({ key, origin, at, after, before }: CacheChange): Priority {
    const object = after ?? before;
    if (origin === 'list' || !object) return 'low';
    if (at !== undefined) return 'normal';
    if (isOwnApi(object.apiVersion)) return this.#priority(object.kind === 'Work' ? bindingKeyOf(object) : key);
    const binding = keyOf(bindingRefOf(object));
    if (origin === 'watch') this.#mark(binding);
    return this.#priority(binding);
  }

  /** Tells whether a person waits for this Work. */
  isUrgent(work: KubeObject): boolean {
    return this.#priority(bindingKeyOf(work)) === 'high';
  }

  #priority(binding: string | undefined): Priority {
    if (binding === undefined || this.#urgent.size === 0) return 'normal';
    return (this.#urgent.get(binding) ?? 0) > this.#clock.now() ? 'high' : 'normal';
  }

  #mark(binding: string): void {
    const now = this.#clock.now();
    this.#urgent.delete(binding);
    this.#urgent.set(binding, now + urgentMilliseconds);
    for (const [old, until] of this.#urgent) {
      if (until > now) break;
      this.#urgent.delete(old);
    }
  }
}

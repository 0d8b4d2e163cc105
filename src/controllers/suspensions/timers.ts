import { longestTimer } from '../../base/index.ts';
import { wake } from '../../engine/index.ts';
import type { Decision } from '../../engine/index.ts';
import type { Assistant, LiveWorld } from '../controller.ts';

/** Timers for the ends of suspensions: then everything that a RolloutPolicy suspended is looked at again. */
export class SuspensionTimers implements Assistant {
  readonly #live: Pick<LiveWorld, 'view' | 'clock' | 'ask'>;
  readonly #timers = new Map<string, () => void>();

  constructor(live: Pick<LiveWorld, 'view' | 'clock' | 'ask'>) {
    this.#live = live;
  }

  /** Sets the timer of a RolloutPolicy, or cancels it. */
  afterActions(key: string, { again }: Pick<Decision, 'again'>): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
    if (again === undefined) return;
    const { clock } = this.#live;
    const delay = Math.min(Math.max(Date.parse(again) - clock.now(), 0), longestTimer);
    this.#timers.set(
      key,
      clock.after(delay, () => this.#end(key)),
    );
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #end(key: string): void {
    this.#timers.delete(key);
    const { view, ask } = this.#live;
    const rollout = view.get(key);
    if (rollout) wake(view, { key, before: undefined, after: rollout }, ask);
  }
}

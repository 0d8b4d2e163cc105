import { longestTimer } from '../../base/index.ts';
import type { Clock } from '../../observe/index.ts';
import { wake } from '../../engine/index.ts';
import type { Wake } from '../../engine/index.ts';
import type { HubCache } from '../../runtime/index.ts';

/** What the alarms of holds stand on. */
export interface SuspensionTimersOptions {
  readonly view: HubCache;
  readonly clock: Clock;
  readonly ask: Wake;
}

/** When a hold ends, everything that it held is looked at again. */
export class SuspensionTimers {
  readonly #options: SuspensionTimersOptions;
  readonly #alarms = new Map<string, () => void>();

  constructor(options: SuspensionTimersOptions) {
    this.#options = options;
  }

  /** Sets the alarm of a hold, or takes it away. */
  remind(key: string, until: string | undefined): void {
    this.#alarms.get(key)?.();
    this.#alarms.delete(key);
    if (until === undefined) return;
    const { clock } = this.#options;
    const delay = Math.min(Math.max(Date.parse(until) - clock.now(), 0), longestTimer);
    this.#alarms.set(
      key,
      clock.after(delay, () => this.#ends(key)),
    );
  }

  close(): void {
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }

  #ends(key: string): void {
    this.#alarms.delete(key);
    const { view, ask } = this.#options;
    const rollout = view.get(key);
    if (rollout) wake(view, { key, before: undefined, after: rollout }, ask);
  }
}

import type { Action, Decision, Question, Reason } from '../../engine/index.ts';
import type { Clock } from '../../runtime/index.ts';

/** What removals stand on. */
export interface RemovalsOptions {
  readonly clock: Clock;
  /** Has anybody who answers one of these questions something to do? */
  readonly isBusy: (...about: readonly Question[]) => boolean;
  readonly ask: (key: string) => void;
}

/** Those who may yet want an object in the cluster that it is to leave. */
const upstream: readonly Question[] = ['claim', 'dependencies', 'evict', 'schedule'];

const pauseMilliseconds = 20;
/** A load without end must not keep anything where it does not belong. */
const patienceMilliseconds = 2_000;

/** What goes with its template goes at once. */
const prompt: ReadonlySet<Reason> = new Set(['BindingDeleting', 'PurgeFirst']);

/**
 * One edit of a policy may take an object from a cluster and let a workload pull it there again. Both are decided one after
 * the other, so what takes something away waits until everybody before it has spoken.
 */
export class Removals {
  readonly #options: RemovalsOptions;
  /** Since when a binding waits, and how to stop its timer. */
  readonly #waiting = new Map<string, { readonly since: number; readonly stop: () => void }>();

  constructor(options: RemovalsOptions) {
    this.#options = options;
  }

  /** Does nothing wait? */
  get idle(): boolean {
    return this.#waiting.size === 0;
  }

  /** The decision about a binding, without removals while they have to wait; it is asked about again then. */
  inTime(key: string, decision: Decision): Decision {
    const { clock, isBusy, ask } = this.#options;
    const waiting = this.#waiting.get(key);
    waiting?.stop();
    const since = waiting?.since ?? clock.now();
    const hasTime = clock.now() - since < patienceMilliseconds;
    if (!decision.actions.some(isRemoval) || prompt.has(decision.because) || !hasTime || !isBusy(...upstream)) {
      this.#waiting.delete(key);
      return decision;
    }
    this.#waiting.set(key, { since, stop: clock.after(pauseMilliseconds, () => ask(key)) });
    return { ...decision, actions: decision.actions.filter((action) => !isRemoval(action)) };
  }

  /** The binding is gone. */
  forget(key: string): void {
    this.#waiting.get(key)?.stop();
    this.#waiting.delete(key);
  }

  close(): void {
    for (const key of this.#waiting.keys()) this.forget(key);
  }
}

const isRemoval = (action: Action): boolean => action.do === 'remove';

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
  /** The bindings that wait, and since when. */
  readonly #waiting = new Map<string, number>();
  #stop: (() => void) | undefined;

  constructor(options: RemovalsOptions) {
    this.#options = options;
  }

  /** Does nothing wait? */
  get idle(): boolean {
    return this.#waiting.size === 0;
  }

  /** The decision about a binding, without removals while they have to wait; it is asked about again then. */
  inTime(key: string, decision: Decision): Decision {
    if (!decision.actions.some(isRemoval) || prompt.has(decision.because) || !this.#mustWait(key)) {
      this.#waiting.delete(key);
      return decision;
    }
    if (!this.#waiting.has(key)) this.#waiting.set(key, this.#options.clock.now());
    this.#look();
    return { ...decision, actions: decision.actions.filter((action) => !isRemoval(action)) };
  }

  #mustWait(key: string): boolean {
    return !this.#isOverdue(this.#waiting.get(key)) && this.#options.isBusy(...upstream);
  }

  #isOverdue(since: number | undefined): boolean {
    return since !== undefined && this.#options.clock.now() - since >= patienceMilliseconds;
  }

  /** Looks every now and then whether the others are done; those who wait are asked about no sooner, however many they are. */
  #look(): void {
    this.#stop ??= this.#options.clock.after(pauseMilliseconds, () => {
      this.#stop = undefined;
      const { isBusy, ask } = this.#options;
      const isFree = !isBusy(...upstream);
      for (const [key, since] of this.#waiting) if (isFree || this.#isOverdue(since)) ask(key);
      if (!this.idle) this.#look();
    });
  }

  /** The binding is gone. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  close(): void {
    this.#waiting.clear();
    this.#stop?.();
    this.#stop = undefined;
  }
}

const isRemoval = (action: Action): boolean => action.do === 'remove';

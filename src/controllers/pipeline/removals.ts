import type { Action, Decision, Reason } from '../../engine/index.ts';
import type { DeferredWork } from '../../runtime/index.ts';

/** Decisions whose removals do not wait: objects that go with their template, and failover. */
const prompt: ReadonlySet<Reason> = new Set(['BindingDeleting', 'PurgeFirst', 'Evicting', 'EvictionDone']);

/** Actions that take something away: a Work, or a task that keeps one. */
const removals: ReadonlySet<string> = new Set(['remove', 'clear']);

/**
 * One edit of a policy may take an object from a cluster and let a workload pull it there again. Both are decided one after
 * the other, so what takes something away gives way to everybody who may yet want it.
 */
export class Removals {
  readonly #giveWay: DeferredWork;
  /** The bindings that wait. */
  readonly #waiting = new Set<string>();

  constructor(giveWay: DeferredWork, ask: (key: string) => void) {
    this.#giveWay = giveWay;
    giveWay.listen(() => this.#waiting.forEach(ask));
  }

  /** Does nothing wait? */
  get idle(): boolean {
    return this.#waiting.size === 0;
  }

  /** The decision about a binding, without removals while they have to wait; it is asked about again then. */
  inTime(key: string, decision: Decision): Decision {
    if (!decision.actions.some(isRemoval) || prompt.has(decision.because) || this.#giveWay.isOpen()) {
      this.#waiting.delete(key);
      return decision;
    }
    this.#waiting.add(key);
    return { ...decision, actions: decision.actions.filter((action) => !isRemoval(action)) };
  }

  /** The binding is gone. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }
}

const isRemoval = (action: Action): boolean => removals.has(action.do);

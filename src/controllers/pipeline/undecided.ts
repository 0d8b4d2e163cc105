import type { Decision } from '../../engine/index.ts';
import type { Logger } from '../../observe/index.ts';
import type { HubCache } from '../../runtime/index.ts';
import type { Notice } from './notices.ts';

export interface UndecidedOptions {
  readonly view: HubCache;
  readonly notify: (notice: Notice) => void;
  readonly log: Logger;
}

/** Emits an event on every object about which nothing can be decided: once, and again when the reason changes. */
export class Undecided {
  readonly #options: UndecidedOptions;
  /** The reason that was last given for an object, by key. */
  readonly #said = new Map<string, string>();

  constructor(options: UndecidedOptions) {
    this.#options = options;
  }

  /** Takes every answer about an object; undefined when the object is gone. */
  hear(key: string, decision: Decision | undefined): void {
    if (!decision) this.#said.delete(key);
    else if (decision.because === 'Unreadable' || decision.because === 'DecisionFailed') this.#tell(key, decision);
  }

  #tell(key: string, { because, detail = '' }: Decision): void {
    const message = `${because}: ${detail}`;
    if (this.#said.get(key) === message) return;
    this.#said.set(key, message);
    const { view, notify, log } = this.#options;
    log.warn('cannot decide about an object', { object: key, because, detail });
    const object = view.unreadable.get(key)?.object ?? view.get(key);
    if (object) notify({ object, type: 'Warning', reason: because, message, component: 'sluice' });
  }
}

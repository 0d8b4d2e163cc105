import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject } from '../../api/index.ts';
import { isObstacle, reasons } from '../../engine/index.ts';
import type { Decision } from '../../engine/index.ts';
import type { Logger } from '../../observe/index.ts';
import type { HubCache } from '../../runtime/index.ts';
import type { ObjectEvent } from './events.ts';

export interface UndecidedOptions {
  readonly view: HubCache;
  readonly notify: (notice: ObjectEvent) => void;
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
    // A binding of a predecessor is usually gone a moment later.
    else if (isObstacle(decision) && decision.because !== 'BindingOfAnother') this.#tell(key, decision);
  }

  #tell(key: string, { because, detail = reasons[because] }: Decision): void {
    const message = `${because}: ${detail}`;
    if (this.#said.get(key) === message) return;
    this.#said.set(key, message);
    const { notify, log } = this.#options;
    log.warn('cannot decide about an object', { object: key, because, detail });
    for (const object of this.#concerned(key)) {
      notify({ object, type: 'Warning', reason: because, message, component: 'sluice' });
    }
  }

  /** The object itself, and the template of a binding. */
  #concerned(key: string): readonly KubeObject[] {
    const { view } = this.#options;
    const bad = view.unreadable.get(key)?.object;
    const object = bad ?? view.get(key);
    const resource = bad ? undefined : (object as Binding | undefined)?.spec?.resource;
    const template = object?.kind.endsWith('ResourceBinding') && resource ? view.get(keyOf(resource)) : undefined;
    return [object, template].filter((one) => one !== undefined);
  }
}

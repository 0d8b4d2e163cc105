import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject } from '../../api/index.ts';
import { isObstacle, reasons } from '../../engine/index.ts';
import type { Decision } from '../../engine/index.ts';
import type { Logger } from '../../observe/index.ts';
import type { HubCache } from '../../runtime/index.ts';
import type { ObjectEvent, SingleEvent } from '../controller.ts';

/** The events about objects for which nothing can be decided. */
export const obstacleEvents: readonly SingleEvent[] = [
  {
    reason: 'Unreadable',
    on: 'any object',
    meaning: 'the object, or one that it relies on, lacks the shape of its kind',
  },
  { reason: 'DecisionFailed', on: 'any object', meaning: 'deciding about the object failed; nothing is done about it' },
  {
    reason: 'AnnotationsFull',
    on: 'template, binding',
    meaning: 'the annotations of the template are too large to add ours',
  },
  {
    reason: 'InterpreterFailed',
    on: 'template, binding, work',
    meaning: 'a script that interprets the kind failed; the message has its line',
  },
  {
    reason: 'QuotaExceeded',
    on: 'template, binding',
    meaning: 'a FederatedResourceQuota of the namespace leaves too little; the binding stays as it is',
  },
  {
    reason: 'PriorityClassMissing',
    on: 'template',
    meaning: 'the policy names a PriorityClass that does not exist; no binding is made',
  },
  { reason: 'OverrideFailed', on: 'template, binding', meaning: 'an override cannot be applied' },
];

/** The options of the events about objects that cannot be decided. */
export interface UndecidedOptions {
  readonly view: HubCache;
  readonly notify: (event: ObjectEvent) => void;
  readonly log: Logger;
}

/** Emits an event on every object for which nothing can be decided: once, and again when the reason changes. */
export class Undecided {
  readonly #options: UndecidedOptions;
  /** The message that was emitted last for an object, by key. */
  readonly #emitted = new Map<string, string>();

  constructor(options: UndecidedOptions) {
    this.#options = options;
  }

  /** Takes every answer about an object; undefined when the object is gone. */
  decided(key: string, decision: Decision | undefined): void {
    if (!decision) this.#emitted.delete(key);
    // A binding of a predecessor is usually gone a moment later.
    else if (isObstacle(decision) && decision.because !== 'BindingOfAnother') this.#emit(key, decision);
  }

  #emit(key: string, { because, detail = reasons[because] }: Decision): void {
    const message = `${because}: ${detail}`;
    if (this.#emitted.get(key) === message) return;
    this.#emitted.set(key, message);
    const { notify, log } = this.#options;
    log.warn('cannot decide about an object', { object: key, because, detail });
    for (const object of this.#subjects(key)) {
      notify({ object, type: 'Warning', reason: because, message, component: 'sluice' });
    }
  }

  /** The object itself, and the template of a binding. */
  #subjects(key: string): readonly KubeObject[] {
    const { view } = this.#options;
    const bad = view.unreadable.get(key)?.object;
    const object = bad ?? view.get(key);
    const resource = bad ? undefined : (object as Binding | undefined)?.spec?.resource;
    const template = object?.kind.endsWith('ResourceBinding') && resource ? view.get(keyOf(resource)) : undefined;
    return [object, template].filter((one) => one !== undefined);
  }
}

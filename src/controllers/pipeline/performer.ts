import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject } from '../../api/index.ts';
import { gatherDispatch, refused } from '../../engine/index.ts';
import type { Action, Decision, Question } from '../../engine/index.ts';
import { performWrite, Stale, writtenRef } from '../../runtime/index.ts';
import type { HubCache, WriteTarget } from '../../runtime/index.ts';
import type { ObjectEvent } from '../controller.ts';
import { controllers } from './controllers.ts';
import { eventsOf } from './events.ts';
import type { PipelineMeter } from './meter.ts';

/** The options of a performer. */
export interface PerformerOptions {
  readonly view: HubCache;
  readonly hub: WriteTarget;
  /** The server of a member; undefined while it is not connected. */
  readonly memberTarget: (member: string) => WriteTarget | undefined;
  readonly notify: (event: ObjectEvent) => void;
  readonly meter?: PipelineMeter;
}

/** An action, and the question to whose answer it belongs. */
export interface AskedAction {
  readonly question: Question;
  readonly key: string;
  readonly action: Action;
}

/** Writes what was decided, and emits events about it. */
export class Performer {
  readonly #options: PerformerOptions;
  /** The object before an action, for its events. */
  readonly #before = new WeakMap<Action, KubeObject>();

  constructor(options: PerformerOptions) {
    this.#options = options;
  }

  /** Performs one action. */
  async perform(asked: AskedAction, signal: AbortSignal): Promise<void> {
    const { view, meter } = this.#options;
    const { write } = asked.action;
    const before = write.at === undefined ? view.get(keyOf(writtenRef(write))) : undefined;
    if (before) this.#before.set(asked.action, before);
    try {
      await this.#write(asked, signal);
      meter?.performed(asked);
    } catch (error) {
      if (!(error instanceof Stale)) meter?.performed(asked, error);
      meter?.finished(asked.question, asked.key, error);
      if (!(error instanceof Stale) && !signal.aborted) await this.#failed(asked, error);
      throw error;
    }
  }

  /** All actions of an answer have been performed. */
  performed(question: Question, key: string, decision: Decision): void {
    this.#options.meter?.finished(question, key);
    for (const action of decision.actions) {
      this.#emit({ question, key, action }, decision);
      // Its status also contains the dispatcher's report.
      if (question === 'reflect') this.#emit({ question: 'dispatch', key, action }, decision);
    }
  }

  async #write({ question, action }: AskedAction, signal: AbortSignal): Promise<void> {
    const { view, hub, memberTarget } = this.#options;
    const own = controllers[question].perform?.(action.write, hub, signal);
    if (own) return own;
    const written = assumedAfter(question, action);
    const forget = written && view.assume(keyOf(writtenRef(action.write)), written);
    try {
      await performWrite(action.write, (member) => (member === undefined ? hub : memberTarget(member)), signal);
    } finally {
      forget?.();
    }
  }

  /** Writes the member's refusal to the Work, in the member's words, or why the member could not be asked. */
  async #failed(asked: AskedAction, error: unknown): Promise<void> {
    const { view, hub } = this.#options;
    const { question, key, action } = asked;
    this.#emit(asked, { actions: [action], because: 'MemberRefused' }, error);
    if (question !== 'dispatch' || !(error instanceof Error) || action.write.at === undefined) return;
    const facts = gatherDispatch(view, key);
    if (!facts) return;
    const wanted = refused(facts, error.message);
    if (wanted !== facts.work)
      await performWrite({ verb: 'updateStatus', object: wanted }, () => hub).catch(() => undefined);
  }

  #emit(asked: AskedAction, decision: Decision, error?: unknown): void {
    const { view, notify } = this.#options;
    const before = this.#before.get(asked.action);
    const done = { ...asked, decision, ...(before && { before }), ...(error !== undefined && { error }) };
    for (const event of eventsOf(view, done)) notify(event);
  }
}

/** The binding that a write leaves, where the placement of others depends on it before the hub has answered. */
function assumedAfter(question: Question, { write }: Action): KubeObject | undefined {
  if (question !== 'schedule' || write.verb !== 'update') return undefined;
  return (write.object as Binding).spec.workloadAffinityGroups && write.object;
}

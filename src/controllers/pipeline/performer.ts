import { keyOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { gatherDispatch, refused } from '../../engine/index.ts';
import type { Action, Decision, Question } from '../../engine/index.ts';
import { performWrite, Stale, writtenRef } from '../../runtime/index.ts';
import type { HubCache, WriteTarget } from '../../runtime/index.ts';
import { marksOf, patchMarks } from './marks.ts';
import type { PipelineMeter } from './meter.ts';
import { eventsOf } from './events.ts';
import type { ObjectEvent } from './events.ts';

/** What performing stands on. */
export interface PerformerOptions {
  readonly view: HubCache;
  readonly hub: WriteTarget;
  /** The server of a member; undefined while it is not connected. */
  readonly memberTarget: (member: string) => WriteTarget | undefined;
  readonly notify: (notice: ObjectEvent) => void;
  readonly meter?: PipelineMeter;
}

/** An action, and the question to which it is part of the answer. */
export interface Doing {
  readonly question: Question;
  readonly key: string;
  readonly action: Action;
}

/** Writes what was decided, and tells of it. */
export class Performer {
  readonly #options: PerformerOptions;
  /** What was there before an action, for those who tell of it. */
  readonly #before = new WeakMap<Action, KubeObject>();

  constructor(options: PerformerOptions) {
    this.#options = options;
  }

  /** Does one action. */
  async perform(doing: Doing, signal: AbortSignal): Promise<void> {
    const { view, meter } = this.#options;
    const { write } = doing.action;
    const before = write.at === undefined ? view.get(keyOf(writtenRef(write))) : undefined;
    if (before) this.#before.set(doing.action, before);
    try {
      await this.#write(doing.action, signal);
      meter?.performed(doing);
    } catch (error) {
      if (!(error instanceof Stale)) meter?.performed(doing, error);
      meter?.finished(doing.question, doing.key, error);
      if (!(error instanceof Stale) && !signal.aborted) await this.#failed(doing, error);
      throw error;
    }
  }

  /** All actions of an answer are done: those who want to know are told. */
  performed(question: Question, key: string, decision: Decision): void {
    this.#options.meter?.finished(question, key);
    for (const action of decision.actions) {
      this.#tell({ question, key, action }, decision);
      // It also says what the dispatcher left to be said.
      if (question === 'reflect') this.#tell({ question: 'dispatch', key, action }, decision);
    }
  }

  async #write({ write }: Action, signal: AbortSignal): Promise<void> {
    const { hub, memberTarget } = this.#options;
    const marks = marksOf(write);
    if (marks) return patchMarks(hub, marks, signal);
    return performWrite(write, (member) => (member === undefined ? hub : memberTarget(member)), signal);
  }

  /** What a member refuses is said in its own words on the Work, and so is why it could not be asked. */
  async #failed(doing: Doing, error: unknown): Promise<void> {
    const { view, hub } = this.#options;
    const { question, key, action } = doing;
    this.#tell(doing, { actions: [action], because: 'MemberRefused' }, error);
    if (question !== 'dispatch' || !(error instanceof Error) || action.write.at === undefined) return;
    const facts = gatherDispatch(view, key);
    if (!facts) return;
    const wanted = refused(facts, error.message);
    if (wanted !== facts.work)
      await performWrite({ verb: 'updateStatus', object: wanted }, () => hub).catch(() => undefined);
  }

  #tell(doing: Doing, decision: Decision, error?: unknown): void {
    const { view, notify } = this.#options;
    const before = this.#before.get(doing.action);
    const deed = { ...doing, decision, ...(before && { before }), ...(error !== undefined && { error }) };
    for (const notice of eventsOf(view, deed)) notify(notice);
  }
}

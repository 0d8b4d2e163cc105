import type { Action, Decision, View } from '../api/index.ts';
import type { Priority, WorkQueue } from '../base/index.ts';
import { noTracer, pause, silentLogger, wallClock } from '../observe/index.ts';
import type { Clock, Logger, Metrics, Tracer } from '../observe/index.ts';
import { controllerMeter } from './controller-meter.ts';
import type { ControllerMeter } from './controller-meter.ts';
import type { DeferredWork } from './deferred-work.ts';
import { workQueue } from './queue.ts';
import { loopShare } from './loop-share.ts';
import { Stale, writtenRef } from './writer.ts';

/** The options of a controller. */
export interface ControllerOptions<A extends Action = Action> {
  readonly name: string;
  readonly view: View;
  /** Gathers and decides; undefined when there is nothing to decide about. It must not wait and should not throw. */
  readonly answer: (view: View, key: string) => Decision<A> | undefined;
  /** Performs one action. `Stale` says that its object was not what the answer saw, and has been read again. */
  readonly perform: (action: A, context: { readonly key: string; readonly signal: AbortSignal }) => Promise<void>;
  /** Called with every answer once its actions are performed, for events and explanations. */
  readonly onAnswer?: (key: string, answer: Decision<A>) => void;
  readonly workers?: number;
  /** Further workers, which take urgent keys alone. */
  readonly urgentWorkers?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Logger;
  readonly metrics?: Metrics;
  readonly tracer?: Tracer;
  /** The longest wait after failures. */
  readonly longestMilliseconds?: number;
  /** Names of actions that do the same to different objects, and need not wait for each other. */
  readonly together?: ReadonlySet<string>;
  /** Work that gives way to others waits while this is not open. */
  readonly giveWay?: DeferredWork;
  /** The level of a key in the queue: higher ones go first. */
  readonly levelOf?: (key: string) => number;
  /** Called whenever the queue is empty and no worker is busy. */
  readonly onRest?: () => void;
}

/** A question that is to be asked again at a time in the past is not asked without a pause. */
const shortestAgain = 100;

/**
 * Asks one question of every key that is added.
 * Flow: key → answer → its actions in order → again, if time matters. An action that fails ends the pass; those that are
 * done together are all done first.
 * Guarantees: a key is answered by one worker at a time, from the view as it is then; a failure is logged once until
 * it changes, and makes only its own key wait; a worker that crashes is replaced.
 */
export class Controller<A extends Action = Action> {
  readonly name: string;
  readonly queue: WorkQueue;
  readonly #options: ControllerOptions<A>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #meter: ControllerMeter;
  readonly #abort = new AbortController();
  /** The last error of a key that fails. */
  readonly #failing = new Map<string, string>();
  /** The reason of the actions that are performed for a key. */
  readonly #doing = new Map<string, string>();
  #workers: Promise<unknown> = Promise.resolve();

  constructor(options: ControllerOptions<A>) {
    const { name, metrics, random, longestMilliseconds, giveWay, onRest, levelOf } = options;
    this.name = name;
    this.#options = options;
    this.#clock = options.clock ?? wallClock;
    this.#log = (options.log ?? silentLogger).with({ controller: name });
    this.#meter = controllerMeter(metrics, name);
    this.queue = workQueue({
      name,
      clock: this.#clock,
      ...(metrics && { metrics }),
      ...(random && { random }),
      ...(longestMilliseconds !== undefined && { longestMilliseconds }),
      ...(giveWay && { isOpen: () => giveWay.isOpen() }),
      ...(onRest && { onRest }),
      ...(levelOf && { levelOf }),
    });
    giveWay?.listen(() => this.queue.serve());
  }

  /** Asks about a key as soon as a worker is free. */
  ask(key: string, priority?: Priority): void {
    this.queue.add(key, priority);
  }

  start(): void {
    const { workers = 8, urgentWorkers = 0 } = this.#options;
    const all = Array.from({ length: workers + urgentWorkers }, (_, i) =>
      this.#employ(i < workers ? undefined : 'high'),
    );
    this.#workers = Promise.all(all);
  }

  /** Drops waiting keys, finishes the running ones, and aborts them when that takes too long. */
  async stop(withinMilliseconds = 5_000): Promise<void> {
    const cancel = this.#clock.after(withinMilliseconds, () => this.#abort.abort(new Error(`${this.name} stops`)));
    await this.queue.stop();
    await this.#workers;
    cancel();
  }

  /** A worker that crashes is reported and replaced. */
  async #employ(only: 'high' | undefined): Promise<void> {
    for (;;) {
      try {
        return await this.#work(only);
      } catch (error) {
        this.#meter.crashed();
        this.#log.error('a worker crashed', { error });
        await pause(this.#clock, 1_000, this.#abort.signal);
      }
    }
  }

  async #work(only: 'high' | undefined): Promise<void> {
    for (let key = await this.queue.take(only); key !== undefined; key = await this.queue.take(only)) {
      try {
        const acting = this.#attend(key);
        if (acting) await acting;
      } finally {
        this.queue.done(key);
      }
      if (loopShare.isOver) await loopShare.next(only !== undefined);
    }
  }

  /** Undefined when everything is done already: most answers have no actions. */
  #attend(key: string): Promise<void> | undefined {
    const start = performance.now();
    try {
      const result = this.#answer(key);
      if (typeof result !== 'string') return this.#act(key, start, result);
      this.#succeeded(key);
      this.#meter.attempted(result, secondsSince(start));
    } catch (error) {
      this.#meter.attempted(this.#failed(key, error), secondsSince(start));
    }
    return undefined;
  }

  async #act(key: string, start: number, acting: Promise<string>): Promise<void> {
    let result: string;
    try {
      result = await acting;
      this.#succeeded(key);
    } catch (error) {
      result = this.#failed(key, error);
    } finally {
      this.#doing.delete(key);
    }
    this.#meter.attempted(result, secondsSince(start));
  }

  #answer(key: string): string | Promise<string> {
    const { view, answer, tracer = noTracer } = this.#options;
    const answered = answer(view, key);
    if (!answered) return 'gone';
    const { actions, because, detail } = answered;
    const fields = { object: key, because, ...(detail !== undefined && { detail }) };
    if (actions.length === 0) {
      this.#log.debug('nothing to do', fields);
      return this.#answered(key, answered, 'rested');
    }
    refuseMixed(actions);
    this.#doing.set(key, because);
    const acting = tracer.span(`${this.name} ${because}`, { object: key }, () => this.#perform(key, actions));
    return acting.then(() => {
      if (this.#log.writes('info')) this.#log.info(actions.map((action) => action.do).join(','), fields);
      return this.#answered(key, answered, 'acted');
    });
  }

  #answered(key: string, answered: Decision<A>, result: string): string {
    this.#options.onAnswer?.(key, answered);
    if (answered.again !== undefined) this.#again(key, answered.again);
    return result;
  }

  async #perform(key: string, actions: readonly A[]): Promise<void> {
    const { signal } = this.#abort;
    const one = async (action: A): Promise<void> => {
      await this.#options.perform(action, { key, signal });
      this.#meter.wrote(writtenRef(action.write).kind, action.write.verb);
    };
    for (const group of groupsOf(actions, this.#options.together)) {
      if (group.length === 1 && group[0]) await one(group[0]);
      else await allDone(group.map(one));
    }
  }

  #again(key: string, again: string): void {
    const at = Date.parse(again);
    if (Number.isNaN(at)) throw new Error(`an answer asks to be asked again at ${JSON.stringify(again)}`);
    this.queue.addAt(key, Math.max(at, this.#clock.now() + shortestAgain));
  }

  #succeeded(key: string): void {
    this.queue.forget(key);
    if (this.#failing.size > 0 && this.#failing.delete(key))
      this.#log.info('reconcile succeeded again', { object: key });
  }

  #failed(key: string, error: unknown): string {
    const wait = Math.round(this.queue.addLimited(key));
    const because = this.#doing.get(key);
    const failures = this.queue.failures(key);
    const fields = { object: key, ...(because !== undefined && { because }), error, failures, wait };
    if (error instanceof Stale) {
      this.#log.debug('object changed meanwhile', fields);
      return 'stale';
    }
    const said = error instanceof Error ? error.message : String(error);
    if (this.#abort.signal.aborted) this.#log.debug('reconcile left for the next start', fields);
    else if (this.#failing.get(key) === said) this.#log.debug('reconcile failed again', fields);
    else this.#log.warn('reconcile failed', fields);
    this.#failing.set(key, said);
    return 'failed';
  }
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000;

/** Refuses actions that write spec and status of one object in one pass: the second write would be decided from an old state. */
function refuseMixed(actions: readonly Action[]): void {
  if (actions.length < 2) return;
  const verbs = new Map<string, string>();
  for (const { write } of actions) {
    const { apiVersion, kind, namespace = '', name } = writtenRef(write);
    const key = `${write.at ?? ''}|${apiVersion}|${kind}|${namespace}|${name}`;
    const before = verbs.get(key);
    if (before !== undefined && (before === 'updateStatus') !== (write.verb === 'updateStatus')) {
      throw new Error(`spec and status of ${key} in one pass`);
    }
    verbs.set(key, write.verb);
  }
}

/** Actions in groups: those of a group are done at the same time. */
function groupsOf<A extends Action>(actions: readonly A[], together?: ReadonlySet<string>): readonly (readonly A[])[] {
  const groups: A[][] = [];
  for (const action of actions) {
    const last = groups.at(-1);
    if (last?.[0]?.do === action.do && together?.has(action.do)) last.push(action);
    else groups.push([action]);
  }
  return groups;
}

/** Waits for all, then throws the first failure. */
async function allDone(all: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason;
}

import { memberOfNamespace } from '../../api/index.ts';
import { removalsAfter } from '../../engine/index.ts';
import type { Question } from '../../engine/index.ts';
import { DeferredWork } from '../../runtime/index.ts';
import type { Priority, WorkQueue } from '../../base/index.ts';
import type { Controller, ControllerOptions } from '../../runtime/index.ts';
import { controllers } from './controllers.ts';

/** How the queue of a controller relates to the others. */
export type QueueOptions = Pick<ControllerOptions, 'giveWay' | 'onRest'>;

/** Makes the controller of a question; for a question about one member, of that member alone. */
export type MakeController = (question: Question, options: QueueOptions, member?: string) => Controller;

/** How long a rank waits at most for all lower ranks. The last rank is for events. */
const patience: readonly number[] = [0, 100, 200, 400];

const isBusy = ({ queue }: Controller): boolean => queue.size > 0 || queue.active > 0;

type Deferring = keyof typeof removalsAfter;

/** The running controllers of all questions, made when they are first needed. */
export class ControllerSet {
  readonly #make: MakeController;
  readonly #controllers = new Map<string, Controller>();
  readonly #byRank: readonly Set<Controller>[] = patience.map(() => new Set());
  readonly #ranks: readonly DeferredWork[] = patience.map(
    (patienceMilliseconds, rank) => new DeferredWork({ isBusy: () => this.#isRankBusy(rank), patienceMilliseconds }),
  );
  /** Opens for removals. Constant load must not keep an object for long where it does not belong. */
  readonly removals: { readonly [Q in Deferring]: DeferredWork } = {
    render: this.#after('render'),
    evict: this.#after('evict'),
  };
  /** The questions that this process answers; all of them when absent. */
  readonly #only: ReadonlySet<Question> | undefined;
  #running = false;

  constructor(make: MakeController, only?: ReadonlySet<Question>) {
    this.#make = make;
    this.#only = only;
  }

  #after(question: Deferring): DeferredWork {
    const first = removalsAfter[question];
    const isBusy = (): boolean => first.some((one) => this.#isBusyWith(one));
    return new DeferredWork({ isBusy, patienceMilliseconds: 2_000, turnMilliseconds: 250 });
  }

  /** Opens when all controllers are idle. */
  get giveWay(): DeferredWork | undefined {
    return this.#ranks.at(-1);
  }

  /** Adds an object to the queue of the controller that answers the question; other processes answer the other questions. */
  ask(question: Question, key: string, priority?: Priority): void {
    if (this.#only?.has(question) === false) return;
    const member = controllers[question].perMember ? memberOfNamespace(key.split('|')[2]) : undefined;
    this.#of(question, member).ask(key, priority);
  }

  /** The queue of a question that is not about one member. */
  queueOf(question: Question): WorkQueue | undefined {
    return this.#controllers.get(question)?.queue;
  }

  #of(question: Question, member: string | undefined): Controller {
    const name = member === undefined ? question : `${question} ${member}`;
    const known = this.#controllers.get(name);
    if (known) return known;
    const { rank = 0 } = controllers[question];
    const giveWay = rank > 0 ? this.#ranks[rank] : undefined;
    const made = this.#make(question, { onRest: () => this.#rested(rank), ...(giveWay && { giveWay }) }, member);
    this.#byRank[rank]?.add(made);
    this.#controllers.set(name, made);
    if (this.#running) made.start();
    return made;
  }

  /** Tells whether a controller of a lower rank has something to do. */
  #isRankBusy(rank: number): boolean {
    for (const controllers of this.#byRank.slice(0, rank))
      for (const controller of controllers) if (isBusy(controller)) return true;
    return false;
  }

  #isBusyWith(question: Question): boolean {
    const controller = this.#controllers.get(question);
    return controller !== undefined && isBusy(controller);
  }

  #rested(rank: number): void {
    for (const waiting of this.#ranks.slice(rank + 1)) waiting.idle();
    this.removals.render.idle();
    this.removals.evict.idle();
  }

  start(): void {
    this.#running = true;
    for (const controller of this.#controllers.values()) controller.start();
  }

  async stop(withinMilliseconds: number): Promise<void> {
    this.#running = false;
    for (const deferred of [...this.#ranks, this.removals.render, this.removals.evict]) deferred.close();
    await Promise.all([...this.#controllers.values()].map((controller) => controller.stop(withinMilliseconds)));
  }

  /** Tells whether the objects that were queued at the start, before any change, have been looked at. */
  hasSeenAll(...about: readonly Question[]): boolean {
    return about.every((question) => (this.queueOf(question)?.sizeOf('low') ?? 0) === 0);
  }

  /** Tells whether no queue has an object and no worker is busy. */
  get idle(): boolean {
    return ![...this.#controllers.values()].some(isBusy);
  }

  /** How many objects are to be looked at again later. */
  get later(): number {
    return [...this.#controllers.values()].reduce((sum, { queue }) => sum + queue.waiting, 0);
  }
}

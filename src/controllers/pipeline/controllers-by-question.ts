import { memberOfNamespace } from '../../api/index.ts';
import type { Question } from '../../engine/index.ts';
import { DeferredWork } from '../../runtime/index.ts';
import type { Controller, ControllerOptions, Priority, WorkQueue } from '../../runtime/index.ts';

/** How a controller stands to the others. */
export type QueueOptions = Pick<ControllerOptions, 'giveWay' | 'onRest'>;

/** Makes the controller of a question; for those about a member, of that member alone. */
export type MakeController = (question: Question, manners: QueueOptions, member?: string) => Controller;

/** Questions about one Work: each member has its own queue, so that a dead or slow one never delays another. */
const byMember: ReadonlySet<Question> = new Set(['dispatch', 'reflect']);

/** How long those of a rank give way at most: to everybody of a better rank. The last rank is for what is told besides. */
const patience: readonly number[] = [0, 100, 200, 400];

/** What moves something goes first; reports wait until it has arrived, and then say it once: of each member, of all of them. */
const ranks: Partial<Record<Question, number>> = { reflect: 1, collect: 2 };

/** Those who may yet want an object in a cluster that it is to leave. */
const upstream: readonly Question[] = ['claim', 'dependencies', 'evict', 'schedule'];

/** Questions whose answers may begin another move from a cluster, so that objects which leave last wait for them. */
const beforeMoves: readonly Question[] = ['claim', 'dependencies', 'schedule'];

const isBusy = ({ queue }: Controller): boolean => queue.size > 0 || queue.active > 0;

/** The controllers of all questions, made when they are first needed. */
export class ControllersByQuestion {
  readonly name = 'controllers';
  readonly #make: MakeController;
  readonly #controllers = new Map<string, Controller>();
  readonly #byRank: readonly Set<Controller>[] = patience.map(() => new Set());
  readonly #giveWays: readonly DeferredWork[] = patience.map(
    (patienceMilliseconds, rank) => new DeferredWork({ isBusy: () => this.#isBusy(rank), patienceMilliseconds }),
  );
  /** For what takes something away. A load without end must not keep anything for long where it does not belong. */
  readonly removals: DeferredWork = new DeferredWork({
    isBusy: () => upstream.some((question) => this.#isBusyWith(question)),
    patienceMilliseconds: 2_000,
    turnMilliseconds: 250,
  });
  /** For the end of moves: objects that workloads use leave after the workloads, once it is known which workloads leave. */
  readonly moves: DeferredWork = new DeferredWork({
    isBusy: () => beforeMoves.some((question) => this.#isBusyWith(question)),
    patienceMilliseconds: 2_000,
    turnMilliseconds: 250,
  });
  #running = false;

  constructor(make: MakeController) {
    this.#make = make;
  }

  /** For what may wait for all desks. */
  get giveWay(): DeferredWork | undefined {
    return this.#giveWays.at(-1);
  }

  /** Puts a question to whoever answers it. */
  ask(question: Question, key: string, priority?: Priority): void {
    const member = byMember.has(question) ? memberOfKey(key) : undefined;
    this.#of(question, member).ask(key, priority);
  }

  /** What waits for those who answer a question that is not about one member. */
  queueOf(question: Question): WorkQueue | undefined {
    return this.#controllers.get(question)?.queue;
  }

  #of(question: Question, member: string | undefined): Controller {
    const name = member === undefined ? question : `${question} ${member}`;
    const known = this.#controllers.get(name);
    if (known) return known;
    const rank = ranks[question] ?? 0;
    const giveWay = rank > 0 ? this.#giveWays[rank] : undefined;
    const made = this.#make(question, { onRest: () => this.#rested(rank), ...(giveWay && { giveWay }) }, member);
    this.#byRank[rank]?.add(made);
    this.#controllers.set(name, made);
    if (this.#running) made.start();
    return made;
  }

  /** Has anybody of a better rank something to do? */
  #isBusy(rank: number): boolean {
    for (const controllers of this.#byRank.slice(0, rank))
      for (const controller of controllers) if (isBusy(controller)) return true;
    return false;
  }

  #isBusyWith(question: Question): boolean {
    const controller = this.#controllers.get(question);
    return controller !== undefined && isBusy(controller);
  }

  #rested(rank: number): void {
    for (const giveWay of this.#giveWays.slice(rank + 1)) giveWay.idle();
    this.removals.idle();
    this.moves.idle();
  }

  start(): void {
    this.#running = true;
    for (const controller of this.#controllers.values()) controller.start();
  }

  async stop(withinMilliseconds: number): Promise<void> {
    this.#running = false;
    for (const giveWay of [...this.#giveWays, this.removals, this.moves]) giveWay.close();
    await Promise.all([...this.#controllers.values()].map((controller) => controller.stop(withinMilliseconds)));
  }

  /** What was asked at the start, before anybody asked for more, has been answered. */
  hasSeenAll(...about: readonly Question[]): boolean {
    return about.every((question) => (this.queueOf(question)?.sizeOf('low') ?? 0) === 0);
  }

  /** Nothing waits and nobody works. */
  get idle(): boolean {
    return ![...this.#controllers.values()].some(isBusy);
  }

  /** So many questions are to be asked again later. */
  get later(): number {
    return [...this.#controllers.values()].reduce((sum, { queue }) => sum + queue.waiting, 0);
  }
}

/** The member whose execution namespace a Work's key names. */
export function memberOfKey(key: string): string | undefined {
  return memberOfNamespace(key.split('|')[2]);
}

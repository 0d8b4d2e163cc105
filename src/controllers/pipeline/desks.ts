import { memberOfNamespace } from '../../api/index.ts';
import type { Question } from '../../engine/index.ts';
import { GiveWay } from '../../runtime/index.ts';
import type { Controller, ControllerOptions, Priority, WorkQueue } from '../../runtime/index.ts';

/** How a controller stands to the others. */
export type Manners = Pick<ControllerOptions, 'giveWay' | 'onRest'>;

/** Makes the controller of a question; for those about a member, of that member alone. */
export type MakeController = (question: Question, manners: Manners, member?: string) => Controller;

/** Questions about one Work: each member has its own queue, so that a dead or slow one never delays another. */
const byMember: ReadonlySet<Question> = new Set(['dispatch', 'reflect']);

/** Questions that only report: they wait while something is still on its way, and then say it once. */
const reports: ReadonlySet<Question> = new Set(['reflect', 'collect']);

/** The controllers of all questions, made when they are first needed. */
export class Desks {
  readonly name = 'controllers';
  readonly #make: MakeController;
  readonly #controllers = new Map<string, Controller>();
  /** Those to whom reports give way. */
  readonly #movers = new Set<Controller>();
  readonly giveWay = new GiveWay({ isBusy: () => this.#isMoving() });
  #running = false;

  constructor(make: MakeController) {
    this.#make = make;
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
    const made = reports.has(question)
      ? this.#make(question, { giveWay: this.giveWay }, member)
      : this.#make(question, { onRest: () => this.giveWay.rested() }, member);
    if (!reports.has(question)) this.#movers.add(made);
    this.#controllers.set(name, made);
    if (this.#running) made.start();
    return made;
  }

  #isMoving(): boolean {
    for (const { queue } of this.#movers) if (queue.size > 0 || queue.active > 0) return true;
    return false;
  }

  start(): void {
    this.#running = true;
    for (const controller of this.#controllers.values()) controller.start();
  }

  async stop(withinMilliseconds: number): Promise<void> {
    this.#running = false;
    this.giveWay.close();
    await Promise.all([...this.#controllers.values()].map((controller) => controller.stop(withinMilliseconds)));
  }

  /** What was asked at the start, before anybody asked for more, has been answered. */
  hasSeenAll(...about: readonly Question[]): boolean {
    return about.every((question) => (this.queueOf(question)?.sizeOf('low') ?? 0) === 0);
  }

  /** Nothing waits and nobody works. */
  get idle(): boolean {
    return [...this.#controllers.values()].every(({ queue }) => queue.size === 0 && queue.active === 0);
  }
}

/** The member whose execution namespace a Work's key names. */
export function memberOfKey(key: string): string | undefined {
  return memberOfNamespace(key.split('|')[2]);
}

import type { KubeObject } from '../../api/index.ts';
import type { Decision } from '../decision.ts';
import { questions } from './questions.ts';
import type { MemberBehaviour } from './members.ts';
import { promptMembers } from './members.ts';
import { wake, wakeAll } from './wakes.ts';
import type { Question, Wake } from './question.ts';
import type { World } from './world.ts';

/** How a world is settled. */
export interface Settling {
  /** The behaviour of members. */
  readonly members?: MemberBehaviour;
  /** Ask everything, as a restarted process does; otherwise only what has changed since the last settling. */
  readonly restart?: boolean;
  /** Questions to leave out. */
  readonly without?: ReadonlySet<Question>;
  /** Tells which questions about single objects are answered elsewhere. */
  readonly spare?: (question: Question, key: string, object?: KubeObject) => boolean;
  /** Questions to ask beside the ones that changes reopen. */
  readonly ask?: Iterable<readonly [Question, string]>;
  /**
   * Picks the open question to answer next, since controllers work side by side. Absent: all of the first kind that has
   * any.
   */
  readonly pick?: (open: readonly (readonly [Question, string])[]) => number;
  /** Called with every decision. */
  readonly trace?: { hear(question: Question, key: string, decision: Decision): void };
}

/** A world does not settle: two decisions undo each other. */
export class NotSettled extends Error {
  constructor(trail: readonly string[]) {
    super(`the world does not settle; last decisions:\n${trail.join('\n')}`);
    this.name = 'NotSettled';
  }
}

const order = Object.keys(questions) as readonly Question[];
/** Far more looks at one object than any change needs. */
const looksPerObject = 60;

/** Runs all decisions until none has anything to do. The given world stays as it is. */
export function settle(world: World, settling: Settling = {}): World {
  const next = world.fork();
  run(next, settling);
  return next;
}

/** Settles a world in place. */
export function run(world: World, settling: Settling = {}): void {
  const agenda = new Agenda(world, settling);
  if (settling.restart) agenda.askAll();
  for (const [question, key] of settling.ask ?? []) agenda.ask(question, key);
  agenda.takeAlarms();
  agenda.takeChanges();
  while (agenda.step());
}

class Agenda {
  readonly #world: World;
  readonly #open = new Map<Question, Set<string>>();
  readonly #members: MemberBehaviour;
  readonly #without: ReadonlySet<Question>;
  readonly #spare: Settling['spare'];
  readonly #trace: Settling['trace'];
  readonly #pick: Settling['pick'];
  readonly #trail: string[] = [];
  #looks = 0;

  constructor(world: World, settling: Settling) {
    this.#world = world;
    this.#members = settling.members ?? promptMembers;
    this.#without = settling.without ?? new Set();
    this.#spare = settling.spare;
    this.#trace = settling.trace;
    this.#pick = settling.pick;
    for (const question of order) this.#open.set(question, new Set());
  }

  readonly ask: Wake = (question, key, object) => {
    if (this.#without.has(question) || this.#spare?.(question, key, object)) return;
    this.#open.get(question)?.add(key);
  };

  askAll(): void {
    wakeAll(this.#world, this.#world.entries(), this.ask);
  }

  /** Treats an object whose time has come as if it had changed. */
  takeAlarms(): void {
    for (const [key, time] of this.#world.alarms) {
      if (Date.parse(time) > Date.parse(this.#world.now)) continue;
      this.#world.alarms.delete(key);
      const object = this.#world.get(key);
      if (object) wake(this.#world, { key, before: undefined, after: object }, this.ask);
    }
  }

  /** Turns changes into questions; members give the objects that they got a status. */
  takeChanges(): void {
    const { pending } = this.#world;
    for (let i = 0; i < pending.length; i++) {
      const change = pending[i];
      if (!change) continue;
      wake(this.#world, change, this.ask);
      if (change.at !== undefined && change.after) this.#behave(change.at, change.after);
    }
    pending.length = 0;
  }

  #behave(at: string, object: KubeObject): void {
    const status = this.#members(object);
    if (status !== undefined)
      this.#world.write({ verb: 'updateStatus', object: { ...object, status } as KubeObject, at });
  }

  /** Answers what is to be answered next; false when nothing is open. */
  step(): boolean {
    return this.#pick ? this.#answerOne(this.#pick) : this.#answerFirst();
  }

  #answerOne(pick: NonNullable<Settling['pick']>): boolean {
    const open = [...this.#open].flatMap(([question, keys]) => [...keys].map((key) => [question, key] as const));
    if (open.length === 0) return false;
    const [question, key] = open[pick(open)] ?? [];
    if (question === undefined || key === undefined) throw new Error('there is no such question');
    this.#open.get(question)?.delete(key);
    this.#answer(question, key);
    return true;
  }

  #answerFirst(): boolean {
    for (const question of order) {
      const open = this.#open.get(question);
      if (!open || open.size === 0) continue;
      this.#open.set(question, new Set());
      for (const key of open) this.#answer(question, key);
      return true;
    }
    return false;
  }

  #answer(question: Question, key: string): void {
    const decision = questions[question](this.#world, key);
    if (!decision) return;
    this.#guard(question, key, decision);
    this.#trace?.hear(question, key, decision);
    for (const action of decision.actions) this.#world.write(action.write);
    if (decision.reportedBy) this.ask(decision.reportedBy, key);
    if (decision.again) this.#remind(key, decision.again);
    this.takeChanges();
  }

  #remind(key: string, time: string): void {
    const earlier = this.#world.alarms.get(key);
    if (earlier === undefined || Date.parse(time) < Date.parse(earlier)) this.#world.alarms.set(key, time);
  }

  #guard(question: Question, key: string, { because, actions }: Decision): void {
    const left = this.#bound() - ++this.#looks;
    if (left >= 20) return;
    this.#trail.push(`${question} ${key}: ${because} (${actions.length} actions)`);
    if (left < 0) throw new NotSettled(this.#trail);
  }

  #bound(): number {
    return 2_000 + looksPerObject * (this.#world.size + 1);
  }
}

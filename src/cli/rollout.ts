import { setTimeout as sleep } from 'node:timers/promises';
import { refOf } from '../api/index.ts';
import type { Ref } from '../api/index.ts';
import { ask, progressOf } from './activation.ts';
import type { Activation, Progress as HowFar } from './activation.ts';
import { nameOf } from './change.ts';
import type { Hub } from './connect.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import type { Members } from './members.ts';
import { counted } from './print/output.ts';
import { Progress } from './print/progress.ts';

/** The result of a batch. */
export interface BatchReport {
  readonly templates: readonly Ref[];
  /** asked: nobody waited to see it arrive; waiting: it was not begun. */
  readonly state: 'inEffect' | 'asked' | 'failed' | 'waiting';
  /** Number of templates that are in effect, but suspended. */
  readonly suspended: number;
}

/** How batches are run. Times are in milliseconds. */
export interface Pace {
  readonly pause: number;
  readonly waitForLast: boolean;
  readonly longest: number;
  /** The first batch was begun by an earlier run: an earlier failure may be fixed by now. */
  readonly goesOn: boolean;
}

/** Where a run shows its progress, and how it is stopped. */
export type RolloutIo = Pick<Io, 'err' | 'progress' | 'columns' | 'interrupted'>;

/** With what they are run. */
export interface Site {
  readonly hub: Hub;
  readonly members: Members;
  readonly io: RolloutIo;
  /** Called with every batch that is done. */
  readonly say: (line: string) => void;
}

const goOn = 'fix the error, then run the command again';
/** Number of requests at a time. */
const atOnce = 8;
const firstMilliseconds = 50;
const longestMilliseconds = 2000;
/** Milliseconds that a controller may pause before it tries again. */
const retryMilliseconds = 60_000;

/** Takes up what is pending, batch after batch; stops when one fails, or when the user interrupts. */
export class Rollout {
  readonly #site: Site;
  readonly #batches: readonly (readonly Activation[])[];
  readonly #pace: Pace;
  readonly #bar: Progress;
  readonly #total: number;
  readonly #reports: BatchReport[];
  #done = 0;

  constructor(site: Site, batches: readonly (readonly Activation[])[], pace: Pace) {
    this.#site = site;
    this.#batches = batches;
    this.#pace = pace;
    this.#bar = new Progress(site.io);
    this.#total = batches.flat().length;
    this.#reports = batches.map((batch) => ({
      templates: batch.map(({ template }) => refOf(template)),
      state: 'waiting',
      suspended: 0,
    }));
  }

  /** The results of the batches so far. */
  get reports(): readonly BatchReport[] {
    return this.#reports;
  }

  async run(): Promise<void> {
    try {
      for (const [i, batch] of this.#batches.entries()) {
        if (i > 0) await this.#rest(this.#pace.pause, 'waiting for the next batch');
        await this.#runBatch(i, batch);
      }
    } finally {
      this.#bar.clear();
    }
  }

  async #runBatch(i: number, batch: readonly Activation[]): Promise<void> {
    if (this.#site.io.interrupted.aborted) throw this.#interrupted();
    this.#report(i, { state: 'failed' });
    await this.#askAll(batch);
    const title = this.#batches.length > 1 ? `batch ${i + 1} of ${this.#batches.length}: ` : '';
    if (i === this.#batches.length - 1 && !this.#pace.waitForLast) {
      this.#report(i, { state: 'asked' });
      this.#site.say(`${title}${counted(batch.length, 'template')} requested to apply pending changes\n`);
      return;
    }
    const patience = i === 0 && this.#pace.goesOn ? Math.min(retryMilliseconds, this.#pace.longest) : 0;
    const suspended = await this.#arrived(batch, { title, patience });
    this.#done += batch.length;
    this.#report(i, { state: 'inEffect', suspended });
    this.#bar.clear();
    const andSuspended = suspended > 0 ? `, ${suspended} of them suspended` : '';
    this.#site.say(`${title}${counted(batch.length, 'template')} in effect${andSuspended}\n`);
  }

  /**
   * Each request is a write of its own: an interrupt leaves some requested and the others as they were, none in
   * between.
   */
  async #askAll(batch: readonly Activation[]): Promise<void> {
    const { hub, io } = this.#site;
    const open = [...batch];
    const asker = async (): Promise<void> => {
      for (let next = open.shift(); next; next = open.shift()) {
        if (io.interrupted.aborted) throw this.#interrupted();
        await ask(hub, next);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, asker));
  }

  #report(i: number, change: Partial<BatchReport>): void {
    const present = this.#reports[i];
    if (present) this.#reports[i] = { ...present, ...change };
  }

  /** Waits until a batch is where it belongs; answers how many of it are suspended. A failure counts when patience is over. */
  async #arrived(batch: readonly Activation[], { title, patience }: Waiting): Promise<number> {
    const start = Date.now();
    let open = batch;
    let suspended = 0;
    for (let wait = firstMilliseconds; ; wait = Math.min(longestMilliseconds, wait * 2)) {
      const looks = await look(this.#site, open);
      if (Date.now() >= start + patience)
        for (const { activation, progress } of looks) this.#check(activation, progress);
      suspended += looks.filter(({ progress }) => progress.is === 'done' && progress.suspended).length;
      const late = looks.filter(({ progress }) => progress.is !== 'done');
      open = late.map(({ activation }) => activation);
      const [first] = late;
      if (!first) return suspended;
      if (Date.now() > start + this.#pace.longest) throw this.#tooLate(first);
      await this.#rest(wait, `${title}${lateWords(first)}`, batch.length - open.length);
    }
  }

  async #rest(milliseconds: number, what: string, arrived = 0): Promise<void> {
    this.#bar.show(this.#done + arrived, this.#total, what);
    try {
      await sleep(milliseconds, undefined, { signal: this.#site.io.interrupted });
    } catch {
      throw this.#interrupted();
    }
  }

  #interrupted(): Failure {
    return new Failure(
      `interrupted: ${this.#done} of ${this.#total} are in effect; run the command again for the rest`,
    );
  }

  #check({ template }: Activation, progress: HowFar): void {
    if (progress.is !== 'failed') return;
    throw new Failure(`${nameOf(refOf(template))} failed: ${progress.why}; ${this.#stopped()}`);
  }

  #tooLate(late: Look): Failure {
    const { template } = late.activation;
    return new Failure(`${nameOf(refOf(template))} did not arrive in time (${whatOf(late)}); ${this.#stopped()}`);
  }

  #stopped(): string {
    return `stopped with ${this.#done} of ${this.#total} in effect: ${goOn}`;
  }
}

interface Look {
  readonly activation: Activation;
  readonly progress: HowFar;
}

interface Waiting {
  readonly title: string;
  /** In milliseconds. */
  readonly patience: number;
}

function lateWords(late: Look): string {
  return `${nameOf(refOf(late.activation.template))} ${whatOf(late)}`;
}

function whatOf({ progress }: Look): string {
  if (progress.is === 'underWay') return progress.what;
  return progress.is === 'failed' ? progress.why : '';
}

async function look({ hub: { client }, members }: Site, open: readonly Activation[]): Promise<readonly Look[]> {
  const from = { client, members, clusters: await members.clusters() };
  return Promise.all(open.map(async (activation) => ({ activation, progress: await progressOf(from, activation) })));
}

import { StoreError } from './contract.ts';
import type {
  Entry,
  ListOptions,
  ListPage,
  Stampable,
  Store,
  StoreWrite,
  Watch,
  Watcher,
  Written,
} from './contract.ts';
import type { History } from './history.ts';
import type { Image, Journal } from './journal.ts';
import { WriteQueue } from './queue.ts';
import { defaultRetention, RetentionClock } from './retention.ts';
import type { Retention } from './retention.ts';
import { bytesOf, Version } from './version.ts';
import { Watches } from './watches.ts';

/** The options of every driver. */
export interface StoreOptions {
  readonly retention?: Partial<Retention>;
  /** Milliseconds between attempts to write again after a failure. */
  readonly probeEvery?: number;
  /** Called with the reason why the store became read-only, and with undefined when it has recovered. */
  readonly onHealth?: (readonlyBecause: string | undefined) => void;
}

/** Changes compacted per commit: more would make writers wait. */
const compactionStep = 2000;

interface CompactionGoal {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * A store over a journal.
 * Flow: write → WriteQueue → Journal.append → History.apply → Watches.publish → the writer's promise.
 * Guarantees: revisions are given out when a write is queued and only ever reused after all queued writes failed together.
 */
export class LogStore implements Store {
  readonly #history: History;
  readonly #journal: Journal;
  readonly #watches: Watches;
  readonly #queue = new WriteQueue();
  readonly #retention: RetentionClock;
  readonly #options: StoreOptions;
  readonly #tick: NodeJS.Timeout;
  readonly #backups = new Set<Promise<void>>();
  #goals: CompactionGoal[] = [];
  #busy: Promise<void> | undefined;
  #readonlyBecause: string | undefined;
  #probe: NodeJS.Timeout | undefined;
  #recovering: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(history: History, journal: Journal, options: StoreOptions) {
    this.#history = history;
    this.#journal = journal;
    this.#watches = new Watches(history);
    this.#options = options;
    const retention = { ...defaultRetention, ...options.retention };
    this.#retention = new RetentionClock(retention);
    this.#tick = setInterval(() => this.#age(), Math.min(Math.max(10, retention.age / 10), 60_000)).unref();
    this.#age();
  }

  get revision(): number {
    return this.#history.revision;
  }

  get compacted(): number {
    return this.#history.compacted;
  }

  get readonlyBecause(): string | undefined {
    return this.#readonlyBecause;
  }

  get(key: string): Entry | undefined {
    return this.#history.get(key);
  }

  list(prefix: string, options: ListOptions = {}): ListPage {
    return this.#history.list(prefix, options);
  }

  count(prefix: string): number {
    return this.#history.count(prefix);
  }

  async write(write: StoreWrite): Promise<Entry> {
    this.#requireWritable();
    const rival = this.#queue.tip(write.key);
    const current = rival ? alive(rival.version) : this.#history.get(write.key);
    const refusal = refusalOf(write, current);
    if (refusal) {
      if (!rival) throw refusal;
      return new Promise((_, reject) => {
        rival.losers.push((failure) => reject(failure ?? refusal));
      });
    }
    const revision = this.#nextRevision();
    const version = versionOf(write, revision, current);
    if (revision !== this.#nextRevision()) throw new TypeError('a value must not write to the store while it is made');
    return new Promise((resolve, reject) => {
      this.#queue.add({ version, resolve, reject, losers: [] });
      this.#wake();
    });
  }

  watch(prefix: string, from: number, watcher: Watcher): Watch {
    this.#requireOpen();
    this.#history.require(from);
    return this.#watches.add(prefix, from, watcher);
  }

  async compact(revision: number): Promise<void> {
    this.#requireWritable();
    if (revision <= this.compacted) return;
    this.#history.require(revision);
    await new Promise<void>((resolve, reject) => {
      this.#goals.push({ revision, resolve, reject });
      this.#wake();
    });
  }

  async backup(file: string): Promise<void> {
    this.#requireOpen();
    const image = (): Image => ({
      compacted: this.compacted,
      revision: this.revision,
      versions: this.#history.versions(),
    });
    const backup = this.#journal.backup(file, image);
    this.#backups.add(backup);
    try {
      await backup;
    } finally {
      this.#backups.delete(backup);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#tick);
    clearTimeout(this.#probe);
    await this.#recovering;
    await this.#busy;
    await Promise.allSettled(this.#backups);
    this.#watches.close();
    await this.#journal.close();
  }

  #nextRevision(): number {
    return this.revision + this.#queue.ahead + 1;
  }

  #requireOpen(): void {
    if (this.#closing) throw new StoreError('closed', 'the store is closed');
  }

  #requireWritable(): void {
    this.#requireOpen();
    if (this.#readonlyBecause !== undefined) throw readonly(this.#readonlyBecause);
  }

  #wake(): void {
    this.#busy ??= new Promise((done) => {
      this.#journal.gather(() => {
        void this.#work().then(done);
      });
    });
  }

  /** Alternates between a batch of writes and a step of compaction until there is neither. */
  async #work(): Promise<void> {
    try {
      while (this.#queue.waiting > 0 || this.#goals.length > 0) {
        await this.#commit();
        await this.#compactStep();
      }
    } catch (error) {
      this.#fail(error as Error);
    }
    // Nothing is awaited between the last look at the queue and here, so no write is left behind.
    this.#busy = undefined;
  }

  async #commit(): Promise<void> {
    const batch = this.#queue.take().map((write) => write.version);
    if (batch.length === 0) return;
    await this.#journal.append(batch);
    for (const version of batch) this.#history.apply(version);
    // Landed changes are counted once: a watcher that writes when it is called gets the next revision, not one beyond.
    this.#queue.landed();
    this.#watches.publish(batch);
    if (this.#retention.isOver(this.#history)) this.#forget(this.#retention.bySize(this.#history));
  }

  async #compactStep(): Promise<void> {
    const goal = Math.max(...this.#goals.map((goal) => goal.revision));
    const step = Math.min(goal, this.compacted + compactionStep);
    if (this.#goals.length > 0 && step > this.compacted) {
      await this.#journal.compact(step, this.#history.superseded(step));
      this.#history.compact(step);
      this.#watches.compacted();
    }
    const reached = this.#goals.filter((goal) => goal.revision <= this.compacted);
    this.#goals = this.#goals.filter((goal) => goal.revision > this.compacted);
    for (const goal of reached) goal.resolve();
  }

  #age(): void {
    const due = this.#retention.byAge(this.#history, Date.now());
    if (due > this.compacted && this.#readonlyBecause === undefined) this.#forget(due);
  }

  /** Compaction on the store's own behalf: a failure has made the store read-only, and a later turn tries again. */
  #forget(revision: number): void {
    if (this.#closing || this.#goals.some((goal) => goal.revision >= revision)) return;
    this.#goals.push({ revision, resolve: () => {}, reject: () => {} });
    this.#wake();
  }

  #fail(cause: Error): void {
    this.#setHealth(cause.message);
    const error = readonly(cause.message, cause);
    const goals = this.#goals;
    this.#goals = [];
    this.#queue.failed(error);
    for (const goal of goals) goal.reject(error);
    this.#probeLater();
  }

  #probeLater(): void {
    if (this.#closing) return;
    this.#probe = setTimeout(() => {
      this.#recovering = this.#recover();
    }, this.#options.probeEvery ?? 1000);
  }

  async #recover(): Promise<void> {
    try {
      await this.#journal.recover(this.revision);
      this.#setHealth(undefined);
    } catch (error) {
      this.#setHealth((error as Error).message);
      this.#probeLater();
    }
  }

  #setHealth(because: string | undefined): void {
    if (because === this.#readonlyBecause) return;
    this.#readonlyBecause = because;
    this.#options.onHealth?.(because);
  }
}

function readonly(because: string, cause?: Error): StoreError {
  return new StoreError('readonly', `the store is read-only: ${because}`, cause ? { cause } : {});
}

function alive(version: Version): Version | undefined {
  return version.deleted ? undefined : version;
}

function refusalOf(write: StoreWrite, current: Version | undefined): StoreError | undefined {
  if (write.verb === 'delete' && !current) return new StoreError('conflict', `${write.key} does not exist`);
  if (write.revision === undefined || write.revision === (current?.revision ?? 0)) return undefined;
  if (!current)
    return new StoreError('conflict', `${write.key} does not exist, revision ${write.revision} was expected`);
  const expected = write.revision === 0 ? 'was expected not to exist' : `was expected at revision ${write.revision}`;
  return new StoreError('conflict', `${write.key} is at revision ${current.revision} and ${expected}`);
}

function versionOf(write: StoreWrite, revision: number, current: Version | undefined): Version {
  const { key, value } = write;
  if (!key.isWellFormed()) throw new TypeError('a key must be well-formed text: no file could hold it');
  const created = current?.created ?? revision;
  const deleted = write.verb === 'delete';
  if (value === undefined) {
    const bytes = current?.bytes ?? Buffer.from('null');
    return new Version({ key, revision, created, bytes, recipe: current?.recipe }, deleted);
  }
  const made = valueOf(value, revision, current);
  const { text, recipe }: Written = write.text ? write.text(made) : { text: JSON.stringify(made) };
  return new Version({ key, revision, created, bytes: bytesOf(text), value: made, recipe }, deleted);
}

function valueOf(value: Stampable, revision: number, current: Version | undefined): object {
  return typeof value === 'function' ? value(revision, current) : value;
}

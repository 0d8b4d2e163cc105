import { StoreError } from './contract.ts';
import type { ListOptions, ListPage } from './contract.ts';
import { Ordered } from './ordered.ts';
import { before } from './version.ts';
import type { Version } from './version.ts';

interface Chain {
  readonly key: string;
  latest: Version;
}

/** The memory of one change in the log, beside the state that it replaced. */
const changeWeight = 256;

/**
 * Everything that can be read: each key's chain of versions back to the compaction, and the log of changes since.
 * Invariant: the log has the revisions compacted + 1 … revision, one each.
 */
export class History {
  #chains = new Map<string, Chain>();
  /** Chains that end in a deletion are in `#all` only: an old list needs them, today's must not walk over them. */
  #live = new Ordered<Chain>();
  #all = new Ordered<Chain>();
  #log: Version[] = [];
  #compacted: number;
  #weight = 0;

  constructor(compacted = 0) {
    this.#compacted = compacted;
  }

  get compacted(): number {
    return this.#compacted;
  }

  get revision(): number {
    return this.#compacted + this.#log.length;
  }

  /** Bytes kept only for the past. */
  get weight(): number {
    return this.#weight;
  }

  /** Number of keys that are kept, including those that only the past knows. */
  get keys(): number {
    return this.#all.size;
  }

  /** How many changes can still be watched. */
  get length(): number {
    return this.#log.length;
  }

  /** Takes the versions of an opened log, in revision order: first what the compaction left, then every change. */
  load(versions: Iterable<Version>): void {
    for (const version of versions) {
      const chain = this.#chains.get(version.key);
      this.#record(version, chain);
      if (chain) chain.latest = version;
      else this.#chains.set(version.key, { key: version.key, latest: version });
    }
    const sorted = [...this.#chains.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    this.#all.fill(sorted);
    this.#live.fill(sorted.filter((chain) => !chain.latest.deleted));
  }

  /** Adds the next revision. */
  apply(version: Version): void {
    const chain = this.#chains.get(version.key);
    this.#record(version, chain);
    if (!chain) return this.#begin({ key: version.key, latest: version });
    if (chain.latest.deleted && !version.deleted) this.#live.insert(chain);
    if (version.deleted) this.#live.remove(version.key);
    chain.latest = version;
  }

  #begin(chain: Chain): void {
    this.#chains.set(chain.key, chain);
    this.#all.insert(chain);
    if (!chain.latest.deleted) this.#live.insert(chain);
  }

  #record(version: Version, chain: Chain | undefined): void {
    if (version.revision <= this.#compacted) return;
    version.previous = chain?.latest;
    this.#log.push(version);
    this.#weight += weightOf(version);
  }

  get(key: string): Version | undefined {
    const latest = this.#chains.get(key)?.latest;
    return latest?.deleted ? undefined : latest;
  }

  /** The changes of revisions after `from` up to `to`, in order. */
  changes(from: number, to: number): readonly Version[] {
    return this.#log.slice(from - this.#compacted, to - this.#compacted);
  }

  /** Throws unless reads and watches may start at this revision. */
  require(revision: number): void {
    if (revision < this.#compacted) {
      throw new StoreError('compacted', `revision ${revision} is gone: the store starts at ${this.#compacted}`);
    }
    if (revision > this.revision) {
      throw new StoreError('future', `revision ${revision} is not there yet: the store is at ${this.revision}`);
    }
  }

  count(prefix: string): number {
    return this.#live.distance(this.#live.seek(prefix), this.#live.seekEnd(prefix));
  }

  list(prefix: string, options: ListOptions): ListPage {
    const at = options.at ?? this.revision;
    this.require(at);
    const limit = options.limit || Infinity;
    const after = options.after !== undefined && options.after >= prefix ? options.after : undefined;
    const entries = this.#page({ prefix, at, limit, after });
    const last = entries.length < limit ? undefined : entries.at(-1)?.key;
    if (last === undefined) return { entries, revision: at, remaining: 0 };
    const remaining = this.#remaining(prefix, last, at);
    return remaining > 0 ? { entries, revision: at, remaining, next: last } : { entries, revision: at, remaining };
  }

  #page(range: { prefix: string; at: number; limit: number; after: string | undefined }): Version[] {
    const { prefix, at, limit, after } = range;
    const now = at === this.revision;
    const chains = now ? this.#live : this.#all;
    const entries: Version[] = [];
    chains.walk(after === undefined ? chains.seek(prefix) : chains.seekAfter(after), (chain) => {
      if (!chain.key.startsWith(prefix)) return false;
      const version = now ? chain.latest : versionAt(chain, at);
      if (version) entries.push(version);
      return entries.length < limit;
    });
    return entries;
  }

  /** Counts from today's index and undoes what happened since, so that a page costs no walk over all the others. */
  #remaining(prefix: string, last: string, at: number): number {
    let count = this.#live.distance(this.#live.seekAfter(last), this.#live.seekEnd(prefix));
    for (let i = at - this.#compacted; i < this.#log.length; i++) {
      const version = this.#log[i] as Version;
      if (version.key <= last || !version.key.startsWith(prefix)) continue;
      if (version.deleted) count++;
      else if (version.created === version.revision) count--;
    }
    return count;
  }

  /** The revisions that nothing can read once the log is compacted to this one. */
  superseded(revision: number): readonly number[] {
    const gone: number[] = [];
    for (const version of this.changes(this.#compacted, revision)) {
      const last = before(version);
      if (last) gone.push(last.revision);
      if (version.deleted) gone.push(version.revision);
    }
    return gone;
  }

  /** Forgets all that only revisions before this one can read. */
  compact(revision: number): void {
    for (const version of this.#log.splice(0, revision - this.#compacted)) {
      this.#weight -= weightOf(version);
      version.previous = undefined;
      if (version.deleted && this.#chains.get(version.key)?.latest === version) {
        this.#chains.delete(version.key);
        this.#all.remove(version.key);
      }
    }
    this.#compacted = revision;
  }

  /** The oldest revision from which on the past fits these bounds. */
  fitting(bounds: { readonly bytes: number; readonly changes: number }): number {
    let weight = this.#weight;
    let dropped = Math.max(0, this.#log.length - bounds.changes);
    for (let i = 0; i < dropped; i++) weight -= weightOf(this.#log[i] as Version);
    while (weight > bounds.bytes && dropped < this.#log.length) weight -= weightOf(this.#log[dropped++] as Version);
    return this.#compacted + dropped;
  }

  /** Every version that can be read, in revision order. */
  versions(): readonly Version[] {
    const kept: Version[] = [];
    for (const { latest } of this.#chains.values()) {
      const oldest = versionAt({ latest }, this.#compacted);
      if (oldest) kept.push(oldest);
    }
    kept.sort((a, b) => a.revision - b.revision);
    return [...kept, ...this.#log];
  }
}

function versionAt(chain: Pick<Chain, 'latest'>, at: number): Version | undefined {
  let version: Version | undefined = chain.latest;
  while (version && version.revision > at) version = version.previous;
  return version?.deleted ? undefined : version;
}

function weightOf(version: Version): number {
  return changeWeight + (before(version)?.bytes.length ?? 0);
}

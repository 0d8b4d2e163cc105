import { defaultGates, defaultSettings, keyOf, refOf } from '../../api/index.ts';
import type {
  Binding,
  Cluster,
  Gates,
  KubeObject,
  MemberObject,
  Ref,
  Settings,
  UnreadableObject,
  View,
} from '../../api/index.ts';
import { bindingRefIn, ownsBinding } from '../claim/index.ts';
import type { Write } from '../decision.ts';
import { workRef } from '../fleet/index.ts';
import { clustersKey, kindKey, memberWorksKey } from '../match/index.ts';
import { whyUnreadable } from '../validate/readable.ts';
import { Table } from './table.ts';
import type { Objects } from './table.ts';
import { written } from './written.ts';

/** A changed object, for listeners that keep an agenda; `at` is the member, or absent for the hub. */
export interface Change {
  /** Begins with `@` and the member's name there. */
  readonly key: string;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  readonly at?: string;
}

/** Worlds below this size are copied; larger ones are layered over an unchanging ground. */
const layeredFrom = 2_000;

/** Names a member's object among those of the hub. */
export function memberKey(member: string, key: string): string {
  return `@${member}|${key}`;
}

/** The parts of a world. */
interface State {
  /** A table that does not change any more, below; only large worlds have one. */
  readonly ground: Table | undefined;
  readonly table: Table;
  readonly gates: Gates;
  readonly settings: Settings;
  readonly now: string;
  readonly revision: number;
  readonly pending: Change[];
  readonly alarms: Map<string, string>;
  readonly silent: Set<string>;
  readonly unreadable: Map<string, UnreadableObject>;
}

/** A world with nothing in it. */
export function emptyWorld(
  options: { readonly gates?: Partial<Gates>; readonly settings?: Partial<Settings>; readonly now?: string } = {},
): World {
  return new World({
    ground: undefined,
    table: new Table(),
    gates: { ...defaultGates, ...options.gates },
    settings: { ...defaultSettings, ...options.settings },
    now: options.now ?? '2026-01-01T00:00:00Z',
    revision: 0,
    pending: [],
    alarms: new Map(),
    silent: new Set(),
    unreadable: new Map(),
  });
}

/**
 * A hub and its members in memory: what the decisions see in tests and in plans. It behaves as API servers do where
 * decisions rely on it: resource versions, generations, finalizers, garbage collection by owner.
 */
export class World implements View {
  readonly #ground: Table | undefined;
  readonly #table: Table;
  readonly gates: Gates;
  readonly settings: Settings;
  now: string;
  #revision: number;
  /** The changes since the last settling; a settled world has none. */
  readonly pending: Change[];
  /** Objects to look at again when their time has come, by key → RFC 3339. */
  readonly alarms: Map<string, string>;
  /** Members that do not answer. */
  readonly silent: Set<string>;
  readonly unreadable: Map<string, UnreadableObject>;
  health?: View['health'];
  awakeSince?: string | undefined;
  #clusters: readonly Cluster[] | undefined;

  constructor(state: State) {
    this.#ground = state.ground;
    this.#table = state.table;
    this.gates = state.gates;
    this.settings = state.settings;
    this.now = state.now;
    this.#revision = state.revision;
    this.pending = state.pending;
    this.alarms = state.alarms;
    this.silent = state.silent;
    this.unreadable = state.unreadable;
  }

  /** A copy that can change on its own; a large world must not change while a copy of it lives. */
  fork(): World {
    const layered = this.#ground !== undefined || this.size > layeredFrom;
    const copy = new World({
      ground: layered ? (this.#ground ?? this.#table) : undefined,
      table: layered && !this.#ground ? new Table() : new Table(this.#table),
      gates: this.gates,
      settings: this.settings,
      now: this.now,
      revision: this.#revision,
      pending: [...this.pending],
      alarms: new Map(this.alarms),
      silent: new Set(this.silent),
      unreadable: new Map(this.unreadable),
    });
    copy.#clusters = this.#clusters;
    if (this.health) copy.health = this.health;
    return copy;
  }

  get clusters(): readonly Cluster[] {
    return (this.#clusters ??= this.#listClusters());
  }

  #listClusters(): readonly Cluster[] {
    const found: Cluster[] = [];
    this.each(clustersKey, (cluster) => void found.push(cluster as Cluster));
    return found.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  get size(): number {
    return this.#table.size + (this.#ground?.size ?? 0);
  }

  get(key: string): KubeObject | undefined {
    const own = this.#table.objects.get(key);
    if (own !== undefined) return own ?? undefined;
    return this.#ground?.objects.get(key) ?? undefined;
  }

  each(indexKey: string, visit: (object: KubeObject, key: string) => void): void {
    const ground = this.#ground;
    if (ground) {
      ground.index.each(indexKey, (key) => {
        if (this.#table.objects.has(key)) return;
        const object = ground.objects.get(key);
        if (object) visit(object, key);
      });
    }
    this.#table.index.each(indexKey, (key) => {
      const object = this.#table.objects.get(key);
      if (object) visit(object, key);
    });
  }

  has(indexKey: string): boolean {
    return this.#table.index.has(indexKey) || this.#ground?.index.has(indexKey) === true;
  }

  namespaces(kind: string, prefix: string, visit: (namespace: string) => void): void {
    const seen = new Set<string>();
    for (const table of [this.#ground, this.#table]) {
      table?.index.namespaces(kind, prefix, (namespace) => {
        if (!seen.has(namespace)) visit(namespace);
        seen.add(namespace);
      });
    }
  }

  /** The kinds (`apiVersion|kind`) of which there are objects on the hub, or were. */
  kinds(): ReadonlySet<string> {
    const prefix = kindKey('');
    const found = new Set<string>();
    for (const table of [this.#ground, this.#table])
      for (const indexKey of table?.index.indexKeys(prefix) ?? []) found.add(indexKey.slice(prefix.length));
    return found;
  }

  member(member: string, key: string): MemberObject {
    if (this.silent.has(member)) return 'unknown';
    return this.inMember(member, key) ?? 'absent';
  }

  /** The object in a member, whether or not the member answers. */
  inMember(member: string, key: string): KubeObject | undefined {
    const own = this.#table.members.get(member)?.get(key);
    if (own !== undefined) return own ?? undefined;
    return this.#ground?.members.get(member)?.get(key) ?? undefined;
  }

  /** Every object of the hub and then of the members, with its key; a member's key begins with `@`. */
  *entries(): Iterable<readonly [string, KubeObject]> {
    yield* overlaid(this.#table.objects, this.#ground?.objects);
    for (const [key, { object }] of this.unreadable) yield [key, object];
    for (const member of new Set([...this.#table.members.keys(), ...(this.#ground?.members.keys() ?? [])])) {
      const found = overlaid(this.#table.members.get(member), this.#ground?.members.get(member));
      for (const [key, object] of found) yield [memberKey(member, key), object];
    }
  }

  /** The objects that this layer has touched in members; all of them in a small world. */
  *touchedInMembers(): Iterable<readonly [member: string, key: string]> {
    for (const [member, objects] of this.#table.members) for (const key of objects.keys()) yield [member, key];
  }

  /** Performs a write as an API server would; nothing happens when it would change nothing. */
  write(write: Write): void {
    const ref = write.verb === 'delete' ? write.ref : refOf(write.object);
    const key = keyOf(ref);
    const before = write.at === undefined ? this.#stored(key) : this.inMember(write.at, key);
    const after = written(write, before, { revision: this.#revision + 1, now: this.now });
    if (after === before) return;
    this.#revision++;
    this.#put(key, { before, after, at: write.at });
    if (!after && before && write.at === undefined) this.#collectOwned(before);
  }

  #stored(key: string): KubeObject | undefined {
    return this.unreadable.get(key)?.object ?? this.get(key);
  }

  /** Looks again at an object that could not be read. */
  #judge(key: string, after: KubeObject | undefined): boolean {
    if (!this.unreadable.delete(key)) return true;
    const message = after && whyUnreadable(after);
    if (!after || message === undefined) return true;
    this.unreadable.set(key, { object: after, message });
    return false;
  }

  #put(
    key: string,
    change: { before: KubeObject | undefined; after: KubeObject | undefined; at: string | undefined },
  ): void {
    const { before, after, at } = change;
    if (at !== undefined) {
      this.#table.putInMember(at, key, after ?? null);
      this.pending.push({ key: memberKey(at, key), before, after, at });
      return;
    }
    // Nothing was known of an object that could not be read.
    this.pending.push({ key, before: this.unreadable.has(key) ? undefined : before, after });
    if (this.#judge(key, after)) this.#table.put(key, after ?? null);
    if ((after ?? before)?.kind === 'Cluster') this.#clusters = undefined;
  }

  /** Deletes owned objects with their owner: the binding of a template, the Works in and of a namespace. */
  #collectOwned(owner: KubeObject): void {
    const ref = bindingRefIn(this, owner);
    const binding = this.get(keyOf(ref)) as Binding | undefined;
    if (binding && owner.metadata.uid && ownsBinding(owner, binding)) this.write({ verb: 'delete', ref });
    if (owner.kind !== 'Namespace') return;
    const works: Ref[] = [];
    this.each(memberWorksKey(owner.metadata.name), (work) => void works.push(refOf(work)));
    for (const { metadata } of this.clusters) works.push(workRef(owner, metadata.name));
    for (const work of works) this.write({ verb: 'delete', ref: work });
  }
}

/** Overlay entries first, then base entries that the overlay does not replace. */
function* overlaid(above: Objects | undefined, below: Objects | undefined): Iterable<readonly [string, KubeObject]> {
  for (const [key, object] of above ?? []) if (object) yield [key, object];
  for (const [key, object] of below ?? []) if (object && !above?.has(key)) yield [key, object];
}

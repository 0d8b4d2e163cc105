import type { KubeObject } from '../../api/index.ts';
import { foundWorld, groundOf, Members, snapshotBy, withAssumedWorks } from '../../cli/index.ts';
import type { Ground, Hub, Snapshot } from '../../cli/index.ts';
import type { ReflectedChange } from '../../client/index.ts';
import { fleetOf } from '../../engine/index.ts';
import type { FleetReport, World } from '../../engine/index.ts';
import type { HubState } from '../wire.ts';
import type { Person } from './credentials.ts';
import { Follower } from './follow.ts';

/** The state of the hub as one person sees it, at one time. */
export interface Picture {
  readonly revision: number;
  readonly snapshot: Snapshot;
  readonly world: World;
  readonly report: FleetReport;
}

/** Called with a new picture, and when the hub goes away or comes back. */
export type Listener = (news: { readonly revision: number; readonly state: HubState }) => void;

const idleMilliseconds = 60_000;
const shortestGap = 250;
const longestGap = 10_000;
const mostEvents = 5_000;

/**
 * Everything that one person sees of the hub, kept up to date by watches while somebody looks, and left alone a minute
 * after. All sessions and pages of the person share it. A picture is computed at most as often as a quarter of one processor allows.
 */
export class Sight {
  readonly user: string;
  readonly hub: Hub;
  readonly members: Members;
  readonly events = new Map<string, KubeObject>();
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners = new Set<Listener>();
  #follower: Follower | undefined;
  #started: Promise<void> | undefined;
  #revision = 0;
  #state: HubState = { up: true };
  #picture: Promise<Picture> | undefined;
  #pictured = -1;
  #cost = 0;
  #ended = 0;
  #ground: { readonly revision: number; readonly ground: Promise<Ground> } | undefined;
  #news: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ user, hub }: Person) {
    this.user = user;
    this.hub = hub;
    this.members = new Members(hub, '5s');
  }

  get revision(): number {
    return this.#revision;
  }

  get state(): HubState {
    return this.#state;
  }

  /** Calls back with news until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#look();
    return () => {
      this.#listeners.delete(listener);
      this.#look();
    };
  }

  /** The newest picture, or the last one while a newer one would cost too much. */
  async picture(): Promise<Picture> {
    this.#look();
    await (this.#started ??= this.#start());
    const isNew = this.#pictured === this.#revision;
    const isEarly = performance.now() < this.#ended + Math.min(longestGap, Math.max(shortestGap, this.#cost * 3));
    // A caller with an old picture is told to ask again when a newer one may be drawn.
    if (this.#picture && isEarly && !isNew) this.changed();
    if (this.#picture && (isNew || isEarly)) return this.#picture;
    this.#pictured = this.#revision;
    this.#picture = this.#draw(this.#revision);
    this.#picture.catch(() => (this.#picture = undefined));
    return this.#picture;
  }

  /** The settled state on which changes are planned; it is computed once for each picture. */
  async ground(): Promise<Ground> {
    const picture = await this.picture();
    const { revision } = picture;
    if (this.#ground?.revision !== revision) this.#ground = { revision, ground: this.#groundOf(picture) };
    return this.#ground.ground;
  }

  /** Works that the caller may not read are rendered from bindings and templates, as `sluice plan` does it. */
  async #groundOf({ snapshot }: Picture): Promise<Ground> {
    if (!snapshot.hidden.includes('works')) return groundOf(snapshot);
    const { objects, hidden } = snapshot;
    return groundOf(await snapshotBy(this.hub, this.members, (about) => withAssumedWorks({ objects, hidden }, about)));
  }

  /** Tells the pages that there is something new that no watch tells. */
  changed(): void {
    this.#revision++;
    this.#tellSoon();
  }

  /** Something was written: the next picture must show it, whatever it costs. */
  touch(): void {
    this.#ended = 0;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#news);
    await this.#stop();
    await this.members.close();
    await this.hub.close();
  }

  async #start(): Promise<void> {
    const follower = new Follower(this.hub, {
      onChanges: (changes, isEvents) => this.#take(changes, isEvents),
      onState: (state) => this.#tellState(state),
    });
    this.#follower = follower;
    try {
      await follower.start();
    } catch (error) {
      this.#started = undefined;
      throw error;
    }
  }

  async #stop(): Promise<void> {
    const follower = this.#follower;
    this.#follower = undefined;
    this.#started = undefined;
    this.#picture = undefined;
    this.#ground = undefined;
    await follower?.stop();
    this.#objects.clear();
    this.events.clear();
  }

  /** Watches end a minute after the last look. */
  #look(): void {
    clearTimeout(this.#idle);
    if (this.#listeners.size > 0) return;
    this.#idle = setTimeout(() => void this.#stop(), idleMilliseconds);
    this.#idle.unref();
  }

  #take(changes: readonly ReflectedChange[], isEvents: boolean): void {
    const into = isEvents ? this.events : this.#objects;
    for (const { key, after } of changes) {
      if (after) into.set(key, after);
      else into.delete(key);
    }
    if (isEvents) for (const key of into.keys()) if (into.size > mostEvents) into.delete(key);
    this.changed();
  }

  #tellState(state: HubState): void {
    if (state.up === this.#state.up) return;
    this.#state = state;
    this.#tellSoon();
  }

  /** Many changes are one piece of news. */
  #tellSoon(): void {
    if (this.#news) return;
    const wait = Math.min(longestGap, Math.max(shortestGap, this.#cost * 3));
    this.#news = setTimeout(() => {
      this.#news = undefined;
      for (const listener of this.#listeners) listener({ revision: this.#revision, state: this.#state });
    }, wait);
    this.#news.unref();
  }

  async #draw(revision: number): Promise<Picture> {
    const hidden = this.#follower?.hidden ?? [];
    const snapshot = await snapshotBy(this.hub, this.members, () => ({ objects: [...this.#objects.values()], hidden }));
    const begun = performance.now();
    const world = foundWorld(snapshot);
    const report = fleetOf(world, { hidden: snapshot.hidden });
    this.#ended = performance.now();
    this.#cost = this.#ended - begun;
    return { revision, snapshot, world, report };
  }
}

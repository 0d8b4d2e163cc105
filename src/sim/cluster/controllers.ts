import type { StoredChange } from '../../apiserver/index.ts';
import { hasReason } from '../../api/index.ts';
import { longestTimer } from '../../base/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { followAll, KeyWorkers, objectKey, partsOfKey } from '../../apiserver/index.ts';
import type { Store } from '../../store/index.ts';
import type { AnyBehaviour, Behaviour, Observer } from './behaviour.ts';
import type { Cluster } from './cluster.ts';
import { controllerOf } from './family.ts';
import { kinds } from './kinds.ts';
import type { Kind } from './kinds.ts';

/** The options of the controllers of a simulated member. */
export interface ControllersOptions {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly behaviours: readonly AnyBehaviour[];
  readonly observers?: readonly Observer[];
  readonly onError: (error: unknown) => void;
}

const separator = ' ';

/**
 * Runs the behaviours of a cluster: one follower of the store, one queue of what needs a look.
 * Flow: a change is learnt by the observers, then wakes keys; a look at a key reads what is stored now.
 * Guarantees: never two looks of one behaviour at one object at a time; a look that fails is tried again later.
 */
export class Controllers {
  readonly #options: ControllersOptions;
  readonly #observers: readonly Observer[];
  readonly #queue: KeyWorkers;
  readonly #byName: ReadonlyMap<string, Behaviour>;
  readonly #byResource = new Map<string, Behaviour[]>();
  readonly #byWaker = new Map<string, Behaviour[]>();
  readonly #timers = new Map<string, () => void>();
  readonly #due = new Set<string>();
  readonly #stop: () => void;

  constructor(options: ControllersOptions) {
    this.#options = options;
    const { family, orphans, podLabels } = options.cluster;
    const behaviours = options.behaviours as readonly Behaviour[];
    const own = behaviours.flatMap(({ observers = [] }) => observers);
    this.#observers = [family, orphans, podLabels, ...own, ...(options.observers ?? [])];
    this.#byName = new Map(behaviours.map((one) => [one.name, one]));
    for (const one of behaviours) {
      append(this.#byResource, `${one.kind.group}/${one.kind.plural}`, one);
      for (const resource in one.wakes) append(this.#byWaker, resource, one);
    }
    const { clock } = options.cluster;
    this.#queue = new KeyWorkers({ clock, work: (key) => this.#look(key), onError: options.onError });
    this.#stop = followAll(options.store, {
      reset: () => this.#reset(),
      change: (change) => this.#heed(change),
      concerns: ({ key }) => watched.has(resourceOf(key)),
    });
  }

  /** Resolves when nothing needs a look now; what waits for its time does not count. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  close(): void {
    this.#stop();
    this.#queue.close();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #reset(): void {
    for (const observer of this.#observers) observer.clear();
  }

  #heed(change: StoredChange): void {
    const { key, before, after } = change;
    const resource = resourceOf(key);
    if (!watched.has(resource)) return;
    for (const observer of this.#observers) observer.learn(resource, change);
    if (after) for (const one of this.#byResource.get(resource) ?? []) this.#wake(one, key);
    this.#wakeOwner(key, before);
    this.#wakeOwner(key, after);
    this.#wakeConcerned(resource, change);
  }

  #wakeConcerned(resource: string, change: StoredChange): void {
    for (const one of this.#byWaker.get(resource) ?? []) {
      for (const key of one.wakes?.[resource]?.(this.#options.cluster, change) ?? []) this.#wake(one, key);
    }
  }

  #wakeOwner(key: string, object: KubeObject | undefined): void {
    const owner = controllerOf(object);
    if (!owner) return;
    const kind = byName.get(`${owner.apiVersion} ${owner.kind}`);
    if (!kind) return;
    const ownerKey = objectKey(kind, partsOfKey(key)?.namespace ?? '', owner.name);
    for (const one of this.#byResource.get(`${kind.group}/${kind.plural}`) ?? []) this.#wake(one, ownerKey);
  }

  /** Not at once: the changes of one commit are learnt together before anybody looks. */
  #wake({ name }: Behaviour, key: string): void {
    if (this.#due.size === 0) queueMicrotask(() => this.#flush());
    this.#due.add(name + separator + key);
  }

  #flush(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const key of due) this.#queue.add(key);
  }

  async #look(work: string): Promise<void> {
    const at = work.indexOf(separator);
    const behaviour = this.#byName.get(work.slice(0, at));
    const object = behaviour && this.#options.cluster.at(behaviour.kind, work.slice(at + 1));
    this.#timers.get(work)?.();
    this.#timers.delete(work);
    if (!behaviour || !object) return;
    try {
      const again = await behaviour.look(this.#options.cluster, object);
      if (again !== undefined) this.#later(work, again);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  #later(work: string, milliseconds: number): void {
    const cancel = this.#options.cluster.clock.after(Math.min(longestTimer, Math.max(1, milliseconds)), () => {
      this.#timers.delete(work);
      this.#queue.add(work);
    });
    this.#timers.set(work, cancel);
  }
}

/** Somebody was faster, and what they wrote has woken the key again; or the namespace is on its way out, and all with it. */
function isPassing(error: unknown): boolean {
  return hasReason(error, 'Conflict') || hasReason(error, 'NotFound') || hasReason(error, 'Forbidden');
}

const byName = new Map(Object.values(kinds).map((one: Kind) => [`${one.apiVersion} ${one.kind}`, one]));

const watched: ReadonlySet<string> = new Set(Object.values(kinds).map(({ group, plural }) => `${group}/${plural}`));

function resourceOf(key: string): string {
  const parts = partsOfKey(key);
  return parts ? `${parts.group}/${parts.plural}` : '';
}

function append<V>(map: Map<string, V[]>, key: string, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

import { hasReason, selectsLabels } from '../../api/index.ts';
import type { Catalog, KubeObject, LabelSelector, OwnerReference } from '../../api/index.ts';
import { namespacePrefix, objectKey } from '../../apiserver/index.ts';
import type { Hub } from '../../apiserver/index.ts';
import { equal, timestamp } from '../../base/index.ts';
import type { Clock } from '../../observe/index.ts';
import type { Store } from '../../store/index.ts';
import { Family } from './family.ts';
import { Orphans } from './family.ts';
import { kinds } from './kinds.ts';
import type { Kind } from './kinds.ts';
import type { Pod } from './objects.ts';
import { OwnApi } from './ownapi.ts';
import type { Author } from './ownapi.ts';
import { PodLabels } from './selections.ts';

/** The parts of a cluster. */
export interface ClusterOptions {
  readonly store: Store;
  readonly hub: Hub;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** How long things take: containers to start and stop, load balancers to come up. */
  readonly delayMilliseconds: number;
}

/**
 * A cluster as its own controllers see it. Reads come from the store and are never behind one's own writes; writes go
 * through the API server like everybody's.
 */
export class Cluster {
  readonly family = new Family();
  readonly orphans = new Orphans();
  readonly podLabels = new PodLabels();
  readonly waits: Waits;
  readonly delayMilliseconds: number;
  readonly #options: ClusterOptions;
  readonly #api: OwnApi;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.delayMilliseconds = options.delayMilliseconds;
    this.waits = new Waits(() => options.clock.now());
    this.#api = new OwnApi(options.hub, options.catalog);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** The time as objects carry it. */
  stamp(): string {
    return timestamp(this.clock.now());
  }

  get<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string): T | undefined {
    return this.at(kind, objectKey(kind, namespace ?? '', name));
  }

  /** The object under a key of the store. */
  at<T extends KubeObject>(_kind: Kind<T>, key: string): T | undefined {
    return this.#options.store.get(key)?.value as T | undefined;
  }

  /** All objects of a kind, in one namespace or in all of them. */
  list<T extends KubeObject>(kind: Kind<T>, namespace = ''): readonly T[] {
    return listOf(this.#options.store, kind, namespace);
  }

  /** The objects of a kind that this one controls, in the order of their keys. */
  owned<T extends KubeObject>(owner: KubeObject, kind: Kind<T>): readonly T[] {
    const keys = this.family.of(owner.metadata.uid, `${kind.group}/${kind.plural}`);
    return keys.flatMap((key) => this.at(kind, key) ?? []);
  }

  /** The pods of a namespace that a selector selects, in the order of their keys. */
  podsOf(namespace: string | undefined, selector: LabelSelector): readonly Pod[] {
    const keys = this.podLabels.candidates(namespace ?? '', selector);
    const pods = keys ? keys.flatMap((key) => this.at(kinds.pods, key) ?? []) : this.list(kinds.pods, namespace);
    return pods.filter((pod) => selectsLabels(selector, pod.metadata.labels));
  }

  async create<T extends KubeObject>(object: T, author: Author = 'kube-controller-manager'): Promise<T> {
    return (await this.#api.call({ method: 'POST', on: object, body: object, author })) as T;
  }

  async update<T extends KubeObject>(object: T): Promise<T> {
    const author = 'kube-controller-manager';
    return (await this.#api.call({ method: 'PUT', on: object, part: '', body: object, author })) as T;
  }

  /** Writes the status of an object if it is another one than it has. */
  async writeStatus(object: KubeObject, status: object, author: Author = 'kube-controller-manager'): Promise<void> {
    if (equal((object as { readonly status?: unknown }).status, status)) return;
    await this.#api.call({ method: 'PUT', on: object, part: 'status', body: { ...object, status }, author });
  }

  /** Puts a pod on a node. */
  async bind(pod: KubeObject, node: string): Promise<void> {
    const { name, namespace = '', uid = '' } = pod.metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target };
    await this.#api.call({ method: 'POST', on: pod, part: 'binding', body, author: 'kube-scheduler' });
  }

  /** Sets the number of replicas, as everybody does who does not own the object. */
  async scale(object: KubeObject, replicas: number): Promise<void> {
    const author = 'kube-controller-manager';
    await this.#api.call({ method: 'PATCH', on: object, part: 'scale', body: { spec: { replicas } }, author });
  }

  /** Deletes this very object; that it is gone already is as good. */
  async delete(object: KubeObject, gracePeriodSeconds?: number): Promise<void> {
    const { uid } = object.metadata;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      ...(uid && { preconditions: { uid } }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    };
    try {
      await this.#api.call({ method: 'DELETE', on: object, part: '', body, author: 'kube-controller-manager' });
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }
}

/** Where an object of a kind is stored. */
export function storeKey(kind: Kind, { metadata }: KubeObject): string {
  return objectKey(kind, metadata.namespace ?? '', metadata.name);
}

/** All objects of a kind in a store, in one namespace or in all of them. */
export function listOf<T extends KubeObject>(store: Store, kind: Kind<T>, namespace = ''): readonly T[] {
  return store.list(namespacePrefix(kind, namespace)).entries.map((entry) => entry.value as T);
}

/** The reference by which an owner controls what it makes. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Things that take their time. They are remembered while they last, by a name that says what of whom. */
class Waits {
  readonly #due = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds left of what takes so long and began when it was first asked about; 0 once it is over. */
  left(name: string, milliseconds: number): number {
    if (milliseconds <= 0) return 0;
    const known = this.#due.get(name);
    if (known === undefined) {
      this.#due.set(name, this.#now() + milliseconds);
      return milliseconds;
    }
    return Math.max(0, known - this.#now());
  }

  /** Forgets it: asked about again, it starts over. */
  end(name: string): void {
    this.#due.delete(name);
  }
}

import { hasReason, refOf } from '../../../api/index.ts';
import type { Catalog, KubeObject, OwnerReference } from '../../../api/index.ts';
import { namespacePrefix, objectKey, timestamp } from '../../../apiserver/index.ts';
import type { Clock, Hub } from '../../../apiserver/index.ts';
import { equal } from '../../../base/index.ts';
import { ApiClient, inProcess } from '../../../client/index.ts';
import type { Store } from '../../../store/index.ts';
import { Family } from './family.ts';
import type { Kind } from './kinds.ts';
import { Orphans } from './orphans.ts';
import { Waits } from './waits.ts';

/** What a cluster is made of. */
export interface ClusterOptions {
  readonly store: Store;
  readonly hub: Hub;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** How long things take: containers to start and stop, load balancers to come up. */
  readonly delayMilliseconds: number;
}

/** Who writes: the two programs of a cluster that people know from managedFields. */
export type Author = 'kube-controller-manager' | 'kubelet';

/** Who the controllers of the member are on its API server. */
export const controllerUser = {
  name: 'system:kube-controller-manager',
  groups: ['system:masters', 'system:authenticated'],
};

/**
 * A cluster as its own controllers see it. Reads come from the store and are never behind one's own writes; writes go
 * through the API server like everybody's.
 */
export class Cluster {
  readonly family = new Family();
  readonly orphans = new Orphans();
  readonly waits: Waits;
  readonly delayMilliseconds: number;
  readonly #options: ClusterOptions;
  readonly #client: ApiClient;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.delayMilliseconds = options.delayMilliseconds;
    this.waits = new Waits(() => options.clock.now());
    this.#client = new ApiClient({
      transport: inProcess((request) => options.hub.handle(request), controllerUser),
      resources: () => options.catalog,
    });
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

  create<T extends KubeObject>(object: T, author: Author = 'kube-controller-manager'): Promise<T> {
    return this.#client.create(object, { fieldManager: author });
  }

  update<T extends KubeObject>(object: T): Promise<T> {
    return this.#client.update(object, { fieldManager: 'kube-controller-manager' });
  }

  /** Writes the status of an object if it is another one than it has. */
  async writeStatus(object: KubeObject, status: object, author: Author = 'kube-controller-manager'): Promise<void> {
    if (equal((object as { readonly status?: unknown }).status, status)) return;
    await this.#client.updateStatus({ ...object, status } as KubeObject, { fieldManager: author });
  }

  /** Writes to a subresource what belongs there, as a scheduler binds a pod. */
  async post(object: KubeObject, subresource: string, body: object): Promise<void> {
    const { plural, namespace, root } = this.#placeOf(object);
    const path = `${root}/namespaces/${namespace}/${plural}/${object.metadata.name}/${subresource}`;
    const headers = { 'content-type': 'application/json', 'user-agent': 'kube-scheduler' };
    await this.#client.raw({ method: 'POST', path, headers, body });
  }

  /** Sets the number of replicas, as everybody does who does not own the object. */
  async scale(object: KubeObject, replicas: number): Promise<void> {
    const options = { type: 'merge', subresource: 'scale', fieldManager: 'kube-controller-manager' } as const;
    await this.#client.patch(refOf(object), { spec: { replicas } }, options);
  }

  /** Deletes this very object; that it is gone already is as good. */
  async delete(object: KubeObject, gracePeriodSeconds?: number): Promise<void> {
    const { uid } = object.metadata;
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    try {
      await this.#client.delete(refOf(object), {
        propagationPolicy: 'Background',
        ...(uid && { uid }),
        ...grace,
      });
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }

  #placeOf({ apiVersion, kind, metadata }: KubeObject): { plural: string; namespace: string; root: string } {
    const plural = this.#options.catalog.byKind(apiVersion, kind)?.plural ?? '';
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return { plural, namespace: metadata.namespace ?? '', root };
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

import { hasReason } from '../../api/index.ts';
import type { KindInfo, KubeObject, OwnerReference } from '../../api/index.ts';
import { clone, equal, Multimap } from '../../base/index.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { HubParts } from '../call.ts';
import { backgroundDeletion } from '../verbs/delete-options.ts';
import { internalCall } from './own-call.ts';
import { objectKey, partsOfKey } from '../storage/object-keys.ts';
import type { Propagation } from '../request/options.ts';
import { removeWith } from '../verbs/delete.ts';
import { changeUnjudged } from '../verbs/update.ts';
import { followAll } from './follow.ts';
import type { StoredChange } from './follow.ts';
import { KeyWorkers } from './key-workers.ts';

/** A stored object with what it takes to write it. */
interface Dependent {
  readonly key: string;
  readonly kind: KindInfo;
  readonly object: KubeObject;
}

/** Tells whether the object has owners or is being deleted. */
const isBound = ({ metadata }: KubeObject): boolean =>
  metadata.ownerReferences !== undefined || metadata.deletionTimestamp !== undefined;

const mayBeBound = (text: Buffer): boolean =>
  text.includes('"ownerReferences"') || text.includes('"deletionTimestamp"');

/** Finds the objects that name an owner, by the uid of the owner. */
class Dependents {
  readonly #byOwner = new Multimap<string>();

  /** Takes note of the change of the object at a key; either side is absent when it did not exist. */
  learn(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    for (const { uid } of before?.metadata.ownerReferences ?? []) this.#byOwner.delete(uid, key);
    for (const { uid } of after?.metadata.ownerReferences ?? []) this.#byOwner.add(uid, key);
  }

  /** The keys of the objects that name this owner. */
  of(uid: string | undefined): readonly string[] {
    return [...this.#byOwner.of(uid ?? '')];
  }

  clear(): void {
    this.#byOwner.clear();
  }
}

/**
 * Deletes what no owner needs any more, and carries out foreground deletion and orphaning.
 * Flow: every change of an object wakes the keys that it concerns; a look at a key decides from what is stored now.
 * Guarantees: an object goes only when none of its owners exists with the uid that it names; an owner of a kind that
 * the hub does not serve counts as existing.
 */
export class Collector {
  readonly #parts: HubParts;
  readonly #dependents = new Dependents();
  readonly #queue: KeyWorkers;
  #stop: (() => void) | undefined;
  #closed = false;

  constructor(parts: HubParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#queue = new KeyWorkers({ clock: parts.clock, work: (key) => this.#look(key), onError });
  }

  start(): void {
    if (this.#closed) return;
    this.#stop = followAll(this.#parts.store, {
      reset: () => this.#dependents.clear(),
      change: (change) => this.#heed(change),
      concerns: (entry, fresh) => (fresh ? isBound(entry.plain as KubeObject) : mayBeBound(entry.bytes)),
    });
  }

  /** Resolves when there is nothing to collect. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  close(): void {
    this.#closed = true;
    this.#stop?.();
    this.#queue.close();
  }

  #heed({ key, before, after }: StoredChange): void {
    this.#dependents.learn(key, before, after);
    if (!after) {
      for (const dependent of this.#dependents.of(before?.metadata.uid)) this.#queue.add(dependent);
      this.#wakeOwners(key, before);
      return;
    }
    const { ownerReferences, deletionTimestamp } = after.metadata;
    const changed = !equal(ownerReferences, before?.metadata.ownerReferences);
    if (deletionTimestamp || (ownerReferences && changed)) this.#queue.add(key);
    if (before && changed) this.#wakeOwners(key, before);
  }

  /** An owner that waits for its dependents looks again when one of them goes. */
  #wakeOwners(key: string, object: KubeObject | undefined): void {
    for (const reference of object?.metadata.ownerReferences ?? []) {
      const owner = this.#ownerKey(key, reference);
      if (owner) this.#queue.add(owner.key);
    }
  }

  #item(key: string): Dependent | undefined {
    const entry = this.#parts.store.get(key);
    if (!entry) return undefined;
    const object = entry.value as KubeObject;
    const kind = this.#parts.catalog().byKind(object.apiVersion, object.kind);
    return kind && { key, kind, object };
  }

  async #look(key: string): Promise<void> {
    const item = this.#item(key);
    if (!item) return;
    const { deletionTimestamp, finalizers = [], ownerReferences = [] } = item.object.metadata;
    if (deletionTimestamp) {
      if (finalizers.includes(orphanFinalizer)) return this.#orphan(item);
      if (finalizers.includes(foregroundFinalizer)) return this.#finishForeground(item);
      return;
    }
    if (ownerReferences.length > 0) await this.#judge(item, ownerReferences);
  }

  /** Decides about an object by the state of its owners. */
  async #judge(item: Dependent, references: readonly OwnerReference[]): Promise<void> {
    const states = references.map((reference) => this.#ownerState(item.key, reference));
    if (states.every((state) => state === 'solid')) return;
    if (states.includes('solid')) {
      const kept = references.filter((_, i) => states[i] === 'solid');
      return this.#setOwners(item, kept);
    }
    const waited = states.includes('waiting') && this.#dependents.of(item.object.metadata.uid).length > 0;
    await this.#delete(item, waited ? 'Foreground' : undefined);
  }

  #ownerState(key: string, reference: OwnerReference): 'solid' | 'waiting' | 'gone' {
    const found = this.#ownerKey(key, reference);
    if (!found) return 'solid';
    const owner = this.#parts.store.get(found.key)?.value as KubeObject | undefined;
    if (owner?.metadata.uid !== reference.uid) return 'gone';
    const { deletionTimestamp, finalizers } = owner.metadata;
    return deletionTimestamp && finalizers?.includes(foregroundFinalizer) ? 'waiting' : 'solid';
  }

  /** Where an owner is stored; undefined when the hub cannot know: an unserved kind, or a namespaced owner of no namespace. */
  #ownerKey(key: string, { apiVersion, kind, name }: OwnerReference): { readonly key: string } | undefined {
    const info = this.#parts.catalog().byKind(apiVersion, kind);
    const namespace = partsOfKey(key)?.namespace ?? '';
    if (!info || (info.namespaced && !namespace)) return undefined;
    return { key: objectKey(info, info.namespaced ? namespace : '', name) };
  }

  async #orphan(item: Dependent): Promise<void> {
    const { uid } = item.object.metadata;
    for (const key of this.#dependents.of(uid)) {
      const dependent = this.#item(key);
      const owners = dependent?.object.metadata.ownerReferences ?? [];
      if (dependent)
        await this.#setOwners(
          dependent,
          owners.filter((owner) => owner.uid !== uid),
        );
    }
    await this.#dropFinalizer(item, orphanFinalizer);
  }

  async #finishForeground(item: Dependent): Promise<void> {
    const { uid } = item.object.metadata;
    let blocked = false;
    for (const key of this.#dependents.of(uid)) {
      const dependent = this.#item(key);
      const reference = dependent?.object.metadata.ownerReferences?.find((owner) => owner.uid === uid);
      if (!dependent || !reference) continue;
      blocked ||= reference.blockOwnerDeletion === true;
      if (!dependent.object.metadata.deletionTimestamp) this.#queue.add(key);
    }
    if (!blocked) await this.#dropFinalizer(item, foregroundFinalizer);
  }

  #setOwners(item: Dependent, owners: readonly OwnerReference[]): Promise<void> {
    return this.#change(item, (draft) => {
      if (owners.length > 0) draft.metadata.ownerReferences = owners;
      else delete draft.metadata.ownerReferences;
    });
  }

  #dropFinalizer(item: Dependent, finalizer: string): Promise<void> {
    return this.#change(item, (draft) => {
      const kept = (draft.metadata.finalizers ?? []).filter((one) => one !== finalizer);
      if (kept.length > 0) draft.metadata.finalizers = kept;
      else delete draft.metadata.finalizers;
    });
  }

  async #change({ kind, object }: Dependent, write: (draft: Draft) => void): Promise<void> {
    const { name, namespace = '', uid } = object.metadata;
    const make = (old: KubeObject): Draft => {
      const draft = clone(old) as Draft;
      if (old.metadata.uid === uid) write(draft);
      return draft;
    };
    try {
      await changeUnjudged(internalCall(this.#parts, kind, { namespace, name }), make);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }

  async #delete({ kind, object }: Dependent, propagation: Propagation | undefined): Promise<void> {
    const { name, namespace = '', uid = '' } = object.metadata;
    const deletion = { ...backgroundDeletion, propagation, preconditions: { uid } };
    try {
      await removeWith(internalCall(this.#parts, kind, { namespace, name }), deletion);
    } catch (error) {
      // Gone, or another object of that name: either way not ours to delete any more.
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }
}

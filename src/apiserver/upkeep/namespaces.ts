import { hasReason } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import { clone, equal, timestamp } from '../../base/index.ts';
import { namespacesResource } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { HubParts } from '../call.ts';
import { backgroundDeletion } from '../verbs/delete-options.ts';
import { internalCall } from './own-call.ts';
import { namespacePrefix, objectKey, partsOfKey } from '../storage/object-keys.ts';
import type { KeyParts } from '../storage/object-keys.ts';
import { removeWith } from '../verbs/delete.ts';
import { changeUnjudged } from '../verbs/update.ts';
import { ensure } from './establish.ts';
import { followAll } from './follow.ts';
import type { StoredChange } from './follow.ts';
import { KeyWorkers } from './key-workers.ts';
import { tellRemainder } from './namespace-conditions.ts';
import type { Remainder } from './namespace-conditions.ts';

/** The options of the upkeep of namespaces. */
export interface NamespacesOptions {
  readonly onError: (error: unknown) => void;
  /** PEM for the ConfigMap that tells pods which authority to trust; without it there is no such ConfigMap. */
  readonly certificateAuthority?: string;
}

interface RootCertificate {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly data: object;
}

/** Something in a namespace must not be deleted; its status says so. */
class Refused extends Error {}

const defaultAccount = 'default';
const rootCertificate = 'kube-root-ca.crt';

/**
 * Gives every namespace what it starts with, and empties those that are being deleted.
 * Guarantees: a namespace goes only when nothing is left in it; whatever has finalizers is waited for,
 * and what must not be deleted keeps nothing else from going and is tried again as soon as it changes.
 */
export class Namespaces {
  readonly #parts: HubParts;
  readonly #options: NamespacesOptions;
  readonly #terminating = new Set<string>();
  /** Keys of objects that must not be deleted, as far as we know. */
  readonly #refused = new Set<string>();
  readonly #queue: KeyWorkers;
  readonly #stop: () => void;

  constructor(parts: HubParts, options: NamespacesOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#queue = new KeyWorkers({
      clock: parts.clock,
      work: (name) => this.#look(name),
      onError: (error) => error instanceof Refused || options.onError(error),
    });
    const prefix = namespacePrefix(namespacesResource, '');
    this.#stop = followAll(parts.store, {
      reset: () => this.#terminating.clear(),
      change: (change) => this.#heed(change),
      concerns: ({ key }) => key.startsWith(prefix) || this.#refused.has(key) || key.endsWith(`/${rootCertificate}`),
    });
  }

  /** Resolves when every namespace is as it should be. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  close(): void {
    this.#stop();
    this.#queue.close();
  }

  #heed({ key, before, after }: StoredChange): void {
    const place = partsOfKey(key);
    if (!place) return;
    if (isNamespace(place)) this.#heedNamespace(place.name, before, after);
    else if (this.#refused.delete(key)) this.#queue.add(place.namespace);
    else if (isBasic(place) || (!after && this.#terminating.has(place.namespace))) this.#queue.add(place.namespace);
  }

  #heedNamespace(name: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (after?.metadata.deletionTimestamp) this.#terminating.add(name);
    else this.#terminating.delete(name);
    if (after && (!before || after.metadata.deletionTimestamp)) this.#queue.add(name);
  }

  async #look(name: string): Promise<void> {
    const entry = this.#parts.store.get(objectKey(namespacesResource, '', name));
    if (!entry) return;
    const namespace = entry.value as KubeObject;
    if (namespace.metadata.deletionTimestamp) await this.#empty(namespace);
    else await this.#furnish(name);
  }

  async #furnish(namespace: string): Promise<void> {
    const { certificateAuthority } = this.#options;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultAccount, namespace } };
    const certificate = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: rootCertificate,
        namespace,
        annotations: { 'kubernetes.io/description': 'Contains the certificate of the authority of this API server.' },
      },
      data: { 'ca.crt': certificateAuthority },
    };
    try {
      await ensure(this.#parts, account);
      if (certificateAuthority && !(await ensure(this.#parts, certificate))) await this.#restore(certificate);
    } catch (error) {
      // The namespace began to go meanwhile, which wakes us again.
      if (!hasReason(error, 'Forbidden') && !hasReason(error, 'NotFound')) throw error;
    }
  }

  /** Gives the ConfigMap of the certificate its content back when somebody has changed it. */
  async #restore({ metadata: { name, namespace }, data }: RootCertificate): Promise<void> {
    const kind = this.#parts.catalog().byResource('', 'v1', 'configmaps');
    if (!kind) return;
    const make = (old: KubeObject): Draft => {
      const draft = clone(old) as Draft;
      return equal(draft['data'], data) ? draft : { ...draft, data };
    };
    await changeUnjudged(internalCall(this.#parts, kind, { namespace, name }), make);
  }

  async #empty(namespace: KubeObject): Promise<void> {
    const { name } = namespace.metadata;
    const refusals: unknown[] = [];
    for (const { kind, objects } of this.#contents(name)) {
      await Promise.all(
        objects.map((object) => this.#remove(kind, object).catch((reason: unknown) => void refusals.push(reason))),
      );
    }
    const left = this.#contents(name);
    const now = timestamp(this.#parts.clock.now());
    await this.#change(
      namespace,
      left.length > 0 ? (draft) => tellRemainder(draft, { left, refusals, now }) : finalize,
    );
    const fault = refusals.find((refusal) => !hasReason(refusal, 'Forbidden'));
    if (fault) throw fault;
    if (refusals.length > 0) throw new Refused();
  }

  #contents(namespace: string): Remainder[] {
    const { store } = this.#parts;
    const found = new Map<string, Remainder>();
    for (const kind of this.#parts.catalog().kinds) {
      // All served versions of a kind lie in one place, also when none of them is the stored one.
      const prefix = namespacePrefix(kind, namespace);
      if (!kind.namespaced || kind.storageGroup !== undefined || found.has(prefix)) continue;
      const objects = store.list(prefix).entries.map((entry) => entry.value as KubeObject);
      if (objects.length > 0) found.set(prefix, { kind, objects });
    }
    return [...found.values()];
  }

  async #remove(kind: KindInfo, object: KubeObject): Promise<void> {
    const { name, namespace = '', uid = '', deletionTimestamp } = object.metadata;
    if (deletionTimestamp) return;
    const deletion = { ...backgroundDeletion, preconditions: { uid } };
    const key = objectKey(kind, namespace, name);
    try {
      // Any later change of this object may allow its deletion.
      this.#refused.add(key);
      await removeWith(internalCall(this.#parts, kind, { namespace, name }), deletion);
      this.#refused.delete(key);
    } catch (error) {
      if (!hasReason(error, 'Forbidden')) this.#refused.delete(key);
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }

  async #change(namespace: KubeObject, write: (draft: Draft) => void): Promise<void> {
    const kind = this.#parts.catalog().byResource('', 'v1', 'namespaces');
    if (!kind) return;
    const make = (old: KubeObject): Draft => {
      const draft = clone(old) as Draft;
      if (old.metadata.uid === namespace.metadata.uid) write(draft);
      return draft;
    };
    try {
      const place = { namespace: '', name: namespace.metadata.name };
      await changeUnjudged(internalCall(this.#parts, kind, place), make);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
}

function isNamespace({ group, plural }: KeyParts): boolean {
  return group === namespacesResource.group && plural === namespacesResource.plural;
}

/** Tells whether an object is a default object of every namespace. It is created again when somebody deletes it. */
function isBasic({ group, plural, name }: KeyParts): boolean {
  if (group !== '') return false;
  return (
    (plural === 'serviceaccounts' && name === defaultAccount) || (plural === 'configmaps' && name === rootCertificate)
  );
}

function finalize(draft: Draft): void {
  const spec = draft['spec'] as { finalizers?: readonly string[] } | undefined;
  const kept = (spec?.finalizers ?? []).filter((one) => one !== 'kubernetes');
  draft['spec'] = { ...spec, finalizers: kept };
}

/**
 * The use of ResourceQuotas, kept from the changes of objects: a write asks once, before it is stored, whether there is
 * enough, and what it asked for counts until it is stored or refused. Namespaces without a quota cost nothing.
 * Guarantees: writes side by side never use more than the quota; nothing is lost by a restart, since all of it is counted anew.
 */
import { addQuantities, compareQuantities, forbidden } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { excess, partOf, uncountable, usageUnder, zero } from '../../kinds/index.ts';
import type { Amounts, Counted, Draft } from '../../kinds/index.ts';
import type { Call, HubParts } from '../call.ts';
import { namespacePrefix, partsOfKey } from '../storage/object-keys.ts';
import type { KeyParts } from '../storage/object-keys.ts';
import { followAll } from '../upkeep/follow.ts';
import type { StoredChange } from '../upkeep/follow.ts';

/** The key of quotas among counted resources. */
export const quotasResource: Counted = { group: '', plural: 'resourcequotas' };

/** One quota with the use of each object that it counts. */
interface Account {
  quota: KubeObject;
  readonly byKey: Map<string, Amounts>;
  readonly reserved: Map<symbol, Amounts>;
  total: Map<string, Quantity>;
}

type Quantity = typeof zero;

/** A write that is about to happen. */
export interface QuotaDemand {
  readonly resource: Counted;
  readonly namespace: string;
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
}

type OnUse = (namespace: string, name: string) => void;

/** The accounts of all quotas of a hub. */
export class QuotaLedger {
  readonly #parts: Pick<HubParts, 'store' | 'catalog'>;
  readonly #namespaces = new Map<string, Map<string, Account>>();
  readonly #stop: () => void;
  #onUse: OnUse = () => {};

  constructor(parts: Pick<HubParts, 'store' | 'catalog'>) {
    this.#parts = parts;
    this.#stop = followAll(parts.store, {
      reset: () => this.#namespaces.clear(),
      change: (change) => this.#heed(change),
      concerns: ({ key }) => {
        const place = partsOfKey(key);
        return place !== undefined && (isQuota(place) || this.#namespaces.has(place.namespace));
      },
    });
  }

  close(): void {
    this.#stop();
  }

  /** Calls the function for every quota, and again when a quota or its use has changed. */
  follow(onUse: OnUse): void {
    this.#onUse = onUse;
    for (const [namespace, accounts] of this.#namespaces) for (const name of accounts.keys()) onUse(namespace, name);
  }

  /** The use of a quota; undefined when there is no such quota. */
  used(namespace: string, name: string): Amounts | undefined {
    return this.#namespaces.get(namespace)?.get(name)?.total;
  }

  /**
   * Reserves what a write uses, or throws 403 because a quota lacks it. The returned function ends the reservation: the
   * write is stored, and counted from then on, or refused.
   */
  reserve(demand: QuotaDemand): () => void {
    const accounts = [...(this.#namespaces.get(demand.namespace)?.values() ?? [])];
    const demands = accounts.map((account) => ({ account, more: this.#judge(account, demand) }));
    const mark = Symbol(demand.object.metadata.name);
    for (const { account, more } of demands) if (more.size > 0) account.reserved.set(mark, more);
    return () => {
      for (const { account } of demands) account.reserved.delete(mark);
    };
  }

  /** The amounts that the write uses more than before under one quota; throws 403 when there is not enough. */
  #judge({ quota, total, reserved }: Account, { resource, object, old }: QuotaDemand): Amounts {
    const { name } = object.metadata;
    const refusal = old ? undefined : uncountable(quota, resource, object);
    if (refusal !== undefined) throw forbidden(resource, name, refusal);
    const before = old ? usageUnder(quota, resource, old) : new Map();
    const more = difference(usageUnder(quota, resource, object), before);
    const used = new Map(total);
    for (const amounts of reserved.values()) addTo(used, amounts, 1);
    const why = excess({ quota, used, more });
    if (why !== undefined) throw forbidden(resource, name, why);
    return more;
  }

  #heed({ key, after }: StoredChange): void {
    const place = partsOfKey(key);
    if (!place) return;
    if (isQuota(place)) this.#heedQuota(place, after);
    for (const [name, account] of this.#namespaces.get(place.namespace) ?? []) {
      if (count(account, key, after && usageUnder(account.quota, place, after))) this.#onUse(place.namespace, name);
    }
  }

  #heedQuota({ namespace, name }: KeyParts, quota: KubeObject | undefined): void {
    const accounts = this.#namespaces.get(namespace) ?? new Map<string, Account>();
    const known = accounts.get(name);
    if (!quota) accounts.delete(name);
    else if (known && equal(partOf(known.quota, 'spec'), partOf(quota, 'spec'))) known.quota = quota;
    else accounts.set(name, this.#opened(namespace, quota, known?.reserved));
    if (accounts.size === 0) this.#namespaces.delete(namespace);
    else this.#namespaces.set(namespace, accounts);
    if (quota) this.#onUse(namespace, name);
  }

  /** Counts all objects of the namespace that the quota bounds. */
  #opened(namespace: string, quota: KubeObject, reserved = new Map<symbol, Amounts>()): Account {
    const account: Account = { quota, byKey: new Map(), reserved, total: new Map() };
    const { store, catalog } = this.#parts;
    // All versions of a kind lie under one prefix.
    const kinds = catalog().kinds.filter((kind) => kind.namespaced && kind.storageGroup === undefined);
    const places = new Map(kinds.map((kind) => [namespacePrefix(kind, namespace), kind]));
    for (const [prefix, kind] of places) {
      for (const { key, value } of store.list(prefix).entries) {
        count(account, key, usageUnder(quota, kind, value as KubeObject));
      }
    }
    return account;
  }
}

const growing = new Set(['services', 'persistentvolumeclaims']);

/**
 * Reserves what the write of an object needs of the quotas of its namespace; throws 403 when there is not enough. Of changes only
 * those count that may ask for more: of Services, of claims, and of pods that are resized.
 */
export function reserveQuota(call: Call, draft: Draft, old?: KubeObject): () => void {
  const { kind, parts, target } = call;
  const { subresource } = target;
  const namespace = draft.metadata.namespace ?? '';
  if (old && !mayGrow(kind, subresource)) return () => {};
  return parts.quotas.reserve({ resource: kind, namespace, object: draft, old });
}

function mayGrow({ group, plural }: Counted, subresource: string): boolean {
  if (group !== '') return false;
  if (plural === 'pods') return subresource === 'resize';
  return subresource === '' && growing.has(plural);
}

function isQuota({ group, plural }: Counted): boolean {
  return group === quotasResource.group && plural === quotasResource.plural;
}

/** Counts what an object uses now instead of what it used before; tells whether that is a change. */
function count(account: Account, key: string, now: Amounts | undefined): boolean {
  const before = account.byKey.get(key);
  if (now && now.size > 0) account.byKey.set(key, now);
  else account.byKey.delete(key);
  const change = difference(now ?? new Map(), before ?? new Map());
  if (change.size === 0) return false;
  account.total = new Map(account.total);
  addTo(account.total, change, 1);
  return true;
}

/** The amounts of `a` without those of `b`; those that are equal are left out. */
function difference(a: Amounts, b: Amounts): Map<string, Quantity> {
  const result = new Map<string, Quantity>(a);
  addTo(result, b, -1);
  for (const [name, amount] of result) if (compareQuantities(amount, zero) === 0) result.delete(name);
  return result;
}

function addTo(sum: Map<string, Quantity>, amounts: Amounts, sign: 1 | -1): void {
  for (const [name, amount] of amounts) sum.set(name, addQuantities(sum.get(name) ?? zero, amount, sign));
}

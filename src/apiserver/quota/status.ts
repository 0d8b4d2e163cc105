import { hasReason } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { clone, equal } from '../../base/index.ts';
import { quotaStatus } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { HubParts } from '../call.ts';
import { objectKey, partsOfKey } from '../storage/object-keys.ts';

import { KeyWorkers } from '../upkeep/key-workers.ts';
import { internalCall } from '../upkeep/own-call.ts';
import { changeUnjudged } from '../verbs/update.ts';
import { quotasResource } from './ledger.ts';

/** Keeps the status of every ResourceQuota: its bounds, and how much of each is used. */
export class QuotaStatus {
  readonly #parts: HubParts;
  readonly #queue: KeyWorkers;

  constructor(parts: HubParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#queue = new KeyWorkers({ clock: parts.clock, work: (key) => this.#write(key), onError });
    parts.quotas.follow((namespace, name) => this.#queue.add(objectKey(quotasResource, namespace, name)));
  }

  close(): void {
    this.#parts.quotas.close();
    this.#queue.close();
  }

  async #write(key: string): Promise<void> {
    const [kind, place] = [this.#parts.catalog().byResource('', 'v1', quotasResource.plural), partsOfKey(key)];
    if (!kind || !place) return;
    const make = (old: KubeObject): Draft => {
      const used = this.#parts.quotas.used(place.namespace, place.name);
      const draft = clone(old) as Draft;
      const status = quotaStatus(old, used ?? new Map());
      if (used && !equal(draft['status'], status)) draft['status'] = status;
      return draft;
    };
    try {
      await changeUnjudged(internalCall(this.#parts, kind, place), make);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
}

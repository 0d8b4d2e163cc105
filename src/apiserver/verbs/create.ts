import { randomUUID } from 'node:crypto';
import {
  alreadyExists,
  ApiError,
  forbidden,
  generatedName,
  generatedNameTaken,
  notFound,
  unexplained,
} from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { freeze, timestamp } from '../../base/index.ts';
import { namespacesResource, strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Call, Outcome } from '../call.ts';
import { reserveQuota } from '../quota/ledger.ts';
import { admitted } from '../request/admission.ts';
import { draftOf, placed, tracked } from '../request/draft.ts';
import { validate } from '../request/validation.ts';
import { objectKey } from '../storage/object-keys.ts';
import { storedWithin } from '../storage/stored-form.ts';
import { isConflict } from '../storage/write-conflict.ts';

/** How a creation differs from a POST. */
export interface Creation {
  /** The managedFields of the draft are complete: server-side apply has written them. */
  readonly ownsFields?: boolean;
}

const attempts = 8;

/** POST on a collection. */
export async function create(call: Call): Promise<Outcome> {
  return createDraft(call, placed(call, draftOf(call)));
}

/** Creates an object from a draft; PUT and server-side apply of an object that does not exist end here, too. */
export async function createDraft(call: Call, draft: Draft, how: Creation = {}): Promise<Outcome> {
  const { metadata } = draft;
  if (metadata.resourceVersion) throw unexplained('resourceVersion should not be set on objects to be created');
  const generate = metadata.name ? undefined : metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    if (generate) metadata.name = generatedName(generate, Math.random);
    try {
      return await createOnce(call, draft, how);
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (!generate) throw alreadyExists(call.kind, metadata.name);
      if (attempt === attempts) throw generatedNameTaken(call.kind, metadata.name);
    }
  }
}

/** Owners, fields of the server, admission, validation, store. */
async function createOnce(call: Call, draft: Draft, how: Creation): Promise<Outcome> {
  const { kind, parts, options } = call;
  requireNamespace(call, draft.metadata.name);
  // The fields that the hub itself fills in belong to nobody, so owners are recorded before.
  const owned = how.ownsFields ? draft : tracked(call, draft, undefined);
  let release: (() => void) | undefined;
  try {
    prepare(call, owned);
    const final = await admitted(call, owned);
    validate(call, final);
    const key = objectKey(kind, final.metadata.namespace ?? '', final.metadata.name);
    release = reserveQuota(call, final);
    if (options.dryRun) {
      if (parts.store.get(key)) throw new StoreError('conflict', key);
      return { status: 201, object: freeze(final) };
    }
    const entry = await parts.store.write({ verb: 'put', key, ...storedWithin(call, final), revision: 0 });
    return { status: 201, entry };
  } finally {
    release?.();
    // Frees what `prepareCreate` allocated and the store did not take.
    strategyOf(kind).giveBack?.(owned, call);
  }
}

/** Throws 404 or 403 for an object in a namespace that does not exist or is being deleted. */
function requireNamespace(call: Call, name: string): void {
  const { kind, target, parts } = call;
  if (!kind.namespaced) return;
  const entry = parts.store.get(objectKey(namespacesResource, '', target.namespace));
  if (!entry) throw notFound(namespacesResource, target.namespace);
  const { metadata } = entry.plain as KubeObject;
  if (!metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${target.namespace} because it is being terminated`;
  const { status } = forbidden(kind, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${target.namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw new ApiError({ ...status, details: { ...status.details, causes: [cause] } });
}

/** Writes the fields of a new object that only the server decides, over those of the client. */
function prepare(call: Call, draft: Draft): void {
  const { kind, parts } = call;
  const strategy = strategyOf(kind);
  const { metadata } = draft;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(parts.clock.now());
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.generation;
  if (strategy.generation) metadata.generation = 1;
  if (kind.status && !strategy.keepsStatus) {
    if (kind.custom) delete draft['status'];
    else draft['status'] = { ...strategy.initialStatus };
  }
  strategy.prepareCreate?.(draft, call);
}

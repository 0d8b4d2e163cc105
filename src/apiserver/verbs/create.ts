import { randomUUID } from 'node:crypto';
import { alreadyExists, generatedNameTaken, invalid, unexplained } from '../../api/index.ts';
import { clone, freeze, timestamp } from '../../base/index.ts';
import { generatedName, metadataErrors, strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { StoreError } from '../../store/index.ts';
import { admitAll } from '../request/admission.ts';
import type { Call } from '../call.ts';
import { isConflict } from '../storage/conflict.ts';
import { draftOf, placed, settled } from '../request/draft.ts';
import { objectKey } from '../storage/object-keys.ts';
import { requireNamespace } from './require-namespace.ts';
import type { Outcome } from '../outcome.ts';
import { tracked } from '../request/ownership.ts';
import { storedWithin } from '../storage/stored-form.ts';
import { validated } from '../request/validation.ts';
import { withAllocationRollback } from './allocation-rollback.ts';

/** How a creation differs from a POST. */
export interface Creation {
  /** managedFields are as they should be. */
  readonly ownsFields?: boolean;
}

const attempts = 8;

/** POST on a collection. */
export async function create(call: Call): Promise<Outcome> {
  return createDraft(call, placed(call, draftOf(call)));
}

/** Creates what has been read already, as PUT and server-side apply do for objects that do not exist. */
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

async function createOnce(call: Call, draft: Draft, how: Creation): Promise<Outcome> {
  requireNamespace(call, draft.metadata.name);
  // What the hub itself fills in belongs to nobody, so owners are recorded before.
  const owned = how.ownsFields ? draft : tracked(call, draft, undefined);
  return withAllocationRollback(call, owned, () => put(call, owned));
}

async function put(call: Call, draft: Draft): Promise<Outcome> {
  const { kind, parts } = call;
  prepare(call, draft);
  const admitted = await admittedForm(call, draft);
  const rule = strategyOf(kind).names ?? 'subdomain';
  const errors = [...metadataErrors(admitted, kind, rule), ...validated(call, admitted, undefined)];
  if (errors.length > 0) throw invalid(kind, admitted.metadata.name || '', errors);
  const key = objectKey(kind, admitted.metadata.namespace ?? '', admitted.metadata.name);
  if (call.options.dryRun) {
    if (parts.store.get(key)) throw new StoreError('conflict', key);
    return { status: 201, object: freeze(admitted) };
  }
  const entry = await parts.store.write({ verb: 'put', key, ...storedWithin(call, admitted), revision: 0 });
  return { status: 201, entry };
}

/** What the server says about a new object, whatever the client wrote. */
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

async function admittedForm(call: Call, draft: Draft): Promise<Draft> {
  const { kind, parts, target, user, options } = call;
  if (parts.admit.length === 0) return draft;
  const { object, warnings } = await admitAll(parts.admit, {
    operation: 'CREATE',
    kind,
    namespace: target.namespace,
    name: draft.metadata.name,
    subresource: '',
    object: draft,
    user,
    dryRun: options.dryRun,
  });
  call.warnings.push(...(warnings ?? []));
  if (!object || object === draft) return draft;
  return tracked(call, settled(call, clone({ ...object }), []), draft);
}

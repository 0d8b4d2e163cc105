/**
 * PUT, and with `changeObject` the sequence that every change of an existing object goes through: PUT, PATCH, apply,
 * subresources and the hub's own upkeep differ only in how they make the new object and in what it may change.
 */
import { conflict, immutable, invalid, invalidValue } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import { equal, freeze, isObject } from '../../base/index.ts';
import { strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { schemaOf } from '../../schema/index.ts';
import type { Entry } from '../../store/index.ts';
import type { Call, Outcome } from '../call.ts';
import { endOfStage } from '../flow/slices.ts';
import { reserveQuota } from '../quota/ledger.ts';
import { admitted } from '../request/admission.ts';
import { draftOf, placed, tracked } from '../request/draft.ts';
import { validate } from '../request/validation.ts';
import { objectKey } from '../storage/object-keys.ts';
import { plainObject, storedWithin } from '../storage/stored-form.ts';
import { onNewest } from '../storage/write-conflict.ts';
import { createDraft } from './create.ts';

/** How a write changes an object. */
export interface ChangeSteps {
  /** The new object; called again with the newer one when somebody else wrote in between. It may be written to. */
  readonly make: (old: KubeObject) => Draft | Promise<Draft>;
  /** Puts back the parts that a subresource may not change. Absent: all but the status may change. */
  readonly confine?: (draft: Draft, old: KubeObject) => void;
  /** The managedFields of the new object are complete: server-side apply has written them. */
  readonly ownsFields?: boolean;
}

/** PUT on an object. */
export async function update(call: Call): Promise<Outcome> {
  const { kind, parts, target } = call;
  let draft: Draft | undefined = placed(call, draftOf(call));
  if (strategyOf(kind).createOnUpdate && !parts.store.get(objectKey(kind, target.namespace, target.name))) {
    return createDraft(call, draft);
  }
  const make = (): Draft => {
    // The first attempt takes the draft itself, a later one reads the body again.
    const fresh = draft ?? placed(call, draftOf(call));
    draft = undefined;
    return fresh;
  };
  return changeObject(call, { make, ...confinement(call) });
}

/** Changes the object that the URL names. */
export function changeObject(call: Call, change: ChangeSteps): Promise<Outcome> {
  return onNewest(call, (entry) => changeOnce(call, change, entry));
}

/** Preconditions, owners, fields of the server, admission, validation, store. */
async function changeOnce(call: Call, change: ChangeSteps, entry: Entry): Promise<Outcome> {
  const { kind } = call;
  const strategy = strategyOf(kind);
  const old = plainObject(entry, kind);
  const making = change.make(old);
  // Most are made at once: those need not wait.
  const made = making instanceof Promise ? await making : making;
  checkPreconditions(call, made, old);
  // Shared early, equal parts are compared once; a part that is still written to must not be shared.
  if (!change.confine && !strategy.prepareUpdate) shareParts(made, old);
  // The fields that the hub itself fills in belong to nobody, so owners are recorded before.
  const draft = change.ownsFields ? made : tracked(call, made, old);
  let release: (() => void) | undefined;
  try {
    prepare(call, draft, { old, confine: change.confine });
    shareParts(draft, old);
    if (equal(draft, old)) return { status: 200, entry };
    const allowed = await admitted(call, draft, old);
    validate(call, allowed, old);
    release = reserveQuota(call, allowed, old);
    const final = withUnknownFields(call, allowed, old);
    countGeneration(kind, final, old);
    if (equal(final, old)) return { status: 200, entry };
    await endOfStage(call.request);
    return await storeChange(call, final, entry);
  } finally {
    release?.();
    // Frees what `prepareUpdate` allocated and the store did not take.
    strategy.giveBack?.(draft, call);
  }
}

/** Changes an object for the hub's own upkeep: without plugins, validation or a record of owners. */
export function changeUnjudged(call: Call, make: (old: KubeObject) => Draft): Promise<Outcome> {
  return onNewest(call, async (entry) => {
    const old = plainObject(entry, call.kind);
    const draft = make(old);
    checkPreconditions(call, draft, old);
    shareParts(draft, old);
    return equal(draft, old) ? { status: 200, entry } : storeChange(call, draft, entry);
  });
}

function checkPreconditions(call: Call, draft: Draft, old: KubeObject): void {
  const { kind, target } = call;
  const { resourceVersion, uid } = draft.metadata;
  if (uid && uid !== old.metadata.uid) throw otherUid(call, uid, old.metadata.uid ?? '');
  if (!resourceVersion || resourceVersion === '0') {
    if (!kind.custom) return;
    const detail = 'must be specified for an update';
    const named = { group: kind.group, kind: kind.plural };
    throw invalid(named, target.name, [invalidValue('metadata.resourceVersion', 0, detail)]);
  }
  if (resourceVersion !== old.metadata.resourceVersion) throw conflict(kind, target.name);
}

/** In a whole object the uid is a precondition, in a patch it is a field that never changes. */
function otherUid({ kind, target, request }: Call, wanted: string, found: string): Error {
  if (request.method === 'PATCH') return invalid(kind, target.name, [immutable('metadata.uid', wanted)]);
  const key = objectKey(kind, target.namespace, target.name);
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  const storage = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  return conflict(kind, target.name, storage);
}

/** Metadata that only the server writes. */
const serverMetadata = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'generateName',
  'resourceVersion',
] as const;

interface Confined {
  readonly old: KubeObject;
  readonly confine: ChangeSteps['confine'];
}

/** Puts back the parts of an object that this write may not change. */
function prepare(call: Call, draft: Draft, { old, confine }: Confined): void {
  const { kind } = call;
  const { metadata } = draft;
  for (const name of serverMetadata) {
    const value = old.metadata[name];
    if (value !== undefined) (metadata as Record<string, unknown>)[name] = value;
    // Does not `delete` an absent key: that would deoptimise the object.
    else if (name in metadata) delete metadata[name];
  }
  if (confine) return confine(draft, old);
  if (kind.status) keep(draft, old, 'status');
  strategyOf(kind).prepareUpdate?.(draft, old, call);
}

/**
 * Replaces parts of the draft that are equal to those of the old object by these very parts, so that later comparisons see
 * it at a glance. The metadata is left out: it is still written to.
 */
function shareParts(draft: Draft, old: KubeObject): void {
  const before = old as unknown as Record<string, unknown>;
  for (const part in draft) {
    if (part !== 'metadata' && draft[part] !== before[part] && equal(draft[part], before[part]))
      draft[part] = before[part];
  }
}

/** Makes one part of the draft the same as in the old object. */
export function keep(draft: Draft, old: KubeObject, part: string): void {
  const value = (old as unknown as Record<string, unknown>)[part];
  if (value === undefined) delete draft[part];
  else draft[part] = value;
}

/** Keeps stored fields of the product's own kinds that this release does not know: a rollback must not lose them. */
function withUnknownFields({ kind, parts }: Call, draft: Draft, old: KubeObject): Draft {
  if (!kind.custom || !parts.ownKinds.has(`${kind.group}/${kind.plural}`)) return draft;
  return schemaOf(kind, parts.catalog().definitions).preserveUnknown(draft, old);
}

/** Counts a change outside of metadata and status in metadata.generation. */
function countGeneration(kind: KindInfo, draft: Draft, old: KubeObject): void {
  const { generation } = old.metadata;
  if (generation === undefined) return;
  const before = old as unknown as Record<string, unknown>;
  for (const part of new Set([...Object.keys(draft), ...Object.keys(old)])) {
    if (part === 'metadata' || part === 'apiVersion' || part === 'kind') continue;
    if (part === 'status' && kind.status) continue;
    if (equal(draft[part], before[part])) continue;
    draft.metadata.generation = generation + 1;
    return;
  }
}

/** Writes a changed object; one that was only waiting for its last finalizer is deleted instead. */
async function storeChange(call: Call, draft: Draft, entry: Entry): Promise<Outcome> {
  const { kind, parts, options } = call;
  if (options.dryRun) return { status: 200, object: freeze(draft) };
  const written = await parts.store.write({
    verb: isFinished(kind, draft) ? 'delete' : 'put',
    key: entry.key,
    ...storedWithin(call, draft, entry.bytes.length),
    revision: entry.revision,
  });
  return { status: 200, entry: written };
}

/** Tells whether the deletion of an object was requested and nothing delays it any more. */
export function isFinished(kind: KindInfo, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (!deletionTimestamp || (finalizers && finalizers.length > 0)) return false;
  if ((deletionGracePeriodSeconds ?? 0) > 0) return false;
  return strategyOf(kind).isFinal?.(object) ?? true;
}

/** Limits a write on the status subresource to the status. */
export function confinement(call: Call): Pick<ChangeSteps, 'confine'> {
  return call.target.subresource === 'status' ? { confine: confineToStatus(call) } : {};
}

/** A status write keeps all but the status; of metadata, custom kinds keep all, built-in ones labels and owners. */
function confineToStatus(call: Call): (draft: Draft, old: KubeObject) => void {
  return (draft, old) => {
    for (const part of new Set([...Object.keys(draft), ...Object.keys(old)])) {
      if (part !== 'status' && part !== 'metadata') keep(draft, old, part);
    }
    const { managedFields } = draft.metadata;
    if (call.kind.custom) draft.metadata = { ...old.metadata };
    else keepLabelsAndOwners(draft, old);
    if (managedFields) draft.metadata.managedFields = managedFields;
    if (draft['status'] !== undefined && !isObject(draft['status'])) delete draft['status'];
  };
}

function keepLabelsAndOwners(draft: Draft, old: KubeObject): void {
  const { labels, ownerReferences } = old.metadata;
  if (labels) draft.metadata.labels = labels;
  else delete draft.metadata.labels;
  if (ownerReferences) draft.metadata.ownerReferences = ownerReferences;
  else delete draft.metadata.ownerReferences;
}

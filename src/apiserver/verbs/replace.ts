import { conflict, immutable, invalid, invalidValue } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import { clone, equal, freeze } from '../../base/index.ts';
import { metadataUpdateErrors, strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { schemaOf } from '../../schema/index.ts';
import type { Entry } from '../../store/index.ts';
import { admitAll } from '../request/admission.ts';
import type { Call } from '../call.ts';
import { settled } from '../request/draft.ts';
import { objectKey } from '../storage/object-keys.ts';
import type { Outcome } from '../outcome.ts';
import { tracked } from '../request/ownership.ts';
import { plainObject, storedWithin } from '../storage/stored-form.ts';
import { validated } from '../request/validation.ts';
import { onNewest } from './newest.ts';
import { withAllocationRollback } from './allocation-rollback.ts';

/** How a write changes an object. */
export interface Replacement {
  /** The new object; called again with the newer one when somebody else wrote in between. It may be written to. */
  readonly make: (old: KubeObject) => Draft;
  /** What the write may change, as a subresource decides it. Absent: everything but the status. */
  readonly confine?: (draft: Draft, old: KubeObject) => void;
  /** managedFields are as they should be. */
  readonly ownsFields?: boolean;
  /** The hub's own upkeep: taken as it is, without plugins, validation or a record of owners. */
  readonly internal?: boolean;
}

/** Changes the object that the URL names. */
export function replace(call: Call, replacement: Replacement): Promise<Outcome> {
  return onNewest(call, (entry) => replaceOnce(call, replacement, entry));
}

async function replaceOnce(call: Call, replacement: Replacement, entry: Entry): Promise<Outcome> {
  const { kind } = call;
  const old = plainObject(entry, kind);
  const made = replacement.make(old);
  checkPreconditions(call, made, old);
  // Shared early, equal parts are compared once; what is still written to must not be shared.
  if (!replacement.confine && !strategyOf(kind).prepareUpdate) shareParts(made, old);
  // What the hub itself fills in belongs to nobody, so owners are recorded before.
  const draft = replacement.internal || replacement.ownsFields ? made : tracked(call, made, old);
  if (replacement.internal) return put(call, draft, { old, entry });
  return withAllocationRollback(call, draft, () => {
    prepare(call, draft, { old, confine: replacement.confine });
    return put(call, draft, { old, entry, judged: true });
  });
}

interface Place {
  readonly old: KubeObject;
  readonly entry: Entry;
  /** Plugins and rules have a say. */
  readonly judged?: boolean;
}

async function put(call: Call, draft: Draft, { old, entry, judged }: Place): Promise<Outcome> {
  shareParts(draft, old);
  if (equal(draft, old)) return { status: 200, entry };
  const changed = judged ? await approved(call, draft, old) : draft;
  if (judged) countGeneration(call.kind, changed, old);
  return equal(changed, old) ? { status: 200, entry } : commit(call, changed, entry);
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

interface Before {
  readonly old: KubeObject;
  readonly confine: Replacement['confine'];
}

/** What the server says about a changed object, whatever the client wrote. */
function prepare(call: Call, draft: Draft, { old, confine }: Before): void {
  const { kind } = call;
  const { metadata } = draft;
  const before = old.metadata;
  for (const name of kept) copyOrDelete(metadata, before, name);
  if (confine) return confine(draft, old);
  if (kind.status) keep(draft, old, 'status');
  strategyOf(kind).prepareUpdate?.(draft, old, call);
}

/** What only the server writes. */
const kept = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'generateName',
  'resourceVersion',
] as const;

/** A member that was never there is not deleted: that alone would make the object slow for all that follows. */
function copyOrDelete(
  metadata: Record<string, unknown>,
  before: KubeObject['metadata'],
  name: (typeof kept)[number],
): void {
  const value = before[name];
  if (value !== undefined) metadata[name] = value;
  else if (name in metadata) delete metadata[name];
}

/** Parts but for the metadata, which is still written to, become the very same where they are equal: all who compare see it at a glance. */
function shareParts(draft: Draft, old: KubeObject): void {
  const before = old as unknown as Record<string, unknown>;
  for (const part in draft) {
    if (part !== 'metadata' && draft[part] !== before[part] && equal(draft[part], before[part]))
      draft[part] = before[part];
  }
}

/** Makes one part of the draft what it was. */
export function keep(draft: Draft, old: KubeObject, part: string): void {
  const value = (old as unknown as Record<string, unknown>)[part];
  if (value === undefined) delete draft[part];
  else draft[part] = value;
}

async function approved(call: Call, draft: Draft, old: KubeObject): Promise<Draft> {
  const admitted = await admittedForm(call, draft, old);
  const errors = [...metadataUpdateErrors(admitted, old, call.kind), ...validated(call, admitted, old)];
  if (errors.length > 0) throw invalid(call.kind, call.target.name, errors);
  return withStrangers(call, admitted, old);
}

/** A release that is rolled back must not lose what the newer one has stored. */
function withStrangers({ kind, parts }: Call, draft: Draft, old: KubeObject): Draft {
  if (!kind.custom || !parts.ownKinds.has(`${kind.group}/${kind.plural}`)) return draft;
  return schemaOf(kind, parts.catalog().definitions).preserveUnknown(draft, old);
}

async function admittedForm(call: Call, draft: Draft, old: KubeObject): Promise<Draft> {
  const { kind, parts, target, user, options } = call;
  if (parts.admit.length === 0) return draft;
  const { object, warnings } = await admitAll(parts.admit, {
    operation: 'UPDATE',
    kind,
    namespace: target.namespace,
    name: target.name,
    subresource: target.subresource,
    object: draft,
    old,
    user,
    dryRun: options.dryRun,
  });
  call.warnings.push(...(warnings ?? []));
  if (!object || object === draft) return draft;
  return tracked(call, settled(call, clone({ ...object }), []), draft);
}

/** Generation counts changes outside of metadata and status. */
function countGeneration(kind: KindInfo, draft: Draft, old: KubeObject): void {
  const before = old.metadata.generation;
  if (before === undefined || !changesContent(kind, draft, old)) return;
  draft.metadata.generation = before + 1;
}

function changesContent(kind: KindInfo, draft: Draft, old: KubeObject): boolean {
  const before = old as unknown as Record<string, unknown>;
  for (const part of new Set([...Object.keys(draft), ...Object.keys(old)])) {
    if (part === 'metadata' || part === 'apiVersion' || part === 'kind') continue;
    if (part === 'status' && kind.status) continue;
    if (!equal(draft[part], before[part])) return true;
  }
  return false;
}

/** An object that waits for nothing more is not written again but goes. */
async function commit(call: Call, draft: Draft, entry: Entry): Promise<Outcome> {
  const { kind, parts, options } = call;
  const goes = isFinished(kind, draft);
  if (options.dryRun) return { status: 200, object: freeze(draft) };
  const verb = goes ? 'delete' : 'put';
  const written = await parts.store.write({
    verb,
    key: entry.key,
    ...storedWithin(call, draft, entry.bytes.length),
    revision: entry.revision,
  });
  return { status: 200, entry: written };
}

/** Is the deletion of this object asked for, and does nothing hold it back? */
export function isFinished(kind: KindInfo, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (!deletionTimestamp || (finalizers && finalizers.length > 0)) return false;
  if ((deletionGracePeriodSeconds ?? 0) > 0) return false;
  return strategyOf(kind).isFinal?.(object) ?? true;
}

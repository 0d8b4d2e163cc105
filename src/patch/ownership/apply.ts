import type { KubeObject } from '../../api/index.ts';
import { equal, difference, isEmptySet, isSubset, leaf, recursiveDifference, union } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import { compareObjects } from '../fields/compare.ts';
import { fieldSetOf } from '../fields/field-set-of.ts';
import { typeOfKind } from '../fields/field-type.ts';
import { mergeApplied } from '../fields/merge.ts';
import { withoutEmptied, withoutNulls } from '../fields/nulls.ts';
import { shapeErrors } from '../fields/validate.ts';
import { badPatch, failedPatch } from '../patch-error.ts';
import { conflictsWith } from './conflicts.ts';
import type { Conflict } from './conflicts.ts';
import { entryOf, isOwnedBy, readEntries, reconciledEntries, writeEntries } from './entries.ts';
import type { ManagedFieldsEntry, Owner } from './entries.ts';
import { allowedConflicts, withLastApplied } from './last-applied.ts';
import { withoutOwnership } from './lost-fields.ts';
import { withManagedFields } from './managed-object.ts';
import { withoutGivenUp } from './prune.ts';
import { resetField, trackedType, unownable } from './tracked-type.ts';
import type { OwnershipScope } from './tracked-type.ts';

type Entries = readonly ManagedFieldsEntry[];

/** A server-side apply. */
export interface ApplyRequest extends OwnershipScope {
  /** The stored object; absent when the apply creates it. */
  readonly live: KubeObject | undefined;
  /** The configuration of the client: the fields that it wants, and no others. */
  readonly applied: KubeObject;
  readonly manager: string;
  readonly force: boolean;
  /** The time of the request, RFC 3339 in UTC with whole seconds. */
  readonly now: string;
}

/** The object to store (the live one itself when nothing changes), or the fields in the way. */
export type ApplyResult = { readonly object: KubeObject } | { readonly conflicts: readonly Conflict[] };

/**
 * Server-side apply: merges what is applied into the live object, takes out what the applier applied before and leaves
 * out now, and makes it the owner of what it applies. Fields that others own and that would change are conflicts,
 * unless the apply is forced; then they change hands.
 */
export function applyPatch(request: ApplyRequest): ApplyResult {
  const steps = applySteps(request);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** `applyPatch` in steps: an object of a megabyte takes long, and a server can answer others between two steps. */
export function* applySteps(request: ApplyRequest): Generator<undefined, ApplyResult, undefined> {
  checkApplied(request);
  yield;
  const result = yield* applyOnce(request);
  yield;
  if ('object' in result) return { object: withLastApplied(result.object, request) };
  const left = result.conflicts.filter(allowedConflicts(request));
  if (left.length > 0) return { conflicts: left };
  const forced = yield* applyOnce({ ...request, force: true });
  return 'object' in forced ? { object: withLastApplied(forced.object, request) } : forced;
}

function checkApplied({ applied, kind, definitions }: ApplyRequest): void {
  const group = kind.group ? `${kind.group}/${kind.version}` : kind.version;
  if (applied.apiVersion !== group || applied.kind !== kind.kind) {
    throw badPatch(`invalid object type: ${kindText(applied)}`);
  }
  if (applied.metadata.managedFields !== undefined) throw badPatch('metadata.managedFields must be nil');
  const errors = shapeErrors(applied, typeOfKind({ schema: kind.schema, custom: kind.custom }, definitions));
  if (errors.length === 0) return;
  const { name, namespace = '' } = applied.metadata;
  const list = errors.length === 1 ? errors[0] : ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
  throw failedPatch(`failed to create typed patch object (${namespace}/${name}; ${kindText(applied)}): ${list}`);
}

function kindText({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function* applyOnce(request: ApplyRequest): Generator<undefined, ApplyResult, undefined> {
  const { live, force } = request;
  const owner = applierOf(request);
  const entries = entriesOf(request);
  const own = entries.find((entry) => isOwnedBy(entry, owner));
  const others = entries.filter((entry) => entry !== own);
  yield;
  const fields = fieldsOf(request);
  yield;
  const object = mergedObject(request, { own, others, fields });
  yield;

  const { removed, modified, added } = compareObjects(
    { before: live, after: object, untyped: true },
    trackedType(request),
  );
  yield;
  const changed = union(modified, added);
  const conflicts = force ? [] : conflictsWith(others, changed);
  if (conflicts.length > 0) return { conflicts };

  const unchanged = live !== undefined && equal(live, object);
  const ownable = difference(fields, unownable);
  const time = unchanged ? own?.time : request.now;
  const next = [
    ...withoutOwnership(others, undefined, { changed, removed }),
    ...(isEmptySet(ownable) ? [] : [entryOf(owner, ownable, time)]),
  ];
  yield;
  const stored = unchanged ? live : storable(object, request, next);
  yield;
  return { object: withManagedFields(stored, managedFieldsOf(next, live)) };
}

/** In a typed object null is absence; in a custom one it may be a value. */
function storable(object: KubeObject, { kind, live, applied }: ApplyRequest, entries: Entries): KubeObject {
  return kind.custom ? withoutEmptied(object, { live, applied, owned: ownedBy(entries) }) : withoutNulls(object);
}

function ownedBy(entries: Entries): FieldSet {
  return entries.reduce((set, { fieldsV1 }) => union(set, fieldsV1), leaf);
}

function applierOf({ manager, subresource, applied }: ApplyRequest): Owner {
  return { manager, operation: 'Apply', apiVersion: applied.apiVersion, ...(subresource && { subresource }) };
}

/** An object that no one has applied to: all it has belongs to those who were there before. */
function entriesOf(request: ApplyRequest): Entries {
  const { live, now, kind, definitions } = request;
  const type = typeOfKind(kind, definitions);
  const entries = reconciledEntries(readEntries(live?.metadata.managedFields) ?? [], type);
  if (entries.length > 0 || !live) return entries;
  const { added } = compareObjects({ before: undefined, after: live }, trackedType(request));
  const owner: Owner = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: request.applied.apiVersion,
    ...(request.subresource && { subresource: request.subresource }),
  };
  return isEmptySet(added) ? [] : [entryOf(owner, added, now)];
}

/** The fields of the configuration, without the part of the object that this request cannot change. */
function fieldsOf(request: ApplyRequest): FieldSet {
  const fields = sortedSet(fieldSetOf(request.applied, typeOfKind(request.kind, request.definitions)));
  const reset = resetField(request);
  return reset ? recursiveDifference(fields, { [`f:${reset}`]: leaf }) : fields;
}

/** Fields in the order in which Kubernetes lists them, whatever the order in the configuration. */
function sortedSet(set: FieldSet): FieldSet {
  const members = Object.entries(set).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.length === 0 ? set : Object.fromEntries(members.map(([name, below]) => [name, sortedSet(below)]));
}

interface Owners {
  readonly own: ManagedFieldsEntry | undefined;
  readonly others: Entries;
  readonly fields: FieldSet;
}

function mergedObject({ live, applied, kind, definitions }: ApplyRequest, { own, others, fields }: Owners): KubeObject {
  const type = typeOfKind(kind, definitions);
  const merged = mergeApplied(live ?? {}, applied, type) as KubeObject;
  // Nothing that was applied before is left out now: there is nothing to take away.
  if (!own || isSubset(own.fieldsV1, fields)) return merged;
  const owned = union(fields, ownedBy(others));
  return withoutGivenUp(merged, { last: own.fieldsV1, owned }, type) as KubeObject;
}

/** Keeps the stored list where the new one says the same. */
function managedFieldsOf(entries: Entries, live: KubeObject | undefined): readonly unknown[] {
  const written = writeEntries(entries);
  const stored = live?.metadata.managedFields;
  return stored && equal(stored, written) ? stored : written;
}

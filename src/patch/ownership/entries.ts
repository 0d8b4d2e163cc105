import { isObject, leaf } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import type { FieldType } from '../fields/field-type.ts';
import { canonicalElement } from '../fields/path-element.ts';
import { reconciled } from '../fields/reconcile.ts';
import { sharedSet } from './set-texts.ts';

/** One entry of metadata.managedFields: which fields a manager has set, by which kind of request. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: FieldSet;
  readonly subresource?: string;
}

/** The maker of a change: an entry without its fields and time. */
export type Owner = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

/** Lists that were read or written here before: their entries are in the one form that sets are compared in. */
const read = new WeakMap<object, readonly ManagedFieldsEntry[]>();

/** Reads managedFields; undefined when they are not in order, and then none of them counts. */
export function readEntries(managedFields: unknown): readonly ManagedFieldsEntry[] | undefined {
  if (managedFields === undefined || managedFields === null) return [];
  if (!Array.isArray(managedFields)) return undefined;
  const known = read.get(managedFields);
  if (known) return known;
  const entries: ManagedFieldsEntry[] = [];
  for (const item of managedFields) {
    const entry = readEntry(item);
    if (!entry) return undefined;
    entries.push(entry);
  }
  read.set(managedFields, entries);
  return entries;
}

/** Tells whether this list of entries was made here, in the one form. */
export function isKnownList(managedFields: unknown): managedFields is readonly ManagedFieldsEntry[] {
  return Array.isArray(managedFields) && read.get(managedFields) === managedFields;
}

/** Takes a list as one that is in the one form. */
export function knownList(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  read.set(entries, entries);
  return entries;
}

function readEntry(item: unknown): ManagedFieldsEntry | undefined {
  if (!isObject(item)) return undefined;
  const { fieldsType, fieldsV1 = leaf, time } = item;
  const owner = readOwner(item);
  const fields = isObject(fieldsV1) ? canonicalSet(fieldsV1) : undefined;
  if (!owner || !fields || fieldsType !== 'FieldsV1') return undefined;
  return entryOf(owner, fields, isText(time) ? time : undefined);
}

function readOwner(item: Readonly<Record<string, unknown>>): Owner | undefined {
  const { manager = '', operation, apiVersion, subresource = '' } = item;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (!isText(apiVersion) || apiVersion === '' || !isText(manager) || !isText(subresource)) return undefined;
  return { manager, operation, apiVersion, ...(subresource && { subresource }) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function canonicalSet(set: Readonly<Record<string, unknown>>): FieldSet | undefined {
  const out: Record<string, FieldSet> = {};
  for (const element of Object.keys(set)) {
    const node = set[element];
    const canonical = element === '.' ? element : canonicalElement(element);
    const below = isObject(node) ? canonicalSet(node) : undefined;
    if (canonical === undefined || !below) return undefined;
    out[canonical] = below;
  }
  return out;
}

/** The entries in line with the type as it is now; the very list that was given when they are. */
export function reconciledEntries(
  entries: readonly ManagedFieldsEntry[],
  type: FieldType,
): readonly ManagedFieldsEntry[] {
  const next = entries.map((entry) => {
    const fieldsV1 = reconciled(entry.fieldsV1, type);
    return fieldsV1 === entry.fieldsV1 ? entry : { ...entry, fieldsV1 };
  });
  return next.every((entry, i) => entry === entries[i]) ? entries : next;
}

/** The entries as they are stored: appliers first, then by time, name, version and subresource. */
export function writeEntries(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  return knownList(entries.map(withSharedSet).sort(compareEntries));
}

function withSharedSet(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const fieldsV1 = sharedSet(entry.fieldsV1);
  return fieldsV1 === entry.fieldsV1 ? entry : { ...entry, fieldsV1 };
}

/** Oldest first; what lacks a time is older than all. */
function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    order(a.operation, b.operation) ||
    order(a.time ?? '', b.time ?? '') ||
    order(a.manager, b.manager) ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Plain order of texts; times are RFC 3339 in UTC with whole seconds, so theirs is the order of time. */
export function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Tells whether this is the entry of that owner. An applier keeps its entry when it applies another version. */
export function isOwnedBy(entry: ManagedFieldsEntry, owner: Owner): boolean {
  return (
    entry.manager === owner.manager &&
    entry.operation === owner.operation &&
    (entry.subresource ?? '') === (owner.subresource ?? '') &&
    (owner.operation === 'Apply' || entry.apiVersion === owner.apiVersion)
  );
}

/** An entry for an owner. */
export function entryOf(owner: Owner, fieldsV1: FieldSet, time: string | undefined): ManagedFieldsEntry {
  return {
    manager: owner.manager,
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(owner.subresource && { subresource: owner.subresource }),
  };
}

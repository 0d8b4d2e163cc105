import {
  annotationBytes,
  invalidValue,
  labelKeyFaults,
  labelValueFaults,
  nameFaults,
  required,
  tooLong,
} from '../api/index.ts';
import type { FieldError, KindInfo, KubeObject, NameRule, ObjectMeta, OwnerReference } from '../api/index.ts';
import { equal } from '../base/index.ts';

/** The errors of the metadata of a new object. */
export function metadataErrors(object: KubeObject, kind: KindInfo, rule: NameRule): FieldError[] {
  const { metadata } = object;
  return [
    ...nameErrors(metadata, rule),
    ...(kind.namespaced && !metadata.namespace ? [required('metadata.namespace')] : []),
    ...labelErrors(metadata.labels, 'metadata.labels'),
    ...annotationErrors(metadata.annotations),
    ...ownerErrors(metadata.ownerReferences),
    ...finalizerErrors(metadata.finalizers, kind),
  ];
}

/** The errors of the metadata of a changed object; parts that did not change are not looked at again. */
export function metadataUpdateErrors(object: KubeObject, old: KubeObject, kind: KindInfo): FieldError[] {
  const { metadata } = object;
  const before = old.metadata;
  return [
    ...(equal(metadata.labels, before.labels) ? [] : labelErrors(metadata.labels, 'metadata.labels')),
    ...(equal(metadata.annotations, before.annotations) ? [] : annotationErrors(metadata.annotations)),
    ...(equal(metadata.ownerReferences, before.ownerReferences) ? [] : ownerErrors(metadata.ownerReferences)),
    ...(equal(metadata.finalizers, before.finalizers) ? [] : changedFinalizerErrors(metadata, before, kind)),
  ];
}

function nameErrors(metadata: ObjectMeta, rule: NameRule): FieldError[] {
  const errors: FieldError[] = [];
  const { name, generateName } = metadata;
  if (generateName) {
    for (const fault of nameFaults(rule, generateName, true)) {
      errors.push(invalidValue('metadata.generateName', generateName, fault));
    }
  }
  if (!name) errors.push(required('metadata.name', 'name or generateName is required'));
  else for (const fault of nameFaults(rule, name, false)) errors.push(invalidValue('metadata.name', name, fault));
  return errors;
}

/** Also used for the labels of pod templates. */
export function labelErrors(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    for (const fault of labelKeyFaults(key)) errors.push(invalidValue(field, key, fault));
    const value = labels[key] ?? '';
    for (const fault of labelValueFaults(value)) errors.push(invalidValue(field, value, fault));
  }
  return errors;
}

function annotationErrors(annotations: Readonly<Record<string, string>> | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key in annotations) {
    for (const fault of labelKeyFaults(key.toLowerCase())) {
      errors.push(invalidValue('metadata.annotations', key, fault));
    }
    bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
  }
  if (bytes > annotationBytes) errors.push(tooLong('metadata.annotations', annotationBytes));
  return errors;
}

function ownerErrors(references: readonly OwnerReference[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let controller: OwnerReference | undefined;
  for (const reference of references ?? []) {
    const field = 'metadata.ownerReferences';
    if (!reference.apiVersion) errors.push(invalidValue(`${field}.apiVersion`, '', 'version must not be empty'));
    if (!reference.kind) errors.push(invalidValue(`${field}.kind`, '', 'must not be empty'));
    if (!reference.name) errors.push(invalidValue(`${field}.name`, '', 'must not be empty'));
    if (!reference.uid) errors.push(invalidValue(`${field}.uid`, '', 'must not be empty'));
    if (!reference.controller) continue;
    if (controller) {
      const found = `Found "true" in references for ${controller.kind}/${controller.name} and ${reference.kind}/${reference.name}`;
      errors.push(invalidValue(field, references, `Only one reference can have Controller set to true. ${found}`));
    }
    controller = reference;
  }
  return errors;
}

/** The finalizers that the collector of garbage understands. */
export const orphanFinalizer = 'orphan';
/** The finalizer of an owner that waits for its dependents. */
export const foregroundFinalizer = 'foregroundDeletion';

const standardFinalizers = new Set(['kubernetes', orphanFinalizer, foregroundFinalizer]);

/** Writers of finalizers must not get in each other's way, so a name has a domain; custom kinds may still go without. */
function unqualified(finalizers: readonly string[], kind: KindInfo): FieldError[] {
  if (kind.custom) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizers.flatMap((name, i) =>
    name.includes('/') || standardFinalizers.has(name) ? [] : [invalidValue(`metadata.finalizers[${i}]`, name, detail)],
  );
}

/** Warnings about finalizers of custom kinds. */
export function finalizerWarnings({ metadata }: KubeObject, old: KubeObject | undefined): string[] {
  const before = new Set(old?.metadata.finalizers);
  const words = 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
  return (metadata.finalizers ?? [])
    .filter((name) => !before.has(name) && !name.includes('/') && !standardFinalizers.has(name))
    .map((name) => `metadata.finalizers: ${JSON.stringify(name)}: ${words}`);
}

function finalizerErrors(finalizers: readonly string[] | undefined, kind: KindInfo): FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of finalizers ?? []) {
    for (const fault of labelKeyFaults(finalizer)) errors.push(invalidValue('metadata.finalizers', finalizer, fault));
  }
  if (finalizers?.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    errors.push(invalidValue('metadata.finalizers', finalizers, detail));
  }
  return [...errors, ...unqualified(finalizers ?? [], kind)];
}

function changedFinalizerErrors(metadata: ObjectMeta, before: ObjectMeta, kind: KindInfo): FieldError[] {
  const errors = finalizerErrors(metadata.finalizers, kind);
  if (!before.deletionTimestamp) return errors;
  const added = (metadata.finalizers ?? []).filter((one) => !before.finalizers?.includes(one));
  if (added.length === 0) return errors;
  const found = `[]string{${added.map((one) => JSON.stringify(one)).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`;
  return [...errors, { type: 'forbidden', field: 'metadata.finalizers', detail }];
}

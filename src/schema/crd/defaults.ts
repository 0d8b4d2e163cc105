import type { CrdNames, CustomResourceDefinition } from '../../api/index.ts';

/** The definition with what its author may leave out; the same object when nothing is missing. */
export function defaultedCrd(crd: CustomResourceDefinition): CustomResourceDefinition {
  const { names, conversion } = crd.spec;
  const complete = names.singular && (names.listKind || !names.kind) && conversion;
  if (complete) return crd;
  return {
    ...crd,
    spec: { ...crd.spec, conversion: conversion ?? { strategy: 'None' }, names: completeNames(names) },
  };
}

/** A definition without a kind is refused later; here it only must not fail. */
function completeNames(names: CrdNames): CrdNames {
  const { kind = '' } = names as Partial<CrdNames>;
  const listKind = names.listKind || (kind && `${kind}List`);
  return { ...names, singular: names.singular || kind.toLowerCase(), ...(listKind && { listKind }) };
}

/** The version in which objects are stored. */
export function storageVersionOf(crd: CustomResourceDefinition): string {
  return crd.spec.versions.find((version) => version.storage)?.name ?? '';
}

/** The definition with its storage version among those that stored objects may be in; nobody else sets these. */
export function withStoredVersions(crd: CustomResourceDefinition): CustomResourceDefinition {
  const stored = crd.status?.storedVersions ?? [];
  const storage = storageVersionOf(crd);
  if (!storage || stored.includes(storage)) return crd;
  return { ...crd, status: { ...crd.status, storedVersions: [...stored, storage] } };
}

import type { Catalog, KindInfo, SubresourceKind } from './kinds.ts';

/** A subresource by its bare name, with what it takes and answers. */
export interface Subresource extends SubresourceKind {
  readonly name: string;
}

const writable = ['get', 'patch', 'update'];

/** All subresources of a kind in the order of their names. */
export function subresourcesOf(kind: KindInfo): readonly Subresource[] {
  const names = new Set(kind.subresources);
  if (kind.status) names.add('status');
  if (kind.scale) names.add('scale');
  return [...names].sort().map((name) => subresourceOf(kind, name));
}

function subresourceOf(kind: KindInfo, name: string): Subresource {
  return { name, ...(kind.subresourceKinds?.[name] ?? standardKind(kind, name)) };
}

function standardKind(kind: KindInfo, name: string): SubresourceKind {
  if (name === 'scale') return { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: writable };
  return { group: kind.group, version: kind.version, kind: kind.kind, verbs: writable };
}

/** The kinds of one group version in the order of their names. */
export function kindsIn(catalog: Catalog, group: string, version: string): readonly KindInfo[] {
  return catalog.kinds
    .filter((kind) => kind.group === group && kind.version === version)
    .sort((a, b) => (a.plural < b.plural ? -1 : 1));
}

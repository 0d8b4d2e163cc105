import { apiVersionOf, catalogWith } from '../../api/index.ts';
import type { Catalog, CustomResourceDefinition, KindInfo } from '../../api/index.ts';
import { kindsOf } from './kinds.ts';
import { isEstablished } from './status.ts';

/**
 * The kinds of the hub with those that established definitions bring, groups by name.
 * A group version that the hub has itself is never taken over.
 */
export function catalogOfCrds(base: Catalog, crds: readonly CustomResourceDefinition[]): Catalog {
  const own = new Set(base.kinds.map(apiVersionOf));
  const kinds = crds
    .filter(isEstablished)
    .flatMap(kindsOf)
    .filter((kind) => !own.has(apiVersionOf(kind)));
  return kinds.length === 0 ? base : catalogWith(base, kinds.sort(byName));
}

function byName(a: KindInfo, b: KindInfo): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ group, plural, version }: KindInfo): string {
  return `${group}/${plural}/${version}`;
}

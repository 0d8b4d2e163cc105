import { apiVersionOf, catalogWith } from '../../api/index.ts';
import type { Catalog, CustomResourceDefinition, KindInfo } from '../../api/index.ts';
import { kindsOf } from './kinds.ts';
import { isEstablished } from './status.ts';

/**
 * The kinds of the hub with those that established definitions bring, groups by name.
 * A group version that the hub has itself is never taken over. `subresources`, by `group/plural`, are those that a proxy
 * answers: a definition cannot name them.
 */
export function catalogOfCrds(
  base: Catalog,
  crds: readonly CustomResourceDefinition[],
  subresources: ReadonlyMap<string, readonly string[]> = new Map(),
): Catalog {
  const own = new Set(base.kinds.map(apiVersionOf));
  const kinds = crds
    .filter(isEstablished)
    .flatMap(kindsOf)
    .filter((kind) => !own.has(apiVersionOf(kind)))
    .map((kind) => withProxies(kind, subresources.get(`${kind.group}/${kind.plural}`)));
  return kinds.length === 0 ? base : catalogWith(base, kinds.sort(byName));
}

/** The verbs of the methods that a proxy forwards. */
const proxyVerbs = ['create', 'delete', 'get', 'patch', 'update'];

function withProxies(kind: KindInfo, names: readonly string[] = []): KindInfo {
  if (names.length === 0) return kind;
  const { group, version } = kind;
  const proxied = names.map((name) => [name, { group, version, kind: kind.kind, verbs: proxyVerbs }] as const);
  return {
    ...kind,
    subresources: [...kind.subresources, ...names],
    subresourceKinds: { ...kind.subresourceKinds, ...Object.fromEntries(proxied) },
  };
}

function byName(a: KindInfo, b: KindInfo): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ group, plural, version }: KindInfo): string {
  return `${group}/${plural}/${version}`;
}

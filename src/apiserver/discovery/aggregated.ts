import { kindsIn, subresourcesOf } from '../../api/index.ts';
import type { Catalog, GroupInfo, KindInfo } from '../../api/index.ts';

/** The versions of aggregated discovery; their content is the same. */
export const aggregatedVersions = ['v2', 'v2beta1'] as const;
export type AggregatedVersion = (typeof aggregatedVersions)[number];

/** The content type by which a client asks for a version, and by which alone it understands the answer. */
export function aggregatedType(version: AggregatedVersion): string {
  return `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

/** All groups with all their resources in one list: the core group for /api, the others for /apis. */
export function aggregatedList(catalog: Catalog, root: 'api' | 'apis', version: AggregatedVersion): object {
  const groups = catalog.groups.filter(({ group }) => (group === '') === (root === 'api'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => groupDiscovery(catalog, group)),
  };
}

function groupDiscovery(catalog: Catalog, { group, versions }: GroupInfo): object {
  return {
    metadata: { ...(group && { name: group }), creationTimestamp: null },
    versions: versions.map((version) => ({
      version,
      resources: kindsIn(catalog, group, version).map(resourceDiscovery),
      freshness: 'Current',
    })),
  };
}

function resourceDiscovery(kind: KindInfo): object {
  const subresources = subresourcesOf(kind).map((one) => ({
    subresource: one.name,
    responseKind: { group: one.group, version: one.version, kind: one.kind },
    verbs: one.verbs,
  }));
  return {
    resource: kind.plural,
    responseKind: { group: kind.group, version: kind.version, kind: kind.kind },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

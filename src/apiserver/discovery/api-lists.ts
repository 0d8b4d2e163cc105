/**
 * The documents of discovery as values: the plain ones first, then the aggregated one that kubectl asks for.
 */
import { createHash } from 'node:crypto';
import { apiVersionOf, kindsIn, subresourcesOf } from '../../api/index.ts';
import type { Catalog, GroupInfo, KindInfo, Subresource } from '../../api/index.ts';

/** GET /api */
export function coreVersions(catalog: Catalog, address: string): object {
  return {
    kind: 'APIVersions',
    versions: catalog.groups.find(({ group }) => group === '')?.versions ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** GET /apis */
export function groupList(catalog: Catalog): object {
  const groups = catalog.groups.filter(({ group }) => group !== '').map(groupEntry);
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** GET /apis/<group>; undefined when the group does not exist. */
export function groupOf(catalog: Catalog, name: string): object | undefined {
  const found = catalog.groups.find(({ group }) => group === name && name !== '');
  return found && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(found) };
}

function groupEntry({ group, versions }: GroupInfo): object {
  const entries = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
}

/** GET /api/v1 and /apis/<group>/<version>; undefined: nothing is served there. */
export function resourceList(catalog: Catalog, group: string, version: string): object | undefined {
  const kinds = kindsIn(catalog, group, version);
  if (kinds.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: kinds.flatMap(resourceEntries),
  };
}

function resourceEntry(kind: KindInfo): object {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
    ...(kind.verbs.includes('list') && { storageVersionHash: storageVersionHash(kind) }),
  };
}

function resourceEntries(kind: KindInfo): object[] {
  return [resourceEntry(kind), ...subresourcesOf(kind).map((one) => subresourceEntry(kind, one))];
}

function subresourceEntry(kind: KindInfo, one: Subresource): object {
  const foreign = one.group !== kind.group || one.version !== kind.version;
  return {
    name: `${kind.plural}/${one.name}`,
    singularName: '',
    namespaced: kind.namespaced,
    ...(foreign && { group: one.group, version: one.version }),
    kind: one.kind,
    verbs: one.verbs,
  };
}

/** Tells clients that two resources, or two versions of one, keep the same objects. */
function storageVersionHash(kind: KindInfo): string {
  const stored = `${kind.storageGroup ?? kind.group}/${kind.storageVersion}/${kind.kind}`;
  return createHash('sha256').update(stored).digest().subarray(0, 8).toString('base64');
}

/** The versions of aggregated discovery; their content is the same. */
export const aggregatedVersions = ['v2', 'v2beta1'] as const;
/** The versions of aggregated discovery. */
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

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

/** GET /apis/<group>; undefined: there is no such group. */
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

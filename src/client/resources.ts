import { apiVersionOf } from '../api/index.ts';
import type { KindRef, Ref } from '../api/index.ts';
import { UnknownKind } from './errors.ts';

/** The parts of a URL of a kind. */
export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly singular?: string;
  readonly shortNames?: readonly string[];
}

/** The resources of a server; a Catalog is one. */
export interface Resources {
  readonly kinds: readonly ResourceInfo[];
  byKind(apiVersion: string, kind: string): ResourceInfo | undefined;
}

/** The table of these resources; where two have the same kind, the first counts. */
export function resourcesOf(kinds: readonly ResourceInfo[]): Resources {
  const table = new Map<string, ResourceInfo>();
  for (const kind of kinds) {
    const key = `${apiVersionOf(kind)}/${kind.kind}`;
    if (!table.has(key)) table.set(key, kind);
  }
  return { kinds, byKind: (apiVersion, kind) => table.get(`${apiVersion}/${kind}`) };
}

/** The URL of a collection: in one namespace, or in all of them. */
export function collectionPath(resource: ResourceInfo, namespace?: string): string {
  const { group, version, plural, namespaced } = resource;
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  return namespaced && namespace
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
    : `${root}/${plural}`;
}

/** The URL of an object, or of a subresource of it. */
export function objectPath(resource: ResourceInfo, ref: Ref, subresource?: string): string {
  const path = `${collectionPath(resource, ref.namespace)}/${encodeURIComponent(ref.name)}`;
  return subresource ? `${path}/${subresource}` : path;
}

/** The resource of a kind; throws UnknownKind. */
export function resourceOf(resources: Resources, { apiVersion, kind }: KindRef): ResourceInfo {
  const found = resources.byKind(apiVersion, kind);
  if (!found) throw new UnknownKind(apiVersion, kind);
  return found;
}

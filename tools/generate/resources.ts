import { leftOut, readOnly, servedVersions } from './scope.ts';
import { readJson } from './sources.ts';

interface DiscoveredKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
}

interface DiscoveredSubresource {
  readonly subresource: string;
  readonly responseKind?: DiscoveredKind;
  readonly verbs: readonly string[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: DiscoveredKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly DiscoveredSubresource[];
  readonly verbs: readonly string[];
}

interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
}

interface DiscoveredGroup {
  readonly metadata: { readonly name: string };
  readonly versions: readonly DiscoveredVersion[];
}

/** The facts of one resource; absent lists are empty. */
export interface ResourceFacts {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced?: true;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: Readonly<Record<string, SubresourceFacts>>;
}

/** Verbs of a subresource, and its kind where it is not that of the resource: `group/version/Kind`. */
export interface SubresourceFacts {
  readonly verbs: readonly string[];
  readonly kind?: string;
}

const readVerbs = new Set(['get', 'list', 'watch']);

/** The facts of all served resources by group version, groups and versions in the order of preference. */
export function readResources(kubernetes: string): Record<string, ResourceFacts[]> {
  const core = readJson(kubernetes, 'api/discovery/api__v1.json') as ListedResources;
  const others = readJson(kubernetes, 'api/discovery/aggregated_v2.json') as {
    readonly items: readonly DiscoveredGroup[];
  };
  const groups = [coreGroup(core), ...others.items];
  const found: Record<string, ResourceFacts[]> = {};
  for (const group of groups) {
    for (const { version, resources } of group.versions) {
      const key = group.metadata.name ? `${group.metadata.name}/${version}` : version;
      if (!servedVersions.includes(key)) continue;
      found[key] = resources.filter((one) => !leftOut.has(`${key}/${one.resource}`)).map((one) => factsOf(one, key));
    }
  }
  const missing = servedVersions.filter((version) => !found[version]);
  if (missing.length) throw new Error(`not in discovery: ${missing.join(', ')}`);
  return found;
}

function factsOf(one: DiscoveredResource, version: string): ResourceFacts {
  const writable = readOnly.has(`${version}/${one.resource}`) ? [] : (one.subresources ?? []);
  const subresources = writable.map((sub) => [sub.subresource, subresourceFacts(sub, one, version)]);
  return {
    plural: one.resource,
    singular: one.singularResource,
    kind: one.responseKind.kind,
    ...(one.scope === 'Namespaced' && { namespaced: true }),
    ...(one.shortNames?.length && { shortNames: one.shortNames }),
    ...(one.categories?.length && { categories: one.categories }),
    verbs: readOnly.has(`${version}/${one.resource}`) ? one.verbs.filter((verb) => readVerbs.has(verb)) : one.verbs,
    ...(subresources.length && { subresources: Object.fromEntries(subresources) }),
  };
}

function subresourceFacts(sub: DiscoveredSubresource, of: DiscoveredResource, version: string): SubresourceFacts {
  const kind = sub.responseKind;
  if (!kind || (kind.kind === of.responseKind.kind && !kind.group)) return { verbs: sub.verbs };
  const foreign = kind.group && kind.version ? `${kind.group}/${kind.version}` : version;
  return { verbs: sub.verbs, kind: `${foreign}/${kind.kind}` };
}

interface ListedResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface ListedResources {
  readonly resources: readonly ListedResource[];
}

/** The core group is published in the older form only: a flat list with `pods/log` beside `pods`. */
function coreGroup(list: ListedResources): DiscoveredGroup {
  const resources = list.resources
    .filter((one) => !one.name.includes('/'))
    .map((one): DiscoveredResource => ({
      resource: one.name,
      responseKind: { kind: one.kind },
      scope: one.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: one.singularName,
      shortNames: one.shortNames ?? [],
      categories: one.categories ?? [],
      subresources: list.resources.filter(({ name }) => name.startsWith(`${one.name}/`)).map(asSubresource),
      verbs: one.verbs,
    }));
  return { metadata: { name: '' }, versions: [{ version: 'v1', resources }] };
}

function asSubresource({ name, kind, group, version, verbs }: ListedResource): DiscoveredSubresource {
  const responseKind = { kind, ...(group && { group }), ...(version && { version }) };
  return { subresource: name.slice(name.indexOf('/') + 1), responseKind, verbs };
}

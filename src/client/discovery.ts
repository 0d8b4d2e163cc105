import { groupOf } from '../api/index.ts';
import type { ApiClient } from './client.ts';
import { resourcesOf } from './resources.ts';
import type { ResourceInfo, Resources } from './resources.ts';

/** What a server says that it serves. */
export interface Discovered extends Resources {
  /** `group/version` of those that exist and could not be asked about. */
  readonly incomplete: readonly string[];
}

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

/** Asks a server for all its resources: in two requests where it can, else group by group. */
export async function discover(server: ApiClient): Promise<Discovered> {
  const [core, groups] = await Promise.all([roots(server, '/api'), roots(server, '/apis')]);
  const found = [...core, ...groups];
  const kinds = found.flatMap((version) => ('resources' in version ? version.resources : []));
  const asked = found.filter((version) => 'path' in version);
  const rest = await Promise.all(asked.map((version) => legacyResources(server, version)));
  const incomplete = [
    ...found.flatMap((version) => ('stale' in version ? [version.stale] : [])),
    ...rest.flatMap((resources, i) => (resources ? [] : [asked[i]?.name ?? ''])),
  ];
  return { ...resourcesOf([...kinds, ...rest.flatMap((resources) => resources ?? [])]), incomplete };
}

/** A version of a group: with its resources, to be asked for them, or not answering. */
type Version =
  | { readonly resources: readonly ResourceInfo[] }
  | { readonly path: string; readonly name: string }
  | { readonly stale: string };

async function roots(server: ApiClient, path: '/api' | '/apis'): Promise<readonly Version[]> {
  const { body } = await server.raw({ method: 'GET', path, headers: { accept: aggregated } });
  const answer = body as AggregatedList | ApiVersions | ApiGroupList;
  if (answer.kind === 'APIGroupDiscoveryList') return answer.items.flatMap(aggregatedVersions);
  if (answer.kind === 'APIVersions') return answer.versions.map((name) => ({ path: `/api/${name}`, name }));
  return answer.groups.flatMap(({ versions }) =>
    versions.map(({ groupVersion }) => ({ path: `/apis/${groupVersion}`, name: groupVersion })),
  );
}

interface AggregatedList {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items: readonly AggregatedGroup[];
}

interface AggregatedGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly freshness?: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly responseKind?: { readonly kind: string };
      readonly scope: string;
      readonly verbs: readonly string[];
      readonly singularResource?: string;
      readonly shortNames?: readonly string[];
    }[];
  }[];
}

function aggregatedVersions({ metadata, versions }: AggregatedGroup): readonly Version[] {
  const group = metadata.name ?? '';
  return versions.flatMap(({ version, freshness, resources = [] }): readonly Version[] => {
    const known = {
      resources: resources.map(({ resource, responseKind, scope, verbs, singularResource, shortNames }) => ({
        group,
        version,
        kind: responseKind?.kind ?? '',
        plural: resource,
        namespaced: scope === 'Namespaced',
        verbs,
        ...(singularResource && { singular: singularResource }),
        ...(shortNames && { shortNames }),
      })),
    };
    return freshness === 'Stale' ? [known, { stale: group ? `${group}/${version}` : version }] : [known];
  });
}

interface ApiVersions {
  readonly kind: 'APIVersions';
  readonly versions: readonly string[];
}

interface ApiGroupList {
  readonly kind: 'APIGroupList';
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

interface ApiResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
  }[];
}

/** Undefined when this version does not answer: one broken extension must not hide all other resources. */
async function legacyResources(
  server: ApiClient,
  { path }: { readonly path: string },
): Promise<readonly ResourceInfo[] | undefined> {
  let list: ApiResourceList;
  try {
    const { body } = await server.raw({ method: 'GET', path });
    list = body as ApiResourceList;
  } catch {
    return undefined;
  }
  const { groupVersion } = list;
  const group = groupOf(groupVersion);
  const version = group ? groupVersion.slice(group.length + 1) : groupVersion;
  return list.resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs, singularName, shortNames }) => ({
      group,
      version,
      kind,
      plural: name,
      namespaced,
      verbs,
      ...(singularName && { singular: singularName }),
      ...(shortNames && { shortNames }),
    }));
}

import type { Members } from '../base/index.ts';
import { groupOf } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import type { ApiClient } from './client.ts';
import { nonsenseOf, Unreachable } from './errors.ts';
import { resourcesOf } from './resources.ts';
import type { ResourceInfo, Resources } from './resources.ts';

/** The resources that a server says it serves. */
export interface Discovered extends Resources {
  /** `group/version` of those that exist and could not be asked about. */
  readonly incomplete: readonly string[];
}

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

/** More than any cluster serves: a server that claims more is broken, or wants to keep us busy. */
const [mostVersions, mostResources] = [2_000, 20_000];

function requireFew(count: number, most: number, what: string): void {
  if (count <= most) return;
  throw new Unreachable('excessive', `the server says that it serves ${count} ${what}, more than ${most}`, {
    sent: true,
  });
}

/** Asks a server for all its resources: in two requests where it can, else group by group. */
export async function discover(server: ApiClient): Promise<Discovered> {
  const [core, groups] = await Promise.all([roots(server, '/api'), roots(server, '/apis')]);
  const found = [...core, ...groups];
  const kinds = found.flatMap((version) => ('resources' in version ? version.resources : []));
  const asked = found.filter((version) => 'path' in version);
  requireFew(asked.length, mostVersions, 'group versions');
  const rest = await Promise.all(asked.map((version) => legacyResources(server, version)));
  const incomplete = [
    ...found.flatMap((version) => ('stale' in version ? [version.stale] : [])),
    ...rest.flatMap((resources, i) => (resources ? [] : [asked[i]?.name ?? ''])),
  ];
  const all = [...kinds, ...rest.flatMap((resources) => resources ?? [])];
  requireFew(all.length, mostResources, 'resources');
  return { ...resourcesOf(all), incomplete };
}

/** A version of a group: with its resources, to be asked for them, or not answering. */
type Version =
  | { readonly resources: readonly ResourceInfo[] }
  | { readonly path: string; readonly name: string }
  | { readonly stale: string };

async function roots(server: ApiClient, path: '/api' | '/apis'): Promise<readonly Version[]> {
  const answer = await server.raw({ method: 'GET', path, headers: { accept: aggregated } });
  const { body } = answer;
  if (!isObject(body)) throw nonsenseOf(answer, `the list of APIs at ${path}`);
  const at = new FieldPath(path);
  if (body['kind'] === 'APIGroupDiscoveryList') return at.objects(body, 'items').flatMap((g) => groupVersions(g, at));
  if (body['kind'] === 'APIVersions')
    return at.texts(body, 'versions').map((name) => ({ path: `/api/${encodeURIComponent(name)}`, name }));
  return at.objects(body, 'groups').flatMap((group) =>
    at.objects(group, 'versions').map((version) => {
      const name = at.text(version, 'groupVersion');
      return { path: `/apis/${name.split('/').map(encodeURIComponent).join('/')}`, name };
    }),
  );
}

/** Reads the fields of an answer; what is of the wrong type becomes an error that names the answer and the field. */
class FieldPath {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  text(fields: Readonly<Members>, name: string): string {
    const value = fields[name];
    if (typeof value !== 'string' || value.length > longestName) throw this.#wrong(name, 'a name');
    return value;
  }

  /** '' when there is none. */
  textOrNone(fields: Readonly<Members>, name: string): string {
    return fields[name] === undefined || fields[name] === null ? '' : this.text(fields, name);
  }

  texts(fields: Readonly<Members>, name: string): readonly string[] {
    return this.#list(fields, name).map((_, i, list) => this.text(list as unknown as Readonly<Members>, String(i)));
  }

  objects(fields: Readonly<Members>, name: string): readonly Readonly<Members>[] {
    return this.#list(fields, name).map((item) => {
      if (!isObject(item)) throw this.#wrong(name, 'a list of objects');
      return item;
    });
  }

  #list(fields: Readonly<Members>, name: string): readonly unknown[] {
    const value = fields[name] ?? [];
    if (!Array.isArray(value)) throw this.#wrong(name, 'a list');
    return value as readonly unknown[];
  }

  #wrong(name: string, wanted: string): Unreachable {
    return new Unreachable('nonsense', `the server answered ${this.#path} with a field ${name} that is not ${wanted}`, {
      sent: true,
    });
  }
}

/** Names of groups, versions, kinds and resources are DNS names or shorter. */
const longestName = 253;

function groupVersions(group: Readonly<Members>, at: FieldPath): readonly Version[] {
  const name = isObject(group['metadata']) ? at.textOrNone(group['metadata'], 'name') : '';
  return at.objects(group, 'versions').flatMap((entry): readonly Version[] => {
    const version = at.text(entry, 'version');
    const resources = at.objects(entry, 'resources').map((resource) => ({
      group: name,
      version,
      kind: isObject(resource['responseKind']) ? at.textOrNone(resource['responseKind'], 'kind') : '',
      plural: at.text(resource, 'resource'),
      namespaced: resource['scope'] === 'Namespaced',
      ...namesOf(resource, at, 'singularResource'),
    }));
    const isStale = entry['freshness'] === 'Stale';
    return isStale ? [{ resources }, { stale: name ? `${name}/${version}` : version }] : [{ resources }];
  });
}

/** The names of a resource, which both forms of discovery contain. */
function namesOf(
  resource: Readonly<Members>,
  at: FieldPath,
  singularField: string,
): Pick<ResourceInfo, 'verbs' | 'singular' | 'shortNames'> {
  const singular = at.textOrNone(resource, singularField);
  const verbs = at.texts(resource, 'verbs');
  const shortNames = resource['shortNames'] ? at.texts(resource, 'shortNames') : undefined;
  return { verbs, ...(singular && { singular }), ...(shortNames && { shortNames }) };
}

/** Undefined when this version does not answer, or not as it should: one broken extension must not hide all other resources. */
async function legacyResources(
  server: ApiClient,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<readonly ResourceInfo[] | undefined> {
  const group = groupOf(name);
  const version = group ? name.slice(group.length + 1) : name;
  try {
    const { body } = await server.raw({ method: 'GET', path });
    const at = new FieldPath(path);
    return at
      .objects(isObject(body) ? body : {}, 'resources')
      .filter((resource) => !at.text(resource, 'name').includes('/'))
      .map((resource) => ({
        group,
        version,
        kind: at.text(resource, 'kind'),
        plural: at.text(resource, 'name'),
        namespaced: resource['namespaced'] === true,
        ...namesOf(resource, at, 'singularName'),
      }));
  } catch {
    return undefined;
  }
}

import { lookup } from '../../base/index.ts';
import { failure, unknownResource } from '../../api/index.ts';
import type { Catalog, KindInfo } from '../../api/index.ts';

/** The object or collection that a path of the resource grammar names. */
export interface Target {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** The path after the subresource, for example of `…/clusters/m1/proxy/api/v1/pods`: starts with a slash, or is empty. */
  readonly rest: string;
  /** The old `/api/v1/watch/…` form. */
  readonly watch: boolean;
}

/** Where a request goes. */
export interface Route {
  /** Undefined for a path outside the grammar of resources. */
  readonly target: Target | undefined;
  /** Undefined when the resource does not exist. */
  readonly kind: KindInfo | undefined;
}

/** Kubernetes' name for what a request does. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The route of a path; undefined for a group or version that is not served: there Kubernetes does not even know the paths. */
export function routeOf(path: string, catalog: Catalog): Route | undefined {
  const target = targetOf(path);
  const kind = target && catalog.byResource(target.group, target.version, target.plural);
  return kind || isServed(path, catalog) ? { target, kind } : undefined;
}

function isServed(path: string, catalog: Catalog): boolean {
  const [, root, group = '', version = ''] = path.split('/');
  if (root !== 'apis' || !group) return true;
  const known = catalog.groups.find((one) => one.group === group);
  return known !== undefined && (!version || known.versions.includes(version));
}

const subresourcesOfNamespaces: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Parses `/api/v1/…` and `/apis/<group>/<version>/<resource>…`; undefined for every other path. */
export function targetOf(path: string): Target | undefined {
  const parts = path.split('/');
  if (parts[1] === 'api') return withGroup('', parts[2], parts.slice(3));
  if (parts[1] === 'apis') return withGroup(parts[2], parts[3], parts.slice(4));
  return undefined;
}

function withGroup(group = '', version = '', parts: readonly string[]): Target | undefined {
  const watch = parts[0] === 'watch';
  const tail = watch ? parts.slice(1) : parts;
  if (!version || !tail[0]) return undefined;
  const isInside = liesInNamespace(tail);
  const namespace = isInside ? decoded(tail[1]) : '';
  const resource = resourceOf(isInside ? tail.slice(2) : tail);
  return namespace === undefined || !resource ? undefined : { group, version, namespace, watch, ...resource };
}

function resourceOf(parts: readonly string[]): Pick<Target, 'plural' | 'name' | 'subresource' | 'rest'> | undefined {
  const [plural, name, subresource] = [decoded(parts[0]), decoded(parts[1]), decoded(parts[2])];
  if (plural === undefined || name === undefined || subresource === undefined) return undefined;
  // The rest is for another server, so it stays as it was written.
  return { plural, name, subresource, rest: parts.length > 3 ? `/${parts.slice(3).join('/')}` : '' };
}

/** `namespaces/x/pods` does; `namespaces/x` and `namespaces/x/status` are about the namespace itself. */
function liesInNamespace([first, , third = '']: readonly string[]): boolean {
  return first === 'namespaces' && third !== '' && !subresourcesOfNamespaces.has(third);
}

/** Undefined for a part that decodes to a slash: it could reach another place than the one that was authorized. */
function decoded(part = ''): string | undefined {
  if (!part.includes('%')) return part;
  try {
    const text = decodeURIComponent(part);
    return text.includes('/') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Throws 404 unless URL and kind have one scope: a cluster-scoped kind lies in no namespace, an object of a namespaced one in exactly one. */
export function checkScope(kind: KindInfo, target: Target): void {
  if (target.namespace && !kind.namespaced) throw unknownResource();
  if (target.name && kind.namespaced && !target.namespace) throw unknownResource();
}

const byMethod: Readonly<Record<string, readonly [onObject: Verb | undefined, onCollection: Verb | undefined]>> =
  lookup({
    GET: ['get', 'list'],
    HEAD: ['get', 'list'],
    POST: [undefined, 'create'],
    PUT: ['update', undefined],
    PATCH: ['patch', undefined],
    DELETE: ['delete', 'deletecollection'],
  });

/** The verb of a request; undefined when the method does not go with such a path. */
export function verbOf(method: string, target: Target, watches: boolean): Verb | undefined {
  const pair = byMethod[method];
  if (!pair) return undefined;
  if (method === 'GET' && (target.watch || (watches && !target.name))) return 'watch';
  return target.name ? pair[0] : pair[1];
}

/** The 405 of a method that such a path never takes. */
export function notAllowed(): Error {
  return failure('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

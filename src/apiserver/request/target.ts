/** What a path of the resource grammar names. */
export interface Target {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** What follows the subresource, as in `…/clusters/m1/proxy/api/v1/pods`: starts with a slash, or is empty. */
  readonly rest: string;
  /** The old `/api/v1/watch/…` form. */
  readonly watch: boolean;
}

const subresourcesOfNamespaces: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Parses `/api/v1/…` and `/apis/<group>/<version>/<resource>…`; undefined for every other path. */
export function targetOf(path: string): Target | undefined {
  const parts = path.split('/');
  if (parts[1] === 'api') return withGroup('', parts[2], parts.slice(3));
  if (parts[1] === 'apis') return withGroup(parts[2], parts[3], parts.slice(4));
  return undefined;
}

/** A name with a slash in it is no name: it could reach for another place than the one that is asked for. */
function decoded(part = ''): string | undefined {
  if (!part.includes('%')) return part;
  try {
    const text = decodeURIComponent(part);
    return text.includes('/') ? undefined : text;
  } catch {
    return undefined;
  }
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

/** `namespaces/x/pods` does; `namespaces/x` and `namespaces/x/status` are about the namespace itself. */
function liesInNamespace([first, , third = '']: readonly string[]): boolean {
  return first === 'namespaces' && third !== '' && !subresourcesOfNamespaces.has(third);
}

/** The rest is not ours to read, so it stays as it was written. */
function resourceOf(parts: readonly string[]): Pick<Target, 'plural' | 'name' | 'subresource' | 'rest'> | undefined {
  const [plural, name, subresource] = [decoded(parts[0]), decoded(parts[1]), decoded(parts[2])];
  if (plural === undefined || name === undefined || subresource === undefined) return undefined;
  return { plural, name, subresource, rest: parts.length > 3 ? `/${parts.slice(3).join('/')}` : '' };
}

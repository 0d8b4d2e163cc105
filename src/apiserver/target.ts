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
  const parts = path.split('/').map(decode);
  if (parts[parts.length - 1] === '') parts.pop();
  if (parts[1] === 'api') return withGroup('', parts[2], parts.slice(3));
  if (parts[1] === 'apis') return withGroup(parts[2], parts[3], parts.slice(4));
  return undefined;
}

function decode(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function withGroup(group = '', version = '', parts: string[]): Target | undefined {
  const watch = parts[0] === 'watch';
  const tail = watch ? parts.slice(1) : parts;
  if (!version || !tail[0]) return undefined;
  const inNamespace = tail[0] === 'namespaces' && tail[2] !== undefined && !subresourcesOfNamespaces.has(tail[2]);
  const named = inNamespace ? { namespace: tail[1] ?? '', ...resourceOf(tail.slice(2)) } : resourceOf(tail);
  return { group, version, namespace: '', watch, ...named };
}

function resourceOf(parts: readonly string[]): Pick<Target, 'plural' | 'name' | 'subresource' | 'rest'> {
  const [plural = '', name = '', subresource = ''] = parts;
  return { plural, name, subresource, rest: parts.length > 3 ? `/${parts.slice(3).join('/')}` : '' };
}

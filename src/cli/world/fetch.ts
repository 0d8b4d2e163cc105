import { ApiError, apiVersionOf, decidingGroups, memberOfNamespace } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import type { ApiClient, ResourceInfo } from '../../client/index.ts';
import { isTemplateKind } from '../../engine/index.ts';
import type { Server } from '../connect.ts';
import { preferredKinds } from '../kinds.ts';
import { ownPages } from './pages.ts';

/** The objects that a caller sees of a hub, and the kinds that are hidden. */
export interface Fetched {
  readonly objects: readonly KubeObject[];
  /** In words, as `secrets in namespace shop`. */
  readonly hidden: readonly string[];
}

/** Kinds that are served in the name of others, that are nobody's template, or that change all the time. */
const left: ReadonlySet<string> = new Set(['ComponentStatus', 'Event', 'Lease', 'APIService']);
const parallel = 8;

/** The kinds that decisions read: every possible template and our own. */
export function decidingKinds(kinds: readonly ResourceInfo[]): readonly ResourceInfo[] {
  return preferredKinds(kinds).filter((kind) => {
    if (!kind.verbs.includes('list') || left.has(kind.kind)) return false;
    return decidingGroups.has(kind.group) || isTemplateKind({ apiVersion: apiVersionOf(kind), kind: kind.kind });
  });
}

/** How a hub is read. */
export interface Scope {
  /** The namespace of those who may not see which there are. */
  readonly fallback: string;
  /** Tells whether the command needs the reports of members. */
  readonly reports: boolean;
}

/** Reads the objects of a kind, everywhere or in a namespace; throws when the caller may not. */
export type ReadKind = typeof ownPages;

/** Reads everything that decisions depend on, with the rights of the caller. */
export async function fetchHub({ client, served }: Server, scope: Scope, read: ReadKind = ownPages): Promise<Fetched> {
  const fetching = new Fetching(client, scope, read);
  // There are most Works, and pages come one after the other: who begins with them waits least.
  const waiting = [...decidingKinds(served.kinds)].sort(
    (a, b) => Number(b.kind === 'Work') - Number(a.kind === 'Work'),
  );
  const worker = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind; kind = waiting.shift()) await fetching.fetch(kind);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { objects: fetching.objects, hidden: fetching.hidden.sort() };
}

class Fetching {
  readonly objects: KubeObject[] = [];
  readonly hidden: string[] = [];
  readonly #client: ApiClient;
  readonly #scope: Scope;
  readonly #read: ReadKind;
  #namespaces: Promise<readonly string[]> | undefined;

  constructor(client: ApiClient, scope: Scope, read: ReadKind) {
    this.#client = client;
    this.#scope = scope;
    this.#read = read;
  }

  async fetch(kind: ResourceInfo): Promise<void> {
    if (await this.#list(kind)) return;
    if (!kind.namespaced) {
      this.hidden.push(kind.plural);
      return;
    }
    const visible = await (this.#namespaces ??= this.#visibleNamespaces());
    // Works are in namespaces of their own: a caller who sees none of these sees no Works.
    const namespaces = kind.kind === 'Work' ? visible.filter((name) => memberOfNamespace(name) !== undefined) : visible;
    const hidden: string[] = [];
    for (const namespace of namespaces) if (!(await this.#list(kind, namespace))) hidden.push(namespace);
    this.#noteHidden(kind, namespaces, hidden);
  }

  #noteHidden({ plural }: ResourceInfo, asked: readonly string[], hidden: readonly string[]): void {
    if (hidden.length === asked.length) this.hidden.push(plural);
    else for (const namespace of hidden) this.hidden.push(`${plural} in namespace ${namespace}`);
  }

  /** False when it is forbidden. A kind that went away in the meantime has no objects. */
  async #list(kind: ResourceInfo, namespace?: string): Promise<boolean> {
    try {
      const { reports } = this.#scope;
      for (const item of await this.#read(this.#client, kind, { namespace, reports })) this.objects.push(item);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 403) return false;
      if (error.code === 404 || error.code === 405) return true;
      throw error;
    }
  }

  async #visibleNamespaces(): Promise<readonly string[]> {
    try {
      const { items } = await this.#client.listAll({ apiVersion: 'v1', kind: 'Namespace' });
      return items.map(({ metadata }) => metadata.name);
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) return [this.#scope.fallback];
      throw error;
    }
  }
}

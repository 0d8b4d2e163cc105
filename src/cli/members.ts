import { ApiError, clusterApi, managedLabel } from '../api/index.ts';
import type { Cluster, KubeObject, Ref } from '../api/index.ts';
import { contextOf } from '../client/index.ts';
import type { Connection, KindRef, Selecting } from '../client/index.ts';
import { connectToMember } from './connect.ts';
import type { Hub, Server } from './connect.ts';
import { Failure } from './failure.ts';
import { permissionWords } from '../engine/index.ts';
import type { ListMember } from './world/placed-objects.ts';

/** A way into a member, or why there is none. */
export type MemberServer = Server | { readonly unreadable: string };

/** Why a member cannot be read, in its words where it has any. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'TimeoutError' ? 'it does not answer in time: allow more with --timeout' : error.message;
}

const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.code === 403;

/** The members of a hub, as this caller can reach them; each is connected to once, when first asked for. */
export class Members {
  readonly #hub: Hub;
  readonly #timeout: string;
  readonly #servers = new Map<string, Promise<MemberServer>>();

  constructor(hub: Hub, timeout: string) {
    this.#hub = hub;
    this.#timeout = timeout;
  }

  /** All members; a caller who may not list them is told which permission is missing. */
  async clusters(): Promise<readonly Cluster[]> {
    try {
      return (await this.#hub.client.listAll<Cluster>({ apiVersion: clusterApi, kind: 'Cluster' })).items;
    } catch (error) {
      if (isForbidden(error)) throw unseenMembers(error);
      throw error;
    }
  }

  /** The names of all members. */
  async names(): Promise<readonly string[]> {
    return (await this.clusters()).map(({ metadata }) => metadata.name).sort();
  }

  /** The members that a list as `member1,member2` names; without one all of them. A misspelt name is told. */
  async chosen(list: string | undefined): Promise<readonly string[]> {
    const known = await this.names();
    if (list === undefined) return known;
    const wanted = [...new Set(list.split(',').map((name) => name.trim()))];
    const unknown = wanted.filter((name) => !known.includes(name));
    if (unknown.length > 0) throw noMember(unknown, known);
    return wanted;
  }

  /** The error for a name that no member has. */
  async absenceOf(name: string): Promise<Failure> {
    return noMember([name], await this.names());
  }

  /** A member by a context of the kubeconfig that is named like it, else by its Cluster and Secret on the hub. */
  server(name: string): Promise<MemberServer> {
    let known = this.#servers.get(name);
    if (!known) this.#servers.set(name, (known = this.#connect(name)));
    return known;
  }

  /**
   * A member with the rights of the caller there: by a context of the kubeconfig that is named like it, else through the
   * proxy of the hub. A hub without a proxy lends its own credentials to those who may read them.
   */
  async asCaller(name: string): Promise<Server & { readonly connection: Connection }> {
    const connection = await this.#connectionOfCaller(name);
    return { ...(await connectToMember(connection, { timeout: this.#timeout })), connection };
  }

  async #connectionOfCaller(name: string): Promise<Connection> {
    if (this.#hub.config.contexts.has(name)) return contextOf(this.#hub.config, name).connection;
    if (!(await this.#hasProxy())) return this.#connectionBySecret(name);
    return this.#proxied(name);
  }

  /** An object of a member; 'unreadable' when the caller has no way to it. */
  async read(member: string, ref: Ref): Promise<KubeObject | undefined | 'unreadable'> {
    const server = await this.server(member);
    if ('unreadable' in server) return 'unreadable';
    try {
      return await server.client.find(ref);
    } catch {
      return 'unreadable';
    }
  }

  /** The objects of a kind that the hub manages in a member; undefined when the caller has no way to them. */
  readonly listManaged: ListMember = (member, kind) =>
    this.list(member, kind, { labelSelector: `${managedLabel}=true` });

  /** The objects of a kind in a member; undefined when the caller has no way to them. */
  async list(member: string, kind: KindRef, options: Selecting = {}): Promise<readonly KubeObject[] | undefined> {
    const server = await this.server(member);
    if ('unreadable' in server) return undefined;
    try {
      return (await server.client.listAll(kind, options)).items;
    } catch {
      return undefined;
    }
  }

  /** The next request connects again: a member that could not be reached may be back. */
  forget(name: string): void {
    this.#servers.delete(name);
  }

  async close(): Promise<void> {
    for (const server of this.#servers.values()) {
      const open = await server;
      if ('client' in open) await open.client.close();
    }
  }

  async #connect(name: string): Promise<MemberServer> {
    try {
      const connection = this.#hub.config.contexts.has(name)
        ? contextOf(this.#hub.config, name).connection
        : await this.#connectionBySecret(name);
      return await connectToMember(connection, { timeout: this.#timeout });
    } catch (error) {
      if (isForbidden(error)) return this.#connectByProxy(name);
      return { unreadable: whyUnreadable(error) };
    }
  }

  /** Callers who may not read the Secret of a member can reach it through the proxy of the hub, if it has one. */
  async #connectByProxy(name: string): Promise<MemberServer> {
    const otherwise = `on the hub, or a context ${name} in your kubeconfig`;
    if (!(await this.#hasProxy()))
      return { unreadable: `you need permission to get the Secret of the member ${otherwise}` };
    try {
      return await connectToMember(this.#proxied(name), { timeout: this.#timeout });
    } catch (error) {
      if (!isForbidden(error)) return { unreadable: whyUnreadable(error) };
      return { unreadable: `you need permission to get clusters/proxy ${otherwise}` };
    }
  }

  #proxied(name: string): Connection {
    const { connection } = this.#hub;
    const path = `/apis/${clusterApi}/clusters/${encodeURIComponent(name)}/proxy`;
    return { ...connection, server: connection.server.replace(/\/+$/, '') + path };
  }

  /** Tells whether the hub forwards requests to members, with the permissions of the caller. */
  async #hasProxy(): Promise<boolean> {
    const { body } = await this.#hub.client.raw({ method: 'GET', path: `/apis/${clusterApi}` });
    const { resources = [] } = body as { readonly resources?: readonly { readonly name: string }[] };
    return resources.some((resource) => resource.name === 'clusters/proxy');
  }

  async #connectionBySecret(name: string): Promise<Connection> {
    const cluster = await this.#hub.client.find<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
    if (!cluster) throw new Failure(`there is no member ${name}`);
    const { apiEndpoint, secretRef, insecureSkipTLSVerification, proxyURL } = cluster.spec;
    if (!apiEndpoint || !secretRef) throw new Failure(`the hub does not know how ${name} is reached`);
    const { token, caBundle } = await this.#secret(secretRef);
    return {
      server: apiEndpoint,
      token,
      ...(caBundle && { caBundle }),
      ...(insecureSkipTLSVerification && { insecureSkipTLSVerification }),
      ...(proxyURL && { proxy: { url: proxyURL } }),
    };
  }

  async #secret(ref: {
    readonly namespace: string;
    readonly name: string;
  }): Promise<{ token: string; caBundle: string }> {
    const whole = { apiVersion: 'v1', kind: 'Secret', ...ref };
    const secret = await this.#hub.client.get<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(whole);
    const text = (name: string): string => Buffer.from(secret.data?.[name] ?? '', 'base64').toString('utf8');
    return { token: text('token').trim(), caBundle: text('caBundle') };
  }
}

/** The error for callers who may not list members, where the result depends on members. */
export function unseenMembers(cause?: unknown): Failure {
  return new Failure(`the members are hidden: ${permissionWords(['clusters'])}`, { cause });
}

function noMember(names: readonly string[], known: readonly string[]): Failure {
  return new Failure(`there is no member ${names.join(', ')}; there are ${known.join(', ') || 'none'}`);
}

/** Works with the members of a hub, and disconnects. */
export async function withMembers<T>(hub: Hub, timeout: string, work: (members: Members) => Promise<T>): Promise<T> {
  const members = new Members(hub, timeout);
  try {
    return await work(members);
  } finally {
    await members.close();
  }
}

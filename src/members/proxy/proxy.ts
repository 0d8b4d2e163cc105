import type { Duplex, Readable } from 'node:stream';
import { badRequest, clusterApi, groupOf, notFound, serviceUnavailable, whyForeignSecret } from '../../api/index.ts';
import type { ApiError, Cluster, MemberAccess, User } from '../../api/index.ts';
import { Forwarder, Unreachable } from '../../client/index.ts';
import type { Connection, Forwarded } from '../../client/index.ts';
import { BadCredentials, connectionOf, sameConnection } from '../credentials.ts';
import type { MemberSecret } from '../credentials.ts';
import { forwardedHeaders, returnedHeaders } from './headers.ts';
import type { Brought } from './headers.ts';

/** Where the proxy finds members and their credentials. */
export interface MemberProxyOptions {
  readonly cluster: (name: string) => Cluster | undefined;
  readonly secret: (ref: { readonly namespace: string; readonly name: string }) => MemberSecret | undefined;
  readonly access: MemberAccess;
}

/** A request for a member, from a user who may ask for it. */
export interface MemberRequest extends Brought {
  readonly member: string;
  readonly user: User;
  readonly method: string;
  /** The path in the member, encoded; empty for its root. */
  readonly path: string;
  /** Encoded, without the question mark. */
  readonly query: string;
  readonly body?: Buffer;
  /** The protocol to switch to. */
  readonly upgrade?: string;
}

/** The answer of the member, as it goes to the caller. */
export interface MemberAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Readable;
  /** A connection that has switched protocols. */
  readonly socket?: Duplex;
}

interface Way {
  readonly connection: Connection;
  readonly forwarder: Forwarder;
}

/**
 * Passes requests of users on to members, each as the user who asked: with the token of the member's impersonator and the
 * user's name, never with the credentials of the hub or of the caller.
 */
export class MemberProxy {
  readonly #options: MemberProxyOptions;
  readonly #ways = new Map<string, Way>();

  constructor(options: MemberProxyOptions) {
    this.#options = options;
  }

  /** Resolves when the head of the answer is there; throws an ApiError when the member cannot be asked. */
  async forward(request: MemberRequest): Promise<MemberAnswer> {
    const { member, user, method, path, query, body, upgrade } = request;
    const wrong = whyNoPath(path);
    if (wrong) throw badRequest(wrong);
    const { connection, forwarder } = this.#way(member);
    const headers = forwardedHeaders(request, user, connection.token as string);
    const target = `${path || '/'}${query && `?${query}`}`;
    const answer = await asked(member, () =>
      forwarder.forward({ method, path: target, headers, ...(body && { body }), ...(upgrade && { upgrade }) }),
    );
    return answerOf(member, answer);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ways.values()].map(({ forwarder }) => forwarder.close()));
    this.#ways.clear();
  }

  /** The way that Cluster and Secrets describe now; one that they no longer describe is closed. */
  #way(name: string): Way {
    const connection = this.#connection(name);
    const known = this.#ways.get(name);
    if (known && connection && sameConnection(known.connection, connection)) return known;
    this.#ways.delete(name);
    void known?.forwarder.close();
    if (!connection) throw notFound({ group: groupOf(clusterApi), plural: 'clusters' }, name);
    const way = { connection, forwarder: new Forwarder(connection) };
    this.#ways.set(name, way);
    return way;
  }

  /** Undefined when the member does not exist. */
  #connection(name: string): Connection | undefined {
    const cluster = this.#options.cluster(name);
    if (!cluster) return undefined;
    try {
      return impersonatorConnection(cluster, this.#options);
    } catch (error) {
      if (error instanceof BadCredentials)
        throw serviceUnavailable(`cluster ${name} cannot be asked: ${error.message}`);
      throw error;
    }
  }
}

/** The way of the hub, with the token of the impersonator in place of the hub's own. */
function impersonatorConnection(cluster: Cluster, { secret, access }: MemberProxyOptions): Connection {
  const { impersonatorSecretRef: ref, secretRef } = cluster.spec;
  if (!ref)
    throw new BadCredentials('spec.impersonatorSecretRef is empty: run `sluice join` again, which makes the account');
  const foreign = whyForeignSecret(ref.namespace, access);
  if (foreign) throw new BadCredentials(`spec.impersonatorSecretRef.namespace: ${ref.namespace} ${foreign}`);
  const own = secret(ref);
  if (!own) throw new BadCredentials(`spec.impersonatorSecretRef: Secret ${ref.namespace}/${ref.name} does not exist`);
  // The Secret of the impersonator has a token alone; the authority to trust is in that of the hub.
  const trusted = secretRef && !foreignRef(secretRef.namespace, access) ? secret(secretRef) : undefined;
  const data = { ...(trusted?.data?.['caBundle'] && { caBundle: trusted.data['caBundle'] }), ...own.data };
  return connectionOf({ ...cluster, spec: { ...cluster.spec, secretRef: ref } }, { ...own, data }, access);
}

const foreignRef = (namespace: string, access: MemberAccess): boolean =>
  whyForeignSecret(namespace, access) !== undefined;

async function asked(member: string, ask: () => Promise<Forwarded>): Promise<Forwarded> {
  try {
    return await ask();
  } catch (error) {
    throw refusalOf(member, error);
  }
}

function refusalOf(member: string, error: unknown): unknown {
  if (!(error instanceof Unreachable)) return error;
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  // A user or a path with signs that no header or request line can carry.
  if (code === 'UND_ERR_INVALID_ARG')
    return badRequest('the request cannot be passed on: a header or its path is invalid');
  return serviceUnavailable(`cluster ${member} does not answer: ${error.message}`);
}

const mostStatus = 599;

function answerOf(member: string, { status, headers, body, socket }: Forwarded): MemberAnswer {
  if (socket) return { status, headers: switchedHeaders(headers), socket };
  if (status >= 300 && status < 400 && status !== 304) {
    body?.destroy();
    throw redirected(member);
  }
  if (status > mostStatus) {
    body?.destroy();
    throw serviceUnavailable(`cluster ${member} answered with the status ${status}, which HTTP does not have`);
  }
  return { status, headers: returnedHeaders(headers), ...(body && { body }) };
}

/** A redirect would lead the caller, or us, to a place that the member has chosen. */
function redirected(member: string): ApiError {
  return serviceUnavailable(`cluster ${member} answered with a redirect, which is not followed`);
}

function switchedHeaders(headers: Forwarded['headers']): MemberAnswer['headers'] {
  const upgrade = headers['upgrade'];
  return { ...returnedHeaders(headers), connection: 'Upgrade', ...(upgrade && { upgrade }) };
}

/**
 * Why a path may not be passed on to a member; undefined when it may. A member can stand behind a gateway with a path of
 * its own: a path that climbs would reach the neighbour with the token for this member.
 */
export function whyNoPath(path: string): string | undefined {
  let text = path;
  try {
    // Encoded twice it may still be decoded on the way.
    for (let next = decodeURIComponent(text); next !== text; next = decodeURIComponent(text)) text = next;
  } catch {
    if (text === path) return 'the path is not encoded as a URL';
  }
  if (text.split(/[/\\]/).some((part) => part === '.' || part === '..')) return 'the path must not contain . or ..';
  return undefined;
}

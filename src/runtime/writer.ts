import { keyOf, refOf } from '../api/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import { isConflict, isNotFound } from '../client/index.ts';
import type { ApiClient, WriteOptions } from '../client/index.ts';
import { withoutManagers } from './keep.ts';
import type { Certainty } from './versioned.ts';

/** One write, to the hub or to the member `at`. Spec and status are different writes. */
export type Write =
  | { readonly verb: 'create' | 'update' | 'updateStatus'; readonly object: KubeObject; readonly at?: string }
  | { readonly verb: 'delete'; readonly ref: Ref; readonly uid?: string; readonly at?: string };

/** Where answers to writes are seen at once: HubCache and MemberCache. */
export interface WriteCache {
  find(key: string): KubeObject | undefined;
  put(object: KubeObject, certainty?: Certainty): void;
  remove(key: string, uid?: string, certainty?: Certainty): void;
}

/** A server and the cache of it. */
export interface WriteTarget {
  readonly server: ApiClient;
  readonly cache: WriteCache;
  /**
   * Resolves when a state of an object is durable. With it, what the server accepts is seen before it is, so that writes
   * to other objects follow without waiting for the disk; whoever acts on anything else than this server must wait.
   */
  readonly durable?: (object: KubeObject) => Promise<void>;
}

/**
 * The write was refused because the object is not what the decision saw. It has been read again, so the next decision
 * sees it as it is.
 */
export class Stale extends Error {
  constructor(ref: Ref, cause: unknown) {
    super(`${keyOf(ref)} was not what the decision saw`, { cause });
    this.name = 'Stale';
  }
}

/** A write to a member that is not connected. */
export class NotConnected extends Error {
  constructor(member: string) {
    super(`${member} is not connected`);
    this.name = 'NotConnected';
  }
}

/** The reference of what a write concerns. */
export function writtenRef(write: Write): Ref {
  return write.verb === 'delete' ? write.ref : refOf(write.object);
}

/** Finds the server of a write; undefined when the member is not connected. */
export type TargetOf = (member: string | undefined) => WriteTarget | undefined;

/**
 * Performs a write and lets the cache see what came of it.
 * Guarantees: when it returns, the cache is at least as new as the write; deleting what is gone is no failure; where
 * the object was not what the decision saw, it is read again and Stale is thrown.
 */
export async function performWrite(write: Write, targetOf: TargetOf, signal?: AbortSignal): Promise<void> {
  const target = targetOf(write.at);
  if (!target) throw new NotConnected(write.at ?? 'the hub');
  try {
    await sent(write, target, signal);
  } catch (error) {
    if (!isStale(write, error)) throw error;
    const ref = writtenRef(write);
    await refresh(ref, target, signal);
    throw new Stale(ref, error);
  }
}

function isStale({ verb }: Write, error: unknown): boolean {
  return isConflict(error) || (isNotFound(error) && (verb === 'update' || verb === 'updateStatus'));
}

async function sent(write: Write, target: WriteTarget, signal: AbortSignal | undefined): Promise<void> {
  const { server } = target;
  const options = signal ? { signal } : {};
  switch (write.verb) {
    case 'create':
      await knownDurable(homeOf(write.object), target);
      return seen(target, options, (how) => server.create(write.object, how));
    case 'update':
      await knownDurable(refOf(write.object), target);
      return seen(target, options, (how) => server.update(withoutManagers(write.object), how));
    case 'updateStatus':
      await knownDurable(refOf(write.object), target);
      return seen(target, options, (how) => server.updateStatus(withoutManagers(write.object), how));
    case 'delete':
      await knownDurable(write.ref, target);
      return deleted(write, target, options);
    default:
      return write satisfies never;
  }
}

/** The namespace of an object, or the object itself. */
function homeOf(object: KubeObject): Ref {
  const { namespace } = object.metadata;
  return namespace ? { apiVersion: 'v1', kind: 'Namespace', name: namespace } : refOf(object);
}

/** The server itself knows only durable states: it would find nothing to change, or think that there is nothing to delete. */
export async function knownDurable(ref: Ref, { cache, durable }: WriteTarget): Promise<void> {
  const known = durable && cache.find(keyOf(ref));
  if (known) await durable(known);
}

/**
 * Lets the cache see what a write makes of an object: where it can be known when that is durable, as soon as it is accepted. An accepted
 * write that comes to nothing is taken back.
 */
export async function seen<How extends WriteOptions>(
  target: WriteTarget,
  options: How,
  write: (options: How) => Promise<KubeObject>,
): Promise<void> {
  const { cache, durable } = target;
  let accepted: KubeObject | undefined;
  const onAccepted = (object: KubeObject): void => {
    accepted = object;
    cache.put(object);
  };
  try {
    cache.put(await write(durable ? { ...options, accepted: onAccepted } : options));
  } catch (error) {
    if (accepted) await takeBack(accepted, target);
    throw error;
  }
}

/** Its revision may be given to another write now, so what is read counts whatever revision it has. */
async function takeBack(accepted: KubeObject, { server, cache }: WriteTarget): Promise<void> {
  const ref = refOf(accepted);
  const key = keyOf(ref);
  const { uid, resourceVersion } = accepted.metadata;
  if (cache.find(key)?.metadata.resourceVersion !== resourceVersion) return;
  const object = await server.find(ref);
  if (object) cache.put(object, { rewound: true });
  else cache.remove(key, uid, { rewound: true });
}

async function deleted(
  { ref, uid }: Extract<Write, { verb: 'delete' }>,
  { server, cache }: WriteTarget,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  const key = keyOf(ref);
  const known = uid ?? cache.find(key)?.metadata.uid;
  try {
    const { gone, object } = await server.delete(ref, { ...options, ...(uid && { uid }) });
    if (!gone && object) return cache.put(object);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  cache.remove(key, known);
}

/** Reads an object into the cache, or out of it. */
export async function refresh(ref: Ref, { server, cache }: WriteTarget, signal?: AbortSignal): Promise<void> {
  const key = keyOf(ref);
  const known = cache.find(key)?.metadata.uid;
  const object = await server.find(ref, signal ? { signal } : {});
  if (object) cache.put(object);
  else if (known !== undefined) cache.remove(key, known);
}

import { keyOf, refOf } from '../api/index.ts';
import type { KubeObject, Ref, Write } from '../api/index.ts';
import { isConflict, isNotFound } from '../client/index.ts';
import type { ApiClient } from '../client/index.ts';
import { withoutManagers } from './managed-fields.ts';
import type { Certainty } from './versioned.ts';

/** Where answers to writes are seen at once: HubCache and MemberCache. */
export interface WriteCache {
  find(key: string): KubeObject | undefined;
  put(object: KubeObject, certainty?: Certainty): void;
  remove(key: string, uid?: string): void;
}

/** A server and the cache of it. */
export interface WriteTarget {
  readonly server: ApiClient;
  readonly cache: WriteCache;
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
 * Guarantees: when it returns, the cache is at least as new as the write; deleting an absent object succeeds; when the
 * object is not what the decision saw, it is read again and Stale is thrown.
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

async function sent(write: Write, { server, cache }: WriteTarget, signal: AbortSignal | undefined): Promise<void> {
  const options = signal ? { signal } : {};
  switch (write.verb) {
    case 'create':
      return cache.put(await server.create(write.object, options));
    case 'update':
      return cache.put(await server.update(withoutManagers(write.object), options));
    case 'updateStatus':
      return cache.put(await server.updateStatus(withoutManagers(write.object), options));
    case 'delete':
      return deleted(write, { server, cache }, options);
    default:
      return write satisfies never;
  }
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
  if (object) cache.put(object, { found: true });
  else if (known !== undefined) cache.remove(key, known);
}

import type { KubeObject, ObjectMeta } from '../../api/index.ts';
import { equal, freeze } from '../../base/index.ts';
import type { Write } from '../decision.ts';

/** The fields that an API server sets on an object that it stores. */
export interface Stamp {
  readonly revision: number;
  readonly now: string;
}

type Bodied = KubeObject & Readonly<Record<string, unknown>>;

/** The object after a write, the very same when nothing changes, undefined when it is gone. */
export function written(write: Write, before: KubeObject | undefined, stamp: Stamp): KubeObject | undefined {
  switch (write.verb) {
    case 'create':
      return before ?? freeze(created(write.object, stamp));
    case 'update':
      return before && freeze(updated(write.object as Bodied, before as Bodied, stamp));
    case 'updateStatus':
      return before && freeze(withStatus(write.object as Bodied, before as Bodied, stamp));
    case 'delete':
      return before && freeze(deleted(write, before, stamp));
    default:
      write satisfies never;
      return before;
  }
}

function created(object: KubeObject, { revision, now }: Stamp): KubeObject {
  const metadata: ObjectMeta = {
    ...object.metadata,
    uid: `uid-${revision}`,
    resourceVersion: String(revision),
    generation: 1,
    creationTimestamp: now,
  };
  return { ...object, metadata };
}

function updated(object: Bodied, before: Bodied, { revision }: Stamp): KubeObject | undefined {
  const { status: _, ...content } = object;
  const { status, ...contentBefore } = before;
  const changed = !sameBody(content, contentBefore);
  if (!changed && sameMetadata(object.metadata, before.metadata)) return before;
  const metadata: ObjectMeta = {
    ...object.metadata,
    ...identity(before.metadata),
    resourceVersion: String(revision),
    ...counted(before.metadata, changed ? 1 : 0),
  };
  if (metadata.deletionTimestamp && !metadata.finalizers?.length) return undefined;
  return { ...content, metadata, ...(status !== undefined && { status }) };
}

/** Everything beside metadata and status. */
function sameBody(a: Bodied, b: Bodied): boolean {
  if ('spec' in a && a['spec'] !== b['spec'] && !equal(a['spec'], b['spec'])) return false;
  const { metadata: _, spec: __, ...restOfA } = a;
  const { metadata: ___, spec: ____, ...restOfB } = b;
  return equal(restOfA, restOfB) && 'spec' in a === 'spec' in b;
}

const writable = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

function sameMetadata(a: ObjectMeta, b: ObjectMeta): boolean {
  return writable.every((field) => equal(present(a[field]), present(b[field])));
}

/** An empty map or list says as much as none. */
function present<T extends object>(value: T | undefined): T | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
}

/** The fields that a client cannot change. */
function identity({ uid, creationTimestamp, deletionTimestamp }: ObjectMeta): Partial<ObjectMeta> {
  return {
    ...(uid && { uid }),
    ...(creationTimestamp && { creationTimestamp }),
    ...(deletionTimestamp && { deletionTimestamp }),
  };
}

function withStatus(object: Bodied, before: Bodied, { revision }: Stamp): KubeObject {
  if (equal(object['status'], before['status'])) return before;
  const metadata = { ...before.metadata, resourceVersion: String(revision) };
  return { ...before, metadata, ...(object['status'] !== undefined && { status: object['status'] }) };
}

/** With finalizers left the object stays and its generation grows, which is how controllers notice. */
function deleted(
  write: { readonly uid?: string },
  before: KubeObject,
  { revision, now }: Stamp,
): KubeObject | undefined {
  const { metadata } = before;
  if (write.uid !== undefined && write.uid !== metadata.uid) return before;
  if (!metadata.finalizers?.length) return undefined;
  if (metadata.deletionTimestamp) return before;
  return {
    ...before,
    metadata: { ...metadata, deletionTimestamp: now, ...counted(metadata, 1), resourceVersion: String(revision) },
  };
}

/** Not every kind counts its generations: what has none, as a ConfigMap of a real server, gets none. */
function counted({ generation }: ObjectMeta, more: number): Pick<ObjectMeta, 'generation'> {
  return generation === undefined ? {} : { generation: generation + more };
}

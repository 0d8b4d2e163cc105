import { memberOfNamespace } from '../../api/index.ts';
import type { KubeObject, Ref, Work } from '../../api/index.ts';
import { refOf } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { asDispatched, conditionStatus, dispatchedAnnotation } from '../../engine/index.ts';

/** An object as it stands in a member. */
export interface Standing {
  readonly member: string;
  readonly object: KubeObject;
}

/** Reads an object of a member; 'unreadable' when the caller has no way to it. */
export type ReadMember = (member: string, ref: Ref) => Promise<KubeObject | undefined | 'unreadable'>;

/** What stands in the members, and of which objects it is only supposed. */
export interface Found {
  readonly standing: readonly Standing[];
  /** Held Works whose object in the member could not be read: it is supposed to be as the Work says. */
  readonly supposed: readonly Standing[];
}

/**
 * What stands in the members according to the Works. A Work that was applied and flows has its manifest there. One that
 * is held may say what its member has not got yet, so there the member itself is asked.
 */
export async function standingOf(objects: readonly KubeObject[], read: ReadMember): Promise<Found> {
  const standing: Standing[] = [];
  const supposed: Standing[] = [];
  for (const { work, member, manifest } of objects.flatMap(appliedWork)) {
    const stands = { member, object: asDispatched(manifest) };
    const held = work.spec.suspendDispatching === true;
    const present = held ? await read(member, refOf(manifest)) : 'unreadable';
    if (present === 'unreadable') standing.push(stands);
    else if (present) standing.push({ member, object: projected(manifest, present) });
    if (held && present === 'unreadable') supposed.push(stands);
  }
  return { standing, supposed };
}

interface AppliedWork {
  readonly work: Work;
  readonly member: string;
  readonly manifest: KubeObject;
}

function appliedWork(object: KubeObject): readonly AppliedWork[] {
  const member = object.kind === 'Work' ? memberOfNamespace(object.metadata.namespace) : undefined;
  if (member === undefined) return [];
  const work = object as Work;
  const [manifest] = work.spec.workload.manifests;
  return manifest && conditionStatus(work.status?.conditions, 'Applied') === 'True' ? [{ work, member, manifest }] : [];
}

/** What the member has of what the manifest speaks of: defaults and the work of its controllers are left out. */
export function projected(manifest: KubeObject, present: KubeObject): KubeObject {
  const seen = seenThrough(manifest, present) as KubeObject;
  const { uid } = present.metadata;
  const dispatched = present.metadata.annotations?.[dispatchedAnnotation];
  const annotations = { ...seen.metadata.annotations, ...(dispatched && { [dispatchedAnnotation]: dispatched }) };
  return { ...seen, metadata: { ...seen.metadata, annotations, ...(uid && { uid }) } };
}

function seenThrough(wanted: unknown, present: unknown): unknown {
  if (isObject(wanted) && isObject(present)) {
    const seen: Record<string, unknown> = {};
    for (const key in wanted) if (key in present) seen[key] = seenThrough(wanted[key], present[key]);
    return seen;
  }
  if (Array.isArray(wanted) && Array.isArray(present) && wanted.length === present.length) {
    return wanted.map((item: unknown, i) => seenThrough(item, present[i]));
  }
  return present;
}

import { keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import type { KubeObject, Ref, Work } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { asDispatched, conditionStatus, dispatchedAnnotation } from '../../engine/index.ts';

/** An object as it stands in a member. */
export interface Standing {
  readonly member: string;
  readonly object: KubeObject;
}

/** The objects of a kind that the hub manages in a member; undefined when the caller has no way to them. */
export type ListMember = (
  member: string,
  kind: Pick<Ref, 'apiVersion' | 'kind'>,
) => Promise<readonly KubeObject[] | undefined>;

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
export async function standingOf(objects: readonly KubeObject[], list: ListMember): Promise<Found> {
  const held = appliedWorks(objects).filter(({ work }) => !isFlowing(work));
  const present = await presentIn(held, list);
  const standing: Standing[] = [];
  const supposed: Standing[] = [];
  for (const { member, manifest } of held) {
    const place = placeOf(member, manifest);
    const there = present.get(place)?.get(keyOf(refOf(manifest)));
    if (!present.has(place)) supposed.push({ member, object: asDispatched(manifest) });
    else if (there) standing.push({ member, object: projected(manifest, there) });
  }
  return { standing: [...flowingFrom(objects), ...standing, ...supposed], supposed };
}

/** What stands in the members by Works that were applied and flow. */
export function flowingFrom(objects: readonly KubeObject[]): readonly Standing[] {
  return appliedWorks(objects).flatMap(({ work, member, manifest }) =>
    isFlowing(work) ? [{ member, object: dispatchedLater(manifest) }] : [],
  );
}

/** As it was dispatched; the digest that says so is made when somebody asks, and of most nobody does. */
function dispatchedLater(manifest: KubeObject): KubeObject {
  const annotations = {
    ...manifest.metadata.annotations,
    get [dispatchedAnnotation](): string {
      return asDispatched(manifest).metadata.annotations?.[dispatchedAnnotation] ?? '';
    },
  };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/** Is the Work one that was applied, and goes on to be? */
export function isFlowing({ spec, status }: Work): boolean {
  return !spec.suspendDispatching && conditionStatus(status?.conditions, 'Applied') === 'True';
}

const placeOf = (member: string, { apiVersion, kind }: KubeObject): string => `${member}|${apiVersion}|${kind}`;

type Present = ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;

/** Asks every member for each kind once; a place that cannot be read is not in the answer. */
async function presentIn(works: readonly AppliedWork[], list: ListMember): Promise<Present> {
  const places = new Map(works.map((work) => [placeOf(work.member, work.manifest), work]));
  const found = new Map<string, ReadonlyMap<string, KubeObject>>();
  await Promise.all(
    [...places].map(async ([place, { member, manifest }]) => {
      const objects = await list(member, manifest);
      if (objects) found.set(place, new Map(objects.map((object) => [keyOf(refOf(object)), object])));
    }),
  );
  return found;
}

interface AppliedWork {
  readonly work: Work;
  readonly member: string;
  readonly manifest: KubeObject;
}

function appliedWorks(objects: readonly KubeObject[]): readonly AppliedWork[] {
  const found: AppliedWork[] = [];
  for (const object of objects) {
    const member = object.kind === 'Work' ? memberOfNamespace(object.metadata.namespace) : undefined;
    if (member === undefined) continue;
    const work = object as Work;
    const [manifest] = work.spec.workload.manifests;
    if (manifest && conditionStatus(work.status?.conditions, 'Applied') === 'True')
      found.push({ work, member, manifest });
  }
  return found;
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

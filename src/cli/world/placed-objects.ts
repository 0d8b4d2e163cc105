import { keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import type { Cluster, KubeObject, Ref, Work } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { asDispatched, conditionStatus, dispatchedAnnotation, isReady } from '../../engine/index.ts';

/** An object as it stands in a member. */
export interface MemberObject {
  readonly member: string;
  readonly object: KubeObject;
}

/** The objects of a kind that the hub manages in a member; undefined when the caller has no way to them. */
export type ListMember = (
  member: string,
  kind: Pick<Ref, 'apiVersion' | 'kind'>,
) => Promise<readonly KubeObject[] | undefined>;

/** The names of the Works of a member of which it has reported an object. */
export type ListReported = (member: string) => Promise<ReadonlySet<string>>;

/** The objects in the members, and those that are only assumed. */
export interface FoundObjects {
  readonly placed: readonly MemberObject[];
  /** Works whose object in the member could not be read: it is supposed to be as the Work says. */
  readonly supposed: readonly MemberObject[];
}

/** How members are asked. */
export interface Asking {
  readonly list: ListMember;
  readonly reported: ListReported;
}

/**
 * Finds what stands in the members by their Works. A Work that was applied and is not suspended has its manifest there.
 * Any other Work may differ from its object, so the member is asked. A member that is not ready cannot be asked: there an
 * object is supposed to stand if the Work was applied, or if the member has ever reported it.
 */
export async function placedObjects(objects: readonly KubeObject[], { list, reported }: Asking): Promise<FoundObjects> {
  const down = unreadyIn(objects);
  const doubtful = worksIn(objects).filter(({ work }) => !isFlowing(work) && conditionOf(work) !== undefined);
  const present = await presentIn(
    doubtful.filter(({ member }) => !down.has(member)),
    list,
  );
  const arrived = await arrivedIn(
    doubtful.filter((one) => !present.has(placeOf(one.member, one.manifest))),
    reported,
  );
  const placed: MemberObject[] = [];
  const supposed: MemberObject[] = [];
  for (const { work, member, manifest } of doubtful) {
    const place = placeOf(member, manifest);
    const there = present.get(place)?.get(keyOf(refOf(manifest)));
    if (there) placed.push({ member, object: projected(manifest, there) });
    else if (!present.has(place) && arrived.has(work)) supposed.push({ member, object: asDispatched(manifest) });
  }
  return { placed: [...flowingFrom(objects), ...placed, ...supposed], supposed };
}

/** The Works among these that have arrived in their member at some time. */
async function arrivedIn(works: readonly SentWork[], reported: ListReported): Promise<ReadonlySet<Work>> {
  const open = works.filter(({ work }) => conditionOf(work) === 'False');
  const members = [...new Set(open.map(({ member }) => member))];
  const names = new Map(await Promise.all(members.map(async (name) => [name, await reported(name)] as const)));
  const isKnown = ({ work, member }: SentWork): boolean =>
    conditionOf(work) === 'True' || names.get(member)?.has(work.metadata.name) === true;
  return new Set(works.filter(isKnown).map(({ work }) => work));
}

/** The members that the hub calls not ready. */
function unreadyIn(objects: readonly KubeObject[]): ReadonlySet<string> {
  const down = objects.filter((object) => object.kind === 'Cluster' && !isReady(object as Cluster));
  return new Set(down.map(({ metadata }) => metadata.name));
}

const conditionOf = ({ status }: Work): 'True' | 'False' | 'Unknown' | undefined =>
  conditionStatus(status?.conditions, 'Applied');

/** The objects in the members by Works that were applied and are not suspended. */
export function flowingFrom(objects: readonly KubeObject[]): readonly MemberObject[] {
  return worksIn(objects).flatMap(({ work, member, manifest }) =>
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

/** Tells whether a Work was applied and stays applied. */
export function isFlowing({ spec, status }: Work): boolean {
  return !spec.suspendDispatching && conditionStatus(status?.conditions, 'Applied') === 'True';
}

const placeOf = (member: string, { apiVersion, kind }: KubeObject): string => `${member}|${apiVersion}|${kind}`;

type Present = ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;

/** Asks every member for each kind once; a place that cannot be read is not in the answer. */
async function presentIn(works: readonly SentWork[], list: ListMember): Promise<Present> {
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

interface SentWork {
  readonly work: Work;
  readonly member: string;
  readonly manifest: KubeObject;
}

function worksIn(objects: readonly KubeObject[]): readonly SentWork[] {
  const found: SentWork[] = [];
  for (const object of objects) {
    const member = object.kind === 'Work' ? memberOfNamespace(object.metadata.namespace) : undefined;
    if (member === undefined) continue;
    const work = object as Work;
    const [manifest] = work.spec.workload.manifests;
    if (manifest) found.push({ work, member, manifest });
  }
  return found;
}

/** The part of a member's object that the manifest sets: defaults and the work of its controllers are left out. */
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

import { keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import type { KubeObject, Work } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { readsReports } from '../../engine/index.ts';
import { Failure } from '../failure.ts';
import { Redaction } from './redact.ts';
import { folded, unfolded } from './siblings.ts';
import { flowingFrom, isFlowing } from './placed-objects.ts';
import type { MemberObject } from './placed-objects.ts';
import { program } from '../commands/version.ts';
import { isSettled } from './state.ts';
import type { Snapshot } from './state.ts';

/**
 * The text of a snapshot file: without the values of Secrets, without objects that follow from others, and with a note
 * on whether the hub was settled, so that a plan on it need not settle it again.
 */
export function snapshotText(snapshot: Snapshot): string {
  const lean = readsReports(snapshot.gates)
    ? withoutFields
    : (object: KubeObject) => withoutReports(withoutFields(object));
  const bare = redacted({ ...snapshot, objects: snapshot.objects.map(lean) });
  const objects = folded(bare.objects);
  return JSON.stringify({ ...bare, objects, members: ownObjects(bare), settled: isSettled(bare) });
}

/** Reads a snapshot that was written to a file. */
export function parseSnapshot(text: string, file: string): Snapshot {
  const found = shaped(text, file);
  const snapshot = { ...found, objects: whole(found.objects, file) };
  const members = [...flowingFrom(snapshot.objects), ...snapshot.members];
  // Another version may decide otherwise.
  return { ...snapshot, members, settled: snapshot.settled && snapshot.writtenBy === program() };
}

function whole(objects: readonly KubeObject[], file: string): readonly KubeObject[] {
  try {
    return unfolded(objects);
  } catch (error) {
    throw noSnapshot(file, error);
  }
}

function shaped(text: string, file: string): Snapshot {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw noSnapshot(file, error);
  }
  if (!isObject(value) || value['kind'] !== 'Snapshot' || !Array.isArray(value['objects'])) {
    throw noSnapshot(file);
  }
  return value as unknown as Snapshot;
}

function noSnapshot(file: string, cause?: unknown): Failure {
  return new Failure(`${file} is not a snapshot: make one with \`sluice snapshot > ${file}\``, { cause });
}

interface Manager {
  readonly manager?: string;
  readonly operation?: string;
}

/** Managed fields matter only for appliers on the server's side, and only by name. */
function withoutFields(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  if (!managedFields) return object;
  const appliers = (managedFields as readonly Manager[])
    .filter(({ operation }) => operation === 'Apply')
    .map(({ manager, operation }) => ({ manager, operation }));
  return { ...object, metadata: { ...metadata, ...(appliers.length > 0 && { managedFields: appliers }) } };
}

/** The status that members report is for failover only. */
function withoutReports(object: KubeObject): KubeObject {
  if (object.kind !== 'Work') return object;
  const { manifestStatuses: _, ...status } = (object as Work).status ?? {};
  return { ...object, status } as KubeObject;
}

/** The same state without the values of Secrets. */
function redacted(snapshot: Snapshot): Snapshot {
  const redaction = new Redaction();
  const works = worksByPlace(snapshot.objects);
  const manifestAt = (place: string): KubeObject | undefined => works.get(place)?.spec.workload.manifests[0];
  const members = snapshot.members.map((placed) => redaction.placed(placed, manifestAt(placeOf(placed))));
  return { ...snapshot, objects: redaction.objects(snapshot.objects), members };
}

/** The objects in members that do not follow from a Work. */
function ownObjects({ objects, members }: Snapshot): readonly MemberObject[] {
  const works = worksByPlace(objects);
  return members.filter((placed) => {
    const work = works.get(placeOf(placed));
    return !work || !isFlowing(work);
  });
}

const placeOf = ({ member, object }: MemberObject): string => `${member}|${keyOf(refOf(object))}`;

/** The Works, by what they say of which member. */
function worksByPlace(objects: readonly KubeObject[]): ReadonlyMap<string, Work> {
  const found = new Map<string, Work>();
  for (const object of objects) {
    const member = object.kind === 'Work' ? memberOfNamespace(object.metadata.namespace) : undefined;
    const manifest = member === undefined ? undefined : (object as Work).spec.workload.manifests[0];
    if (member !== undefined && manifest) found.set(placeOf({ member, object: manifest }), object as Work);
  }
  return found;
}

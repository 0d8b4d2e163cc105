import { defaultGates } from '../../api/index.ts';
import type { Gates, KubeObject, Work } from '../../api/index.ts';
import { keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import type { ResourceInfo } from '../../client/index.ts';
import { isObject } from '../../base/index.ts';
import { run, settlingOf, worldOf } from '../../engine/index.ts';
import type { World } from '../../engine/index.ts';
import type { Hub } from '../connect.ts';
import { Failure } from '../failure.ts';
import { packageVersion } from '../version.ts';
import type { Members } from '../members.ts';
import { fetchGates } from './gates.ts';
import { fetchHub } from './fetch.ts';
import { Redaction } from './redact.ts';
import { standingOf } from './standing.ts';
import type { Standing } from './standing.ts';

/** The state of a hub and its members at one time, as a caller sees it; what `sluice snapshot` prints. */
export interface Snapshot {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'Snapshot';
  /** The program and its version. */
  readonly writtenBy: string;
  /** RFC 3339. */
  readonly taken: string;
  /** The namespace of those who name none. */
  readonly namespace: string;
  readonly gates: Gates;
  readonly kinds: readonly ResourceInfo[];
  readonly objects: readonly KubeObject[];
  readonly members: readonly Standing[];
  /** What this snapshot does not know, in words. */
  readonly hidden: readonly string[];
}

/** Reads the state of a hub with the rights of the caller. */
export async function fetchSnapshot(hub: Hub, members: Members): Promise<Snapshot> {
  const [{ objects, hidden }, gates] = await Promise.all([fetchHub(hub, hub.namespace), fetchGates(hub.client)]);
  const { standing, supposed } = await standingOf(objects, members.listManaged);
  return {
    apiVersion: 'sluice.dev/v1',
    kind: 'Snapshot',
    writtenBy: `sluice ${packageVersion()}`,
    taken: new Date().toISOString(),
    namespace: hub.namespace,
    gates: gates ?? defaultGates,
    kinds: hub.served.kinds,
    objects,
    members: standing,
    hidden: [
      ...hidden,
      ...(gates ? [] : ['the feature gates of the hub (defaults are assumed)']),
      ...supposedWords(supposed),
    ],
  };
}

function supposedWords(supposed: readonly Standing[]): readonly string[] {
  return supposed.map(
    ({ member, object }) =>
      `what ${member} has of ${object.kind} ${object.metadata.name}, which is held (the Work is assumed)`,
  );
}

/** The same state without the values of Secrets. */
export function redacted(snapshot: Snapshot): Snapshot {
  const redaction = new Redaction();
  const manifests = manifestsOf(snapshot.objects);
  const members = snapshot.members.map((standing) => redaction.standing(standing, manifests.get(placeOf(standing))));
  return { ...snapshot, objects: redaction.objects(snapshot.objects), members };
}

const placeOf = ({ member, object }: Standing): string => `${member}|${keyOf(refOf(object))}`;

/** What Works say of the members, by place. */
function manifestsOf(objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  const found = new Map<string, KubeObject>();
  for (const object of objects) {
    const member = object.kind === 'Work' ? memberOfNamespace(object.metadata.namespace) : undefined;
    const manifest = member === undefined ? undefined : (object as Work).spec.workload.manifests[0];
    if (member !== undefined && manifest) found.set(placeOf({ member, object: manifest }), manifest);
  }
  return found;
}

/** The world of a snapshot as it was found. */
export function foundWorld({ objects, members, gates, taken }: Snapshot): World {
  return worldOf({ objects, members, gates, now: taken });
}

/** The settled world of a snapshot: what the controllers are still about to do is no effect of a change. */
export function settledWorld(snapshot: Snapshot): World {
  const world = foundWorld(snapshot);
  run(world, { restart: true, ...settlingOf(world) });
  return world;
}

/** Reads a snapshot that was written to a file. */
export function parseSnapshot(text: string, file: string): Snapshot {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure(`${file} is no snapshot: make one with \`sluice snapshot > ${file}\``, { cause: error });
  }
  if (!isObject(value) || value['kind'] !== 'Snapshot' || !Array.isArray(value['objects'])) {
    throw new Failure(`${file} is no snapshot: make one with \`sluice snapshot > ${file}\``);
  }
  return value as unknown as Snapshot;
}

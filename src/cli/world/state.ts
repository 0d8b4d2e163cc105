import { hash } from 'node:crypto';
import { ApiError, defaultGates, defaultSettings, executionNamespace, keyOf, refOf, workApi } from '../../api/index.ts';
import type { Gates, KubeObject, Ref, Work, Settings } from '../../api/index.ts';
import { useSha256 } from '../../base/index.ts';
import type { ResourceInfo } from '../../client/index.ts';
import { readsReports, run, settlingOf, worldOf } from '../../engine/index.ts';
import type { Decision, World } from '../../engine/index.ts';
import { absenceOf } from '../change.ts';
import type { Hub } from '../connect.ts';
import { Failure } from '../failure.ts';
import { program } from '../commands/version.ts';
import type { Members } from '../members.ts';
import { fetchChoices } from './gates.ts';
import { fetchHub } from './fetch.ts';
import type { Fetched } from './fetch.ts';
import { fetchRest, isSameRest } from './rest.ts';
import { refusedIn, withAssumedWorks, worksAssumed } from './assumed.ts';
import { placedObjects } from './placed-objects.ts';
import type { MemberObject } from './placed-objects.ts';

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
  /** Absent in files of earlier releases. */
  readonly settings?: Settings;
  readonly kinds: readonly ResourceInfo[];
  readonly objects: readonly KubeObject[];
  readonly members: readonly MemberObject[];
  /** Tells whether it is certain that the controllers have nothing left to do. */
  readonly settled: boolean;
  /** The parts that this snapshot lacks, as text. */
  readonly hidden: readonly string[];
}

/** The purpose of reading a state: to plan with it, to report it, or both. */
export type Purpose = 'plan' | 'report' | 'planAndReport';

/** Reads the state of a hub with the rights of the caller. */
export function fetchSnapshot(hub: Hub, members: Members, purpose: Purpose = 'report'): Promise<Snapshot> {
  return snapshotBy(hub, members, (about) => fetchObjects(hub, purpose, about));
}

/** The facts with which objects are read. */
interface About {
  readonly gates: Gates;
  /** RFC 3339. */
  readonly now: string;
}

/** The snapshot of objects that are read in another way than by lists. */
export async function snapshotBy(
  hub: Hub,
  members: Members,
  read: (about: About) => Fetched | Promise<Fetched>,
): Promise<Snapshot> {
  const [before, told] = await Promise.all([fetchRest(hub.client), fetchChoices(hub.client)]);
  const { gates, settings } = told ?? { gates: defaultGates, settings: defaultSettings };
  const taken = new Date().toISOString();
  const { objects, hidden } = await read({ gates, now: taken });
  const isAssumed = hidden.includes(worksAssumed);
  const { placed, supposed } = await placedObjects(objects, {
    list: members.listManaged,
    reported: async (member) => (isAssumed ? refusedIn(objects, executionNamespace(member)) : reportedIn(hub, member)),
  });
  const isWhole = hidden.length + supposed.length === 0 && told !== undefined;
  const settled = isWhole && isSameRest(before, before && (await fetchRest(hub.client)));
  return {
    apiVersion: 'sluice.dev/v1',
    kind: 'Snapshot',
    writtenBy: program(),
    taken,
    namespace: hub.namespace,
    gates,
    settings,
    kinds: hub.served.kinds,
    objects,
    members: placed,
    settled,
    hidden: [
      ...hidden,
      ...(told ? [] : ['the feature gates of the hub (defaults are assumed)']),
      ...supposedWords(supposed),
    ],
  };
}

/** The objects of a hub; for a plan also the Works that a caller may not read, as bindings describe them. */
async function fetchObjects(hub: Hub, purpose: Purpose, about: About): Promise<Fetched> {
  const reports = purpose !== 'plan' || readsReports(about.gates);
  const fetched = await fetchHub(hub, { fallback: hub.namespace, reports });
  return purpose === 'report' ? fetched : withAssumedWorks(fetched, about);
}

/** The Works of a member of which it has reported an object; none when the caller may not see them. */
async function reportedIn({ client }: Hub, member: string): Promise<ReadonlySet<string>> {
  try {
    const { items } = await client.listAll<Work>(
      { apiVersion: workApi, kind: 'Work' },
      { namespace: executionNamespace(member) },
    );
    const reported = items.filter(({ status }) => status?.manifestStatuses?.length);
    return new Set(reported.map(({ metadata }) => metadata.name));
  } catch (error) {
    if (error instanceof ApiError) return new Set();
    throw error;
  }
}

function supposedWords(supposed: readonly MemberObject[]): readonly string[] {
  return supposed.map(
    ({ member, object }) =>
      `what ${member} has of ${object.kind} ${object.metadata.name}: the member cannot be read, so its Work is assumed`,
  );
}

/**
 * The snapshot with this object, which the caller may read though its kind is hidden in lists. Throws when the caller
 * may not read it or when it does not exist, so that nothing is said of an object that nobody saw.
 */
export async function fetchWith(hub: Hub, members: Members, target: Ref): Promise<Snapshot> {
  const [snapshot, object] = await Promise.all([fetchSnapshot(hub, members), hub.client.find(target)]);
  if (!object) throw new Failure(absenceOf(target));
  const isListed = snapshot.objects.some((one) => keyOf(refOf(one)) === keyOf(target));
  return isListed ? snapshot : { ...snapshot, objects: [...snapshot.objects, object] };
}

/** The world of a snapshot as it was found. */
export function foundWorld({ objects, members, gates, settings, taken }: Snapshot): World {
  useSha256((text) => hash('sha256', text, 'hex'));
  return worldOf({ objects, members, gates, settings, now: taken, owned: true });
}

/** The settled world of a snapshot: what the controllers are still about to do is not an effect of a change. */
export function settledWorld(snapshot: Snapshot): World {
  const world = foundWorld(snapshot);
  settle(world, snapshot);
  return world;
}

/** Lets the controllers of a found world finish what they are about to do. */
export function settle(world: World, { settled }: Pick<Snapshot, 'settled'>): void {
  if (!settled) run(world, { restart: true, ...settlingOf(world) });
}

/** Tells whether the controllers have nothing left to do. */
export function isSettled(snapshot: Snapshot): boolean {
  const world = foundWorld(snapshot);
  let settled = true;
  const hear = (_question: unknown, _key: string, { actions }: Decision): void => {
    if (actions.length > 0) settled = false;
  };
  run(world, { restart: true, ...settlingOf(world), trace: { hear } });
  return settled;
}

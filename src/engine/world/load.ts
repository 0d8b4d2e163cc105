import { defaultGates, defaultSettings, keyOf, refOf } from '../../api/index.ts';
import type { Gates, KubeObject, Settings, UnreadableObject } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import { whyUnreadable } from '../validate/readable.ts';
import { Table } from './table.ts';
import { World } from './world.ts';

/** A state that was read somewhere: the objects of a hub, and of its members. */
export interface FoundState {
  readonly objects: Iterable<KubeObject>;
  readonly members?: Iterable<{ readonly member: string; readonly object: KubeObject }>;
  readonly gates?: Partial<Gates>;
  readonly settings?: Partial<Settings> | undefined;
  /** RFC 3339. */
  readonly now: string;
  /** Nobody else has these objects, so they are not frozen: freezing takes half of the time. */
  readonly owned?: boolean;
}

/** The world of a state. Revisions, uids and times stay as they are: decisions read them. */
export function worldOf({ objects, members = [], gates, settings, now, owned }: FoundState): World {
  const kept = owned ? <T>(object: T): T => object : freeze;
  const table = new Table();
  const unreadable = new Map<string, UnreadableObject>();
  let revision = 0;
  for (const object of objects) {
    const [key, message] = [keyOf(refOf(object)), whyUnreadable(object)];
    if (message === undefined) table.put(key, kept(object));
    else unreadable.set(key, { object: kept(object), message });
    revision = Math.max(revision, Number(object.metadata.resourceVersion) || 0);
  }
  for (const { member, object } of members) table.putInMember(member, keyOf(refOf(object)), kept(object));
  return new World({
    ground: undefined,
    table,
    gates: { ...defaultGates, ...gates },
    settings: { ...defaultSettings, ...settings },
    now,
    revision,
    pending: [],
    alarms: new Map(),
    silent: new Set(),
    unreadable,
  });
}

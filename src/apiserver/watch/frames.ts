import type { KindInfo } from '../../api/index.ts';
import type { Entry } from '../../store/index.ts';
import type { Call } from '../call.ts';
import type { HubEvent } from '../http.ts';
import { checkInclusion, partialObject, tableOf } from '../respond/transform.ts';
import { servedBytes, servedObject } from '../storage/stored-form.ts';

/** One change as a watcher sees it. */
export interface WatchChange {
  readonly type: HubEvent['type'];
  readonly entry: Entry;
}

/** Turns changes into lines of the stream; one that has nothing to show is an empty buffer. */
export type Encode = (change: WatchChange) => Buffer;

/** How this watch's events are written: as objects, tables or metadata alone. */
export function encoderOf(call: Call): Encode {
  const { accept, kind } = call;
  if (accept.as === 'object') return plainFrames(kind);
  if (accept.as === 'Table') {
    checkInclusion(call);
    return tableFrames(call);
  }
  return ({ type, entry }) => eventFrame({ type, object: partialObject(call, servedObject(entry, kind)) });
}

/** Only the first table of a stream names its columns. */
function tableFrames(call: Call): Encode {
  let withoutHeader = false;
  return ({ type, entry }) => {
    const object = tableOf(call, { objects: [servedObject(entry, call.kind)], withoutHeader });
    withoutHeader = true;
    return eventFrame({ type, object });
  };
}

const heads = { ADDED: '{"type":"ADDED","object":', MODIFIED: '{"type":"MODIFIED","object":' } as const;
const deletedHead = '{"type":"DELETED","object":';
const tail = '}\n';

/** The frames of this tick: all watchers of an event are told in the same one, so none is made twice and none is kept. */
let frames = new Map<Entry, Map<string, Buffer>>();

/** Encodes objects as they are; the frame of an event is made once for all watchers. */
function plainFrames(kind: KindInfo): Encode {
  const version = `${kind.group}/${kind.version}`;
  return ({ type, entry }) => {
    const key = `${type} ${version}`;
    const known = frames.get(entry) ?? remember(entry);
    const before = known.get(key);
    if (before) return before;
    const frame = plainFrame(type, entry, kind);
    known.set(key, frame);
    return frame;
  };
}

function remember(entry: Entry): Map<string, Buffer> {
  if (frames.size === 0) setImmediate(() => (frames = new Map()));
  const made = new Map<string, Buffer>();
  frames.set(entry, made);
  return made;
}

function plainFrame(type: HubEvent['type'], entry: Entry, kind: KindInfo): Buffer {
  const head = type === 'ADDED' || type === 'MODIFIED' ? heads[type] : deletedHead;
  const bytes = servedBytes(entry, kind);
  const frame = Buffer.allocUnsafe(head.length + bytes.length + tail.length);
  frame.write(head, 0, 'latin1');
  bytes.copy(frame, head.length);
  frame.write(tail, head.length + bytes.length, 'latin1');
  return frame;
}

/** The frame of an event that belongs to no object: bookmarks and errors. */
export function eventFrame(event: HubEvent): Buffer {
  return Buffer.from(`${JSON.stringify(event)}\n`);
}

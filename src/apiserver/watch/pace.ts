/**
 * The least time between two sends while changes keep coming, in milliseconds. A change after a quiet moment leaves at
 * once; in a flood each watcher gets a few larger chunks, which cost the hub far less than many small ones do.
 */
const shortest = 5;

/** The senders that have something to send. */
const due = new Set<() => void>();
let next = -Infinity;
let scheduled = false;

/** Calls back soon, together with all others who asked meanwhile; once, however often it is asked. */
export function sendSoon(send: () => void): void {
  due.add(send);
  if (scheduled) return;
  scheduled = true;
  const wait = next - performance.now();
  // A timer that is a little early only waits again; one of zero would wait for a whole millisecond.
  if (wait > 1) setTimeout(sendAll, wait);
  else setImmediate(sendAll);
}

function sendAll(): void {
  scheduled = false;
  next = performance.now() + shortest;
  const all = [...due];
  due.clear();
  for (const send of all) send();
}

/** The last chunk: watchers of the same objects send the same frames in the same moment. */
let joint: { readonly frames: readonly Buffer[]; readonly chunk: Buffer } | undefined;

/** The frames as one chunk, which all senders of the same frames share. */
export function chunkOf(frames: readonly Buffer[]): Buffer {
  const [first] = frames;
  if (first && frames.length === 1) return first;
  if (joint && isSame(joint.frames, frames)) return joint.chunk;
  const chunk = Buffer.concat(frames);
  joint = { frames, chunk };
  // Kept for this moment only: it may be megabytes.
  setImmediate(() => (joint = undefined));
  return chunk;
}

function isSame(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((frame, i) => frame === b[i]);
}

import { isObject } from '../base/index.ts';
import { requireShallow } from './bounds.ts';
import { Unreachable } from './errors.ts';
import type { Chunk, WireEvent } from './transport.ts';

const newline = 0x0a;

/**
 * The events of a stream, in the batches in which they arrived. A line that the end of the stream cut off is dropped: a
 * watch that resumes gets it again.
 */
export async function* eventsOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<readonly WireEvent[]> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    if (!Buffer.isBuffer(chunk)) {
      yield chunk;
      continue;
    }
    const end = chunk.lastIndexOf(newline);
    if (end < 0) {
      rest.push(chunk);
      continue;
    }
    const whole = rest.length > 0 ? Buffer.concat([...rest, chunk.subarray(0, end)]) : chunk.subarray(0, end);
    rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    requireShallow(whole);
    const events = linesOf(whole);
    if (events.length > 0) yield events;
  }
}

function linesOf(bytes: Buffer): WireEvent[] {
  const events: WireEvent[] = [];
  for (const line of bytes.toString('utf8').split('\n')) if (line.trim() !== '') events.push(eventOf(line));
  return events;
}

function eventOf(line: string): WireEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Unreachable('nonsense', 'the watch sent a line that is not JSON', { sent: true, cause: error });
  }
  if (isObject(value) && typeof value['type'] === 'string') return value as unknown as WireEvent;
  throw new Unreachable('nonsense', 'the watch sent a line that is not an event', { sent: true });
}

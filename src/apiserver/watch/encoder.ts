import type { Call } from '../call.ts';
import { plainFrames } from './frames.ts';
import type { Encode } from './frames.ts';

/** How this watch's events are written: as objects, tables or metadata alone. */
export function encoderOf(call: Call): Encode {
  return plainFrames(call.kind);
}

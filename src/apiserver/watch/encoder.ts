import type { Call } from '../call.ts';
import { servedObject } from '../storage/stored-form.ts';
import { checkInclusion, partialObject, tableOf } from '../respond/transform.ts';
import { eventFrame, plainFrames } from './frames.ts';
import type { Encode } from './frames.ts';

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

import { conflict, notFound } from '../../api/index.ts';
import type { Entry } from '../../store/index.ts';
import type { Call } from '../call.ts';
import { isConflict } from '../storage/conflict.ts';
import { objectKey } from '../storage/object-keys.ts';
import type { Outcome } from '../outcome.ts';

const attempts = 20;

/** Tries a write on the newest state of the object that the URL names, again while others are quicker. */
export async function onNewest(call: Call, write: (entry: Entry) => Promise<Outcome>): Promise<Outcome> {
  const { kind, target, parts } = call;
  const key = objectKey(kind, target.namespace, target.name);
  for (let attempt = 1; ; attempt++) {
    const entry = parts.store.get(key);
    if (!entry) throw notFound(kind, target.name);
    try {
      return await write(entry);
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === attempts) throw conflict(kind, target.name);
    }
  }
}

import { conflict, notFound } from '../../api/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Entry } from '../../store/index.ts';
import type { Call, Outcome } from '../call.ts';
import { objectKey } from './object-keys.ts';

/** Tells whether another writer came between our read and our write. */
export function isConflict(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'conflict';
}

const attempts = 20;

/** Writes on the newest state of the object that the URL names, and again on a newer one when somebody else was quicker. */
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

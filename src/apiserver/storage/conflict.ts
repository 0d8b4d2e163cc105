import { StoreError } from '../../store/index.ts';

/** Did somebody else write between our reading and our writing? */
export function isConflict(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'conflict';
}

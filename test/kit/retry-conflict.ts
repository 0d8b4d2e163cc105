import { isConflict } from '../../src/client/index.ts';

/** Reads and writes again when somebody else, as who writes status, came in between; kubectl would not have noticed. */
export async function retryingConflicts(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || attempt === 50) throw error;
    }
  }
}

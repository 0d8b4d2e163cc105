import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder, and those above it, where they are missing; answers whether it is new. Node has a way to make them all,
 * which tries for ever where nothing can be made, as in /proc.
 */
export function makeFolder(folder: string, mode = 0o777): boolean {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  // An existing path that is not a folder gets the system's own error.
  if (missing.length === 0) return makeOne(folder, mode);
  return missing.map((each) => makeOne(each, mode)).at(-1) === true;
}

/** False when it is there, or somebody else was faster. */
function makeOne(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
    throw error;
  }
}

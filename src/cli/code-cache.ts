import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The facts that decide where the cache is. */
export interface CacheWords {
  readonly environment: NodeJS.ProcessEnv;
  readonly home?: string;
}

const writableByOthers = 0o022;
const accessibleToOthers = 0o077;
/** Set on /tmp: there nobody can move or remove what belongs to somebody else. */
const sticky = 0o1000;
const superuser = 0;

/**
 * A folder for compiled code that no other user of the machine can write to; undefined when there is no such folder.
 * Node.js runs the code in its cache: in the folder for temporary files, which is its default, another user could leave
 * code of their own.
 */
export function codeCacheFolder({ environment, home = homedir() }: CacheWords): string | undefined {
  const cache = environment['XDG_CACHE_HOME'] || path.join(home, '.cache');
  const folder = path.join(cache, 'sluice', 'code');
  // On Windows the folder of a user is closed to others as it is.
  if (process.platform === 'win32') return folder;
  try {
    for (const each of [cache, path.dirname(folder), folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    return isPrivate(folder) ? folder : undefined;
  } catch {
    // There is no home, or nothing can be written there.
    return undefined;
  }
}

/** Tells whether a folder belongs to this user alone and nobody else can put another one in its place. */
function isPrivate(folder: string): boolean {
  const own = lstatSync(folder);
  const isOurs = own.isDirectory() && own.uid === process.getuid?.() && (own.mode & accessibleToOthers) === 0;
  return isOurs && foldersAbove(realpathSync(folder)).every((parent) => isTrusted(parent, own.uid));
}

function foldersAbove(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [] : [parent, ...foldersAbove(parent)];
}

function isTrusted(folder: string, user: number): boolean {
  const { mode, uid } = lstatSync(folder);
  return (uid === user || uid === superuser) && ((mode & writableByOthers) === 0 || (mode & sticky) !== 0);
}

import { chmodSync, closeSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from './folder.ts';

const others = 0o077;
const worldWritable = 0o002;
const modesMatter = process.platform !== 'win32';

/** Files of a data directory; other files in it are not touched. */
const ownFiles = /^(store\.db|acknowledged|lock|holder|port|kubeconfig|audit[-.])/;
/** Folders of a data directory; all that is in them is ours. */
const ownFolders: ReadonlySet<string> = new Set(['pki', 'members']);

/**
 * Makes a data directory that only its owner may enter, or closes one that is there, with all that is ours in it: the
 * store, keys, kubeconfig and the folders of simulated members. Answers what other users could read or write before.
 * A directory of another user is left as it is; one that everybody may write to is refused.
 */
export function closeToOthers(folder: string): readonly string[] {
  if (makeFolder(folder, 0o700)) {
    // The umask may have taken rights from the owner.
    chmodSync(folder, 0o700);
    return [];
  }
  if (!modesMatter) return [];
  return [...closeFolder(folder), ...readdirSync(folder, { withFileTypes: true }).flatMap((entry) => closeOwn(entry))];
}

function closeFolder(folder: string): readonly string[] {
  const { mode, uid } = statSync(folder);
  const isOurs = uid === process.getuid?.();
  if ((mode & worldWritable) !== 0 && (!isOurs || (mode & 0o1000) !== 0)) throw new SharedFolder(folder);
  if ((mode & others) === 0 || !isOurs) return [];
  chmodSync(folder, 0o700);
  return [folder];
}

/** A directory in which other users could replace the files of the store. */
class SharedFolder extends Error {
  readonly code = 'EPERM';
  constructor(folder: string) {
    super(`all users may write to ${folder}: choose a directory of its own`);
  }
}

function closeOwn(entry: { readonly name: string; readonly parentPath: string }): readonly string[] {
  const whole = path.join(entry.parentPath, entry.name);
  if (ownFolders.has(entry.name)) return closeTree(whole);
  return ownFiles.test(entry.name) ? closeOne(whole) : [];
}

function closeTree(folder: string): readonly string[] {
  const found = closeOne(folder);
  if (!lstatSync(folder).isDirectory()) return found;
  return [...found, ...readdirSync(folder).flatMap((name) => closeTree(path.join(folder, name)))];
}

/** Links are left alone: they lead to files that somebody keeps elsewhere on purpose. */
function closeOne(file: string): readonly string[] {
  const status = lstatSync(file);
  const isFolder = status.isDirectory();
  if ((status.mode & others) === 0 || !(isFolder || status.isFile() || status.isSocket())) return [];
  chmodSync(file, isFolder ? 0o700 : 0o600);
  return [file];
}

/** Makes an empty file that only its owner may read, for a library that would make it with the rights of the umask. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

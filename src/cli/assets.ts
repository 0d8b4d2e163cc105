import { readFileSync } from 'node:fs';
import { getAsset, isSea } from 'node:sea';

/** The text of a file that comes with the program: beside its modules, or within the single executable file. */
function assetText(file: URL): string {
  if (isSea()) return getAsset(file.pathname.slice(file.pathname.lastIndexOf('/') + 1), 'utf8');
  return readFileSync(file, 'utf8');
}

/** The JSON value in a file that comes with the program. */
export function assetOf(file: URL): unknown {
  return JSON.parse(assetText(file)) as unknown;
}

/** The JSON value in a file that only a release has; undefined in a checkout. */
export function releaseAssetOf(file: URL): unknown {
  try {
    return assetOf(file);
  } catch {
    return undefined;
  }
}

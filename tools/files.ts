import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const foreign = new Set(['node_modules', '.git', '.sluice', '.cache', 'coverage']);

/** All files and folders under a folder, as paths relative to `root` with `/`; folders end in `/`. Sorted, so output is stable. */
export function walk(root: string, folder = ''): readonly string[] {
  const here = join(root, folder);
  if (!existsSync(here)) return [];
  const entries = readdirSync(here, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const paths: string[] = [];
  for (const entry of entries) {
    if (foreign.has(entry.name)) continue;
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) paths.push(`${path}/`, ...walk(root, path));
    else paths.push(path);
  }
  return paths;
}

import { accessSync, constants, readdirSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/**
 * Where a program that a suite needs is installed: named by an environment variable (`KUBECTL` for kubectl), on PATH, or
 * in a package folder beside a folder of PATH (`lib/NAME/bin` beside `bin`), where some distributions put it.
 * Throws when it is nowhere: a suite whose program is absent has not passed.
 */
export function programOf(name: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const variable = name.toUpperCase().replaceAll('-', '_');
  const named = env[variable];
  const found = named ? [named].find(isExecutable) : placesOf(env['PATH'] ?? '', name).find(isExecutable);
  if (found) return found;
  throw new Error(
    named
      ? `${variable}=${named} is not a program`
      : `this suite needs ${name}: install it, or set ${variable} to its path`,
  );
}

function* placesOf(path: string, name: string): Generator<string> {
  const folders = path.split(delimiter).filter(Boolean);
  for (const folder of folders) yield join(folder, name);
  for (const folder of folders) {
    if (basename(folder) !== 'bin') continue;
    const lib = join(dirname(folder), 'lib');
    for (const entry of namesIn(lib)) yield join(lib, entry, 'bin', name);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

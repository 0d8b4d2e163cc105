/**
 * Makes what is published: JavaScript and types of the sources under `dist/`, and the commit they come from. `npm pack` runs it.
 * Start with `emitPackage`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** The commit of the checkout, with `+changes` where files differ from it; undefined outside of a repository. */
export function commitOf(folder: string): string | undefined {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('rev-parse', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+changes'}`;
  } catch {
    return undefined;
  }
}

/** Writes JavaScript, types, data and the commit under `dist/`. */
export function emitPackage(): void {
  const dist = path.join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules', '.bin', 'tsc');
  execFileSync(compiler, ['-p', path.join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
  for (const file of dataFiles()) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    cpSync(path.join(root, 'src', file), path.join(dist, file));
  }
  writeFileSync(path.join(dist, 'build.json'), `${JSON.stringify({ commit: commitOf(root) })}\n`);
}

/** JSON files are read beside the modules. */
function dataFiles(): readonly string[] {
  const all = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return all.filter((file) => file.endsWith('.json'));
}

if (import.meta.main) emitPackage();

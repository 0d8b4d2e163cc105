/**
 * Keeps the rooms of ARCHITECTURE.md: `node tools/rooms.ts` fails on every import that its table does not allow.
 * It knows no room by name but `controllers`; the table is the only source.
 * Start with `checkRooms`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { importsOf } from './imports.ts';
import { walk } from './files.ts';

/** A row of the table: one room. */
export interface Room {
  readonly name: string;
  readonly mayImport: readonly string[];
}

/** Where a rule is broken; `line` is 0 for a rule about a path. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const forbidden = new Set(
  'util utils helper helpers common misc shared types constant constants manager managers impl impls'.split(' '),
);

const packageName = 'sluice';

/** The folder of `src/controllers` that may import every controller. */
const pipeline = 'pipeline';

/** Reads the table of rooms: the first table of the page whose columns are room, purpose and may import. */
export function readRooms(page: string): ReadonlyMap<string, Room> {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => /^\|\s*room\s*\|\s*purpose\s*\|\s*may import\s*\|$/.test(line.trim()));
  if (head < 0) throw new Error('ARCHITECTURE.md has no table "| room | purpose | may import |"');
  const rows: string[][] = [];
  for (const line of lines.slice(head + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(line.split('|').slice(1, -1));
  }
  const names = rows.map(([room]) => room?.match(/`([\w-]+)`/)?.[1] ?? '');
  return new Map(rows.map((row, i) => [names[i] ?? '', { name: names[i] ?? '', mayImport: allowed(row, names) }]));
}

/** The third cell: names in backquotes, or `all but` the names in backquotes. */
function allowed(row: readonly string[], names: readonly string[]): readonly string[] {
  const cell = row[2] ?? '';
  const listed = [...cell.matchAll(/`([\w-]+)`/g)].map((match) => match[1] ?? '');
  const self = row[0]?.match(/`([\w-]+)`/)?.[1];
  if (!/\ball\b/.test(cell)) return listed;
  return names.filter((name) => name !== self && !listed.includes(name));
}

/** All broken rules of the tree at `root`, in the order of the files. */
export function checkRooms(root: string): readonly Problem[] {
  const rooms = readRooms(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));
  const sources = walk(root, 'src');
  const everything = ['src', 'test', 'tools', 'bench'].flatMap((folder) => walk(root, folder));
  return [
    ...everything.flatMap(nameProblems),
    ...sources.flatMap((path) => placeProblems(path, rooms)),
    ...sources.filter(isChecked).flatMap((file) => importProblems(root, file, rooms)),
  ];
}

/** One line per problem, as editors and people read them. */
export function printed(problem: Problem): string {
  return problem.line > 0
    ? `${problem.file}:${problem.line}: ${problem.message}`
    : `${problem.file}: ${problem.message}`;
}

function nameProblems(path: string): readonly Problem[] {
  const name = posix.basename(path).split('.')[0] ?? '';
  if (!forbidden.has(name.toLowerCase())) return [];
  return [{ file: path, line: 0, message: `"${name}" says nothing; name it for what it holds` }];
}

function placeProblems(path: string, rooms: ReadonlyMap<string, Room>): readonly Problem[] {
  const parts = path.split('/');
  if (path.endsWith('/') && parts.length === 3 && !rooms.has(parts[1] ?? '')) {
    return [{ file: path, line: 0, message: `the table of rooms in ARCHITECTURE.md has no row for ${parts[1]}` }];
  }
  if (!path.endsWith('/') && parts.length === 2) return [{ file: path, line: 0, message: 'stands outside every room' }];
  return [];
}

/** Tests may import anything. */
function isChecked(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path) && !/\.test\.tsx?$/.test(path);
}

function importProblems(root: string, file: string, rooms: ReadonlyMap<string, Room>): readonly Problem[] {
  const room = rooms.get(roomOf(file));
  if (!room) return [];
  return importsOf(file, readFileSync(join(root, file), 'utf8')).flatMap(({ specifier, line }) => {
    const target = resolved(file, specifier);
    const message = target && (crossing(room, target) ?? betweenControllers(file, target));
    return message ? [{ file, line, message }] : [];
  });
}

/** The path in the tree that a specifier names; undefined for packages and for Node's own modules. */
function resolved(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(dirname(file), specifier);
  if (specifier.startsWith(`${packageName}/`)) return `src/${specifier.slice(packageName.length + 1)}/index.ts`;
  return undefined;
}

function crossing(room: Room, target: string): string | undefined {
  if (!target.startsWith('src/')) {
    return target.endsWith('.json') ? undefined : `${room.name} may not import ${target}: it stands outside src`;
  }
  const other = roomOf(target);
  if (other === room.name) return undefined;
  if (!room.mayImport.includes(other)) {
    const list = room.mayImport.length > 0 ? room.mayImport.join(', ') : 'nothing';
    return `${room.name} may not import ${other} (ARCHITECTURE.md allows: ${list})`;
  }
  return target === `src/${other}/index.ts`
    ? undefined
    : `${room.name} must enter ${other} by src/${other}/index.ts, not by ${target}`;
}

/**
 * Every folder of `src/controllers` is a controller, but for the pipeline, which runs them all. Controllers meet in the store:
 * they import the files beside their folders, and those import no controller.
 */
function betweenControllers(file: string, target: string): string | undefined {
  const [from, to] = [placeInControllers(file), placeInControllers(target)];
  if (!from || !to || from === to || from === 'index.ts' || from === pipeline) return undefined;
  if (to.endsWith('.ts') && to !== 'index.ts') return undefined;
  return `controllers/${from} may not import controllers/${to}: controllers meet in the store`;
}

/** The folder of a controller, or the name of a file beside these folders. */
function placeInControllers(path: string): string | undefined {
  return path.match(/^src\/controllers\/([^/]+)/)?.[1];
}

function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}

if (import.meta.main) {
  const problems = checkRooms(process.cwd());
  for (const problem of problems) console.error(printed(problem));
  if (problems.length > 0) process.exitCode = 1;
}

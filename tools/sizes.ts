/**
 * Measures the house: `node tools/sizes.ts` prints how many files there are, how long files and functions are, and how
 * many files are fragments. It fails on a file that is too long, on more fragments than there were, and on a name that
 * stands for types of more than four files, and on more exported things without a sentence than there were. A fragment has less than 60 lines and a single importer: mostly it belongs to
 * that file. Start with `measure`.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { walk } from './files.ts';
import { importsOf } from './imports.ts';
import { eachNode, lineAt } from './syntax.ts';

/**
 * The most lines that a file may have, the number of fragments, which may only go down, the files that may
 * name a type alike, and the exported things without a sentence, which may only become fewer.
 */
export const bounds = { source: 400, test: 500, fragments: 92, alike: 4, silent: 20 };

const fragmentLines = 60;

/** The measures of the tree under `root`. */
export interface Sizes {
  readonly files: number;
  readonly fragments: readonly string[];
  readonly tooLong: readonly string[];
  readonly fileLines: readonly number[];
  readonly functionLines: readonly number[];
  /** Names of types with the files that declare them, more than `bounds.alike`. */
  readonly alike: ReadonlyMap<string, readonly string[]>;
  /** Exported things without a comment. */
  readonly silent: readonly string[];
}

/** Measures `src`, without tests and generated files; the bound of files also covers the other folders. */
export function measure(root: string): Sizes {
  const all = ['src', 'test', 'tools', 'bench'].flatMap((folder) => walk(root, folder)).filter(isWritten);
  const texts = new Map(all.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const sources = all.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));
  const importers = importersOf(sources, texts);
  return {
    files: sources.length,
    fragments: sources.filter((file) => isFragment(file, linesOf(texts, file), importers)),
    tooLong: all.filter((file) => linesOf(texts, file) > boundOf(file)),
    fileLines: sources.map((file) => linesOf(texts, file)).sort(ascending),
    functionLines: sources.flatMap((file) => functionLinesOf(file, texts.get(file) ?? '')).sort(ascending),
    alike: alikeIn(sources, texts),
    silent: sources.flatMap((file) => silentIn(texts.get(file) ?? '').map((name) => `${file}: ${name}`)),
  };
}

const exported = /^export (?:async )?(?:function\*?|class|interface|type|const|let) (\w+)/;

/** The names that a file exports, with no comment in the line above. */
function silentIn(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const name = exported.exec(line)?.[1];
    return name === undefined || /\*\/\s*$|^\s*\/\//.test(lines[i - 1] ?? '') ? [] : [name];
  });
}

/** A reader who meets a name for the fifth time cannot know which of the types it means. */
function alikeIn(files: readonly string[], texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const declared = files.flatMap((file) =>
    [...(texts.get(file) ?? '').matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)].map(([, name = '']) => ({
      name,
      file,
    })),
  );
  const found = [...Map.groupBy(declared, ({ name }) => name)].filter(([, types]) => types.length > bounds.alike);
  return new Map(found.map(([name, types]) => [name, types.map(({ file }) => file)]));
}

function isWritten(path: string): boolean {
  return path.endsWith('.ts') && !path.includes('/gen/');
}

function boundOf(file: string): number {
  return file.startsWith('src/') && !file.endsWith('.test.ts') ? bounds.source : bounds.test;
}

function linesOf(texts: ReadonlyMap<string, string>, file: string): number {
  return (texts.get(file)?.split('\n').length ?? 1) - 1;
}

function importersOf(
  files: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    for (const { specifier } of importsOf(file, texts.get(file) ?? '')) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.normalize(posix.join(posix.dirname(file), specifier));
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  return importers;
}

/** An index is the door of a room; a file that the index offers to other rooms is a concept of its own. */
function isFragment(file: string, lines: number, importers: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [importer, ...others] = importers.get(file) ?? [];
  return (
    lines < fragmentLines &&
    !file.endsWith('/index.ts') &&
    others.length === 0 &&
    !!importer &&
    !importer.endsWith('/index.ts')
  );
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Lengths of functions with a body in braces. */
function functionLinesOf(file: string, text: string): readonly number[] {
  const lengths: number[] = [];
  eachNode(file, text, (node) => {
    const body = node['body'] as { type?: string; end?: number } | null | undefined;
    if (!functions.has(node.type) || body?.type !== 'BlockStatement') return;
    lengths.push(lineAt(text, body.end ?? 0) - lineAt(text, node.start) + 1);
  });
  return lengths;
}

function ascending(a: number, b: number): number {
  return a - b;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

/** The broken bounds, one line each. */
export function sizeProblems({ tooLong, fragments, alike, silent }: Sizes, most = bounds.fragments): readonly string[] {
  const long = tooLong.map((file) => `${file}: more than ${boundOf(file)} lines`);
  const named = [...alike].map(([name, files]) => `type ${name} has several meanings: ${files.join(', ')}`);
  const unsaid = silent.length > bounds.silent ? silent.map((one) => `${one} is exported without a sentence`) : [];
  if (fragments.length <= most) return [...long, ...named, ...unsaid];
  return [
    ...long,
    ...named,
    ...unsaid,
    `${fragments.length} fragments, at most ${most} are allowed; \`node tools/sizes.ts --list\` names them`,
  ];
}

if (import.meta.main) {
  const sizes = measure(process.cwd());
  console.log(`files      ${sizes.files}`);
  console.log(`fragments  ${sizes.fragments.length}`);
  console.log(`lines of a file      median ${at(sizes.fileLines, 0.5)}, p90 ${at(sizes.fileLines, 0.9)}`);
  console.log(`lines of a function  median ${at(sizes.functionLines, 0.5)}, p90 ${at(sizes.functionLines, 0.9)}`);
  if (process.argv.includes('--list')) for (const file of sizes.fragments) console.log(file);
  const problems = sizeProblems(sizes);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

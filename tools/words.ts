/**
 * Keeps the words of docs/terms.md: `node tools/words.ts` fails on a retired word in the name of a file, an identifier,
 * a comment, a string or a page, on a comment or test title that begins with a headless What, Who, Those, That, Of or Told,
 * and on a comment that begins with a question.
 * It must not know any word by itself: the page is the only source. `--list` prints also what `notYet` still allows.
 * Start with `checkWords`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { piecesOf } from './comments.ts';
import type { Piece } from './comments.ts';
import { walk } from './files.ts';
import { lineAt } from './syntax.ts';

/** The number of findings that a folder may still have. It may only go down. */
const notYet: Readonly<Record<string, number>> = {};

/** The retired words of the page: refused in names, refused in text, and the uses that stay allowed. */
export interface Retired {
  readonly inNames: ReadonlyMap<string, string>;
  readonly inText: ReadonlyMap<string, string>;
  readonly allowed: readonly string[];
}

/** A place that breaks a rule. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Reads the tables `| retired | use | refused in |` and `| allowed | because |` of docs/terms.md. */
export function readRetired(page: string): Retired {
  const inNames = new Map<string, string>();
  const inText = new Map<string, string>();
  for (const [words = '', use = '', where = ''] of rowsUnder(
    page,
    /^\|\s*retired\s*\|\s*use\s*\|\s*refused in\s*\|$/,
  )) {
    for (const word of quotedIn(words)) {
      if (where.includes('names')) inNames.set(word, use.trim());
      if (where.includes('text')) inText.set(word, use.trim());
    }
  }
  if (inNames.size === 0) throw new Error('docs/terms.md has no table "| retired | use | refused in |"');
  const allowed = rowsUnder(page, /^\|\s*allowed\s*\|\s*because\s*\|$/).flatMap(([words = '']) => quotedIn(words));
  return { inNames, inText, allowed };
}

function rowsUnder(page: string, head: RegExp): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const first = lines.findIndex((line) => head.test(line.trim()));
  const rows: string[][] = [];
  for (const line of first < 0 ? [] : lines.slice(first + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(line.split('|').slice(1, -1));
  }
  return rows;
}

function quotedIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

/** Every finding of the tree at `root`, in the order of its files. */
export function checkWords(root: string): readonly Finding[] {
  const retired = readRetired(readFileSync(join(root, 'docs/terms.md'), 'utf8'));
  const code = ['src', 'test', 'tools', 'bench', 'bin'].flatMap((folder) => walk(root, folder));
  const pages = walk(root).filter((path) => /^(?:docs\/)?[^/]+\.md$/.test(path) && !path.endsWith('CHANGELOG.md'));
  return [
    ...code.flatMap((path) =>
      inName(path, path.replace(/\.\w+$/, ''), retired).map((message) => ({ file: path, line: 0, message })),
    ),
    ...code.filter(isSource).flatMap((file) => inSource(file, readFileSync(join(root, file), 'utf8'), retired)),
    ...pages.flatMap((file) => inPage(file, readFileSync(join(root, file), 'utf8'), retired)),
  ];
}

/** The test of this tool quotes what it refuses. */
const quoting = 'test/house/words.test.ts';

function isSource(path: string): boolean {
  return /\.(?:ts|js)$/.test(path) && !path.includes('/gen/') && path !== quoting;
}

/** A name counts once in a file. */
function inSource(file: string, text: string, retired: Retired): readonly Finding[] {
  const names = new Set<string>();
  return piecesOf(file, text).flatMap((piece) => {
    if (piece.kind === 'name' && names.size === names.add(piece.text).size) return [];
    return inPiece(piece, retired).map((message) => ({ file, line: lineAt(text, piece.start), message }));
  });
}

function inPiece(piece: Piece, retired: Retired): readonly string[] {
  if (piece.kind === 'name') return inName(piece.text, piece.text, retired);
  const found = inText(piece.text, retired);
  const start = `"${piece.text.slice(0, 40)}…"`;
  if (piece.kind === 'comment' && isQuestion(piece.text)) return [...found, `${start} ${asksMessage}`];
  return piece.kind !== 'string' && isHeadless(piece.text)
    ? [...found, `${start} has no subject: begin with the thing it is about`]
    : found;
}

function inPage(file: string, text: string, retired: Retired): readonly Finding[] {
  const own = file === 'docs/terms.md' ? text.indexOf('## Retired words') : -1;
  const lines = (own < 0 ? text : text.slice(0, own)).split('\n');
  return lines.flatMap((line, i) => inText(line, retired).map((message) => ({ file, line: i + 1, message })));
}

/** Retired words among the words of a name: `heldBy` has the words held and by. */
function inName(whole: string, name: string, { inNames, allowed }: Retired): readonly string[] {
  if (allowed.includes(name)) return [];
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.flatMap((word) => {
    const use = inNames.get(word);
    return use ? [`${whole}: "${word}" is retired: ${use}`] : [];
  });
}

function inText(text: string, { inText: retired, allowed }: Retired): readonly string[] {
  const left = allowed.reduce((rest, phrase) => rest.replaceAll(phrase, ''), text);
  return [...retired].flatMap(([word, use]) =>
    wordPattern(word).test(left) ? [`"${word}" is retired: ${use} (in "${text.trim().slice(0, 60)}")`] : [],
  );
}

const patterns = new Map<string, RegExp>();

function wordPattern(word: string): RegExp {
  const known = patterns.get(word) ?? new RegExp(`(?<![\\w-])${word.replaceAll(' ', '\\s+')}(?![\\w-])`, 'i');
  patterns.set(word, known);
  return known;
}

/** Tells whether a text begins with a pronoun that stands for its subject, and is not a question. */
export function isHeadless(text: string): boolean {
  const first = text.split(/(?<=[.?!:])\s/)[0] ?? '';
  return (
    /^(?:What|Whatever|Whoever|Who|Whose|Whom|Those|Of|That|Which|Whichever|Told|So (?:many|long|much)(?!.*\bthat\b))\b/i.test(
      first,
    ) && !first.endsWith('?')
  );
}

const asksMessage = 'asks: say what is returned';

/** The number of comments that may still begin with such a question. It may only go down. */
const questions = 12;

/** Tells whether a text begins with a question that has the answers yes and no: a comment says which of them is true. */
export function isQuestion(text: string): boolean {
  const first = text.split(/(?<=[.?!])\s/)[0] ?? '';
  return /^(?:Is|Are|Was|Were|Has|Have|Do|Does|Did|Can|Could|May|Must|Shall|Should|Will|Would)\b.*\?$/.test(first);
}

/** The folder to which a finding counts: a room of `src`, or a folder beside it. */
function countedIn(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  return top === 'src' ? `src/${folder}` : top.endsWith('.md') ? 'pages' : top;
}

/** Findings of folders that have more than `notYet` allows. */
export function beyond(findings: readonly Finding[], allowance: Readonly<Record<string, number>>): readonly Finding[] {
  const byFolder = Map.groupBy(findings, ({ file }) => countedIn(file));
  return [...byFolder].flatMap(([folder, found]) => (found.length > (allowance[folder] ?? 0) ? found : []));
}

/** The findings of the tree at `root` that are not allowed for the time being. */
export function refusedWords(root: string): readonly string[] {
  const { asks = [], others = [] } = Object.groupBy(checkWords(root), ({ message }) =>
    message.endsWith(asksMessage) ? 'asks' : 'others',
  );
  return [...beyond(others, notYet), ...(asks.length > questions ? asks : [])].map(printed);
}

function printed({ file, line, message }: Finding): string {
  return `${file}${line > 0 ? `:${line}` : ''}: ${message}`;
}

if (import.meta.main) {
  const isList = process.argv.includes('--list');
  const problems = isList ? checkWords(process.cwd()).map(printed) : refusedWords(process.cwd());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

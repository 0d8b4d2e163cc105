import { eachNode } from './syntax.ts';
import type { Node } from './syntax.ts';

/** One piece of text that people read: a comment, a test title, another string, or an identifier. */
export interface Piece {
  readonly kind: 'comment' | 'title' | 'string' | 'name';
  readonly text: string;
  readonly start: number;
}

const titled = new Set(['test', 'it', 'describe', 'scenario']);

/** All pieces of a TypeScript file. Module specifiers are left out: the names of files are checked by themselves. */
export function piecesOf(file: string, text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const literals: Node[] = [];
  const titles = new Set<number>();
  const specifiers = new Set<number>();
  const names = new Set<number>();
  eachNode(file, text, (node) => {
    const title = titleOf(node);
    if (title) titles.add(title.start);
    const source = node['source'] as Node | null | undefined;
    if (source?.type === 'Literal') specifiers.add(source.start);
    if (node.type === 'Literal' || node.type === 'TemplateElement') literals.push(node);
    if (node.type === 'Identifier' && !names.has(node.start)) {
      names.add(node.start);
      pieces.push({ kind: 'name', text: String(node['name']), start: node.start });
    }
  });
  for (const node of literals) {
    const value = stringOf(node);
    if (value === undefined || specifiers.has(node.start)) continue;
    pieces.push({ kind: titles.has(node.start) ? 'title' : 'string', text: value, start: node.start });
  }
  return [...pieces, ...commentsOf(text, literals)];
}

function stringOf(node: Node): string | undefined {
  if (node.type === 'TemplateElement') return (node['value'] as { cooked?: string }).cooked;
  return typeof node['value'] === 'string' ? node['value'] : undefined;
}

/** The first argument of `test('…')`, `describe.each(…)('…')` and alike. */
function titleOf(node: Node): Node | undefined {
  if (node.type !== 'CallExpression') return undefined;
  let callee = node['callee'] as Node | undefined;
  while (callee && callee.type !== 'Identifier')
    callee = (callee['object'] ?? callee['callee'] ?? callee['tag']) as Node | undefined;
  if (!callee || !titled.has(String(callee['name']))) return undefined;
  const [first] = node['arguments'] as readonly Node[];
  return first?.type === 'TemplateLiteral' ? (first['quasis'] as readonly Node[])[0] : first;
}

/** Comments, found in the text without its literals; lines of `//` that follow each other are one comment. */
function commentsOf(text: string, literals: readonly Node[]): readonly Piece[] {
  const blank = text.split('');
  for (const { start, ...node } of literals) blank.fill(' ', start, node['end'] as number);
  const pattern = /\/\*[\s\S]*?\*\/|(?:^[ \t]*)?\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gm;
  return [...blank.join('').matchAll(pattern)].map(({ 0: found, index }) => {
    const start = index + found.search(/\S/);
    return { kind: 'comment', text: proseOf(text.slice(start, index + found.length)), start };
  });
}

/** A comment without its signs, on one line. */
function proseOf(comment: string): string {
  return comment
    .replace(/^\/\*+|\*\/$/g, '')
    .replace(/^[ \t]*(?:\*|\/\/+)/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

import { parseAst } from 'vitest/node';

/** A node of a syntax tree (ESTree with TypeScript's additions). */
export type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

/** Visits every node of a TypeScript file, outer ones first. */
export function eachNode(file: string, text: string, see: (node: Node) => void): void {
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts', astType: 'ts' }, file), see);
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const child of value) visit(child, see);
    return;
  }
  if ('type' in value) see(value as Node);
  for (const child of Object.values(value)) visit(child, see);
}

/** The line on which an offset of a text stands, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

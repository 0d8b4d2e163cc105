import { parseAst } from 'vitest/node';

/** One module that a source file names, wherever in the file it does. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/**
 * Every module a TypeScript file names: `import`, `import type`, `export … from`, `import()` and
 * `typeof import()` in a type. Found in the syntax tree, so neither a comment, a string nor a line break deceives it.
 */
export function importsOf(file: string, text: string): readonly Import[] {
  const found: Import[] = [];
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts', astType: 'ts' }, file), (node) => {
    const source = sourceOf(node);
    if (source) found.push({ specifier: source.value, line: lineAt(text, source.start) });
  });
  return found;
}

const naming = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function sourceOf(node: Record<string, unknown>): { value: string; start: number } | undefined {
  if (!naming.has(String(node['type']))) return undefined;
  const source = node['source'] as { value?: unknown; start?: number } | null;
  return typeof source?.value === 'string' ? { value: source.value, start: source.start ?? 0 } : undefined;
}

function visit(node: unknown, see: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const child of node) visit(child, see);
    return;
  }
  see(node as Record<string, unknown>);
  for (const child of Object.values(node)) visit(child, see);
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

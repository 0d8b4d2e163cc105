import { eachNode, lineAt } from './syntax.ts';
import type { Node } from './syntax.ts';

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
  eachNode(file, text, (node) => {
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

function sourceOf(node: Node): { value: string; start: number } | undefined {
  if (!naming.has(node.type)) return undefined;
  const source = node['source'] as { value?: unknown; start?: number } | null;
  return typeof source?.value === 'string' ? { value: source.value, start: source.start ?? 0 } : undefined;
}

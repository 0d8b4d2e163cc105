/**
 * Keeps clock and chance out of the pure rooms: `node tools/purity.ts` fails where one of them is read.
 * The compiler keeps I/O out, but JavaScript itself knows the time and draws random numbers, so these need a look.
 * Start with `checkPurity`; which folders are pure stands in tsconfig.pure.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { walk } from './files.ts';
import { eachNode, lineAt } from './syntax.ts';
import type { Node } from './syntax.ts';

/** Every look at a clock or draw of a random number in the pure rooms of the tree at `root`, one line each. */
export function checkPurity(root: string): readonly string[] {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.pure.json'), 'utf8')) as { include: string[] };
  const files = include.flatMap((folder) => walk(root, folder));
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const problems: string[] = [];
      eachNode(file, text, (node) => {
        const what = impurityOf(node);
        if (what)
          problems.push(`${file}:${lineAt(text, node.start)}: ${what} in a pure room: time and chance are facts`);
      });
      return problems;
    });
}

const impureMembers = new Set(['Date.now', 'Math.random', 'Temporal.Now']);

function impurityOf(node: Node): string | undefined {
  if (node.type === 'MemberExpression') {
    const name = `${nameOf(node['object'])}.${nameOf(node['property'])}`;
    return impureMembers.has(name) ? name : undefined;
  }
  const isMade = node.type === 'NewExpression' && (node['arguments'] as readonly unknown[]).length === 0;
  if ((isMade || node.type === 'CallExpression') && nameOf(node['callee']) === 'Date') return 'Date()';
  return undefined;
}

/** `x` of an identifier, also of the property in `y.x` and `y['x']`. */
function nameOf(node: unknown): string {
  const { name, value } = node as { name?: unknown; value?: unknown };
  return typeof name === 'string' ? name : String(value);
}

if (import.meta.main) {
  const problems = checkPurity(process.cwd());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

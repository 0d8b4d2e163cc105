/**
 * Writes docs/reasons.md from src/engine/reasons.ts: `node tools/reasons.ts`. A test keeps page and code equal.
 * The comments between the reasons are the headings of the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachNode } from './syntax.ts';

const intro = `# Reasons

Every decision gives one reason of this closed set. Conditions, events, \`explain\`, \`plan\`, logs and the dashboard print the
same word for the same thing, so that it can be looked up here.
`;

/** The page for a source text of the reasons. */
export function reasonsPage(source: string): string {
  const headings = [...source.matchAll(/^ {2}\/\/ (.+)$/gm)].map((match) => ({
    at: match.index,
    text: `## ${match[1]?.slice(0, 1).toUpperCase()}${match[1]?.slice(1)}`,
  }));
  const rows = rowsOf(source);
  const sections = headings.map(({ at, text }, i) => {
    const end = headings[i + 1]?.at ?? source.length;
    const own = rows.filter((row) => row.at > at && row.at < end);
    return `${text}\n\n${table(own.map(({ name, meaning }) => [`\`${name}\``, meaning]))}`;
  });
  return [intro, ...sections].join('\n');
}

interface Row {
  readonly at: number;
  readonly name: string;
  readonly meaning: string;
}

function rowsOf(source: string): readonly Row[] {
  const rows: Row[] = [];
  eachNode('reasons.ts', source, (node) => {
    const [key, value] = [node['key'], node['value']] as readonly { name?: string; value?: unknown }[];
    if (node.type !== 'Property' || !key?.name || typeof value?.value !== 'string') return;
    rows.push({ at: node.start, name: key.name, meaning: value.value });
  });
  return rows;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const all = [['reason', 'meaning'] as const, ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return `${[line(all[0] ?? []), rule, ...rows.map(line)].join('\n')}\n`;
}

if (import.meta.main) {
  const top = join(import.meta.dirname, '..');
  const source = readFileSync(join(top, 'src/engine/reasons.ts'), 'utf8');
  writeFileSync(join(top, 'docs/reasons.md'), reasonsPage(source));
}

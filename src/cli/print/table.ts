/** How a table is cut and coloured. */
export interface TableStyle {
  /** Lines are cut here; undefined: never. */
  readonly columns: number | undefined;
  readonly indent?: string;
}

/** A table as kubectl prints them: upper-case heads, three spaces between columns, no lines. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], style: TableStyle): string {
  const lines = [heads, ...rows];
  return linesText(lines, { ...style, widths: widthsOf(lines) });
}

/** How wide each column has to be. */
export function widthsOf(lines: readonly (readonly string[])[]): readonly number[] {
  return (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ''))));
}

/** Lines of a table whose columns are so wide. */
export function linesText(
  lines: readonly (readonly string[])[],
  { columns, widths, indent = '' }: TableStyle & { readonly widths: readonly number[] },
): string {
  return lines.map((cells) => `${cut(indent + lineText(cells, widths), columns)}\n`).join('');
}

function lineText(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, i) =>
      i === widths.length - 1 ? cell : cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - widthOf(cell))),
    )
    .join('   ')
    .trimEnd();
}

const escape = '\u001B';
const colours = new RegExp(`(${escape}\\[[0-9;]*m)`, 'g');

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What takes one place each; most texts are plain and need no segmenting. */
function lettersOf(text: string): readonly string[] {
  if (/^[ -~]*$/.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many places a text takes; colours take none. */
export function widthOf(text: string): number {
  return lettersOf(text.replaceAll(colours, '')).length;
}

/** The text with at most so many places, and a sign that something is missing. */
export function cut(text: string, columns: number | undefined): string {
  if (columns === undefined || widthOf(text) <= columns) return text;
  let places = 0;
  let kept = '';
  for (const part of text.split(colours)) {
    if (part.startsWith(escape)) {
      kept += part;
      continue;
    }
    const room = Math.max(0, columns - 1 - places);
    const letters = lettersOf(part);
    kept += letters.slice(0, room).join('');
    places += Math.min(room, letters.length);
  }
  return `${kept}…`;
}

/** How a table is cut and coloured. */
export interface TableStyle {
  /** Lines are cut here; undefined: never. */
  readonly columns: number | undefined;
  readonly indent?: string;
  /** The last column is text that matters to its end: it goes on below instead of being cut. */
  readonly prose?: boolean;
}

/** Places between two columns. */
const gap = 3;

/** A table as kubectl prints them: upper-case heads, three spaces between columns, no lines. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], style: TableStyle): string {
  const widths = widthsOf([heads, ...rows]);
  const fitting = fittingColumns(widths, style);
  // Prose wraps by itself when everything before it fits.
  if (fitting < widths.length - (style.prose ? 1 : 0)) return foldedTable(heads, rows, { ...style, widths, fitting });
  return linesText([heads], { ...style, prose: false, widths }) + linesText(rows, { ...style, widths });
}

/** How many columns stand side by side on this terminal; at least one. */
function fittingColumns(widths: readonly number[], { columns, indent = '' }: TableStyle): number {
  if (columns === undefined) return widths.length;
  let places = indent.length - gap;
  const tooMany = widths.findIndex((width) => (places += width + gap) > columns);
  return tooMany < 0 ? widths.length : Math.max(1, tooMany);
}

interface Folding extends TableStyle {
  readonly widths: readonly number[];
  /** Number of columns that stand side by side. */
  readonly fitting: number;
}

/** A table that is too wide: columns that do not fit stand below their row, each with its head: `policy: web; because: …`. */
function foldedTable(heads: readonly string[], rows: readonly (readonly string[])[], style: Folding): string {
  const { fitting, columns = 0, indent = '' } = style;
  const beside = { ...style, prose: false, widths: style.widths.slice(0, fitting) };
  const margin = `${indent}    `;
  const folded = rows.map((row) => {
    const rest = row.slice(fitting).map((cell, i) => [heads[fitting + i]?.toLowerCase(), cell] as const);
    const text = rest.flatMap(([head, cell]) => (isNothing(cell) ? [] : [`${head}: ${cell}`])).join('; ');
    const below = text === '' ? [] : brokenAt(text, Math.max(1, columns - margin.length));
    return linesText([row.slice(0, fitting)], beside) + below.map((line) => `${margin}${line}\n`).join('');
  });
  return linesText([heads.slice(0, fitting)], beside) + folded.join('');
}

const isNothing = (cell: string): boolean => cell === '' || cell === '-';

/** How wide each column has to be. */
export function widthsOf(lines: readonly (readonly string[])[]): readonly number[] {
  return (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ''))));
}

/** Lines of a table whose columns are so wide. */
export function linesText(
  lines: readonly (readonly string[])[],
  { columns, widths, indent = '', prose }: TableStyle & { readonly widths: readonly number[] },
): string {
  const texts = lines.flatMap((cells) => {
    const text = indent + lineText(cells, widths);
    if (!prose || columns === undefined || widthOf(text) <= columns) return [text];
    if (cells.at(-1) === '-') return [indent + lineText(cells.slice(0, -1), widths)];
    return wrapped(indent + lineText(cells.slice(0, -1), widths), cells.at(-1) ?? '', {
      columns,
      start: indent.length + widths.slice(0, -1).reduce((sum, width) => sum + width + 3, 0),
    });
  });
  return texts.map((text) => `${cut(text, columns)}\n`).join('');
}

/** With fewer places than this beside the other columns, text goes below them. */
const narrowest = 30;

/** A line whose last column needs more places than there are. */
function wrapped(front: string, last: string, place: { readonly columns: number; readonly start: number }): string[] {
  const { columns, start } = place;
  const isBeside = columns - start >= narrowest;
  const margin = isBeside ? start : 4;
  const parts = brokenAt(last, columns - margin);
  const below = parts.map((part) => ' '.repeat(margin) + part);
  if (!isBeside) return [front, ...below];
  const [first = '', ...rest] = parts;
  return [front + ' '.repeat(Math.max(0, start - widthOf(front))) + first, ...below.slice(1, rest.length + 1)];
}

/** Words in lines of at most so many places; a word that is longer than a line is broken where it ends. */
function brokenAt(text: string, space: number): string[] {
  const lines: string[] = [''];
  for (let word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length <= space) {
      lines[lines.length - 1] = `${last} ${word}`;
      continue;
    }
    if (last === '') lines.pop();
    for (; word.length > space; word = word.slice(space)) lines.push(word.slice(0, space));
    lines.push(word);
  }
  return lines;
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

/** The letters of a text that take one place each; most texts are plain and need no segmenting. */
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
    const space = Math.max(0, columns - 1 - places);
    const letters = lettersOf(part);
    kept += letters.slice(0, space).join('');
    places += Math.min(space, letters.length);
  }
  return `${kept}…`;
}

/** A stretch of a text. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Line {
  readonly from: number;
  readonly indent: number;
  readonly text: string;
}

function linesOf(text: string): readonly Line[] {
  let from = 0;
  return text.split('\n').map((line) => {
    const found = { from, indent: line.length - line.trimStart().length, text: line };
    from += line.length + 1;
    return found;
  });
}

/** Where a field of an object stands in a text of several documents: as near as it can be found. */
export function placeOfPath(text: string, object: string, path: string): Stretch {
  const [kind = '', ...rest] = object.split('/');
  const name = rest.at(-1) ?? '';
  const documents = documentsIn(linesOf(text));
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const own = documents.find(
    (lines) =>
      has(lines, new RegExp(`^kind:\\s*${kind}\\s*$`)) &&
      has(lines, new RegExp(`^ +name:\\s*["']?${escaped}["']?\\s*$`)),
  );
  const lines = own ?? documents[0] ?? [];
  const found = path === '' ? lines[0] : lineOf(lines, path);
  return found ? { from: found.from + found.indent, to: found.from + found.text.length } : { from: 0, to: 0 };
}

const has = (lines: readonly Line[], pattern: RegExp): boolean => lines.some((line) => pattern.test(line.text));

function documentsIn(lines: readonly Line[]): readonly (readonly Line[])[] {
  const documents: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.startsWith('---')) documents.push([]);
    else documents.at(-1)?.push(line);
  }
  return documents;
}

/** Walks down a path such as `spec.placement.clusterAffinity.clusterNames[0]`. */
function lineOf(lines: readonly Line[], path: string): Line | undefined {
  let found: Line | undefined = lines[0];
  let at = 0;
  for (const part of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    const next = /^\d+$/.test(part)
      ? item(lines, at, Number(part))
      : lines.findIndex((line, i) => i >= at && line.text.trimStart().replace(/^- /, '').startsWith(`${part}:`));
    if (next < 0) return found;
    found = lines[next];
    at = next;
  }
  return found;
}

function item(lines: readonly Line[], after: number, wanted: number): number {
  let seen = -1;
  return lines.findIndex((line, i) => i >= after && line.text.trimStart().startsWith('- ') && ++seen === wanted);
}

/** The keys above a place, from the outside in, and the document that it is in. */
export function pathAt(text: string, offset: number): { readonly path: readonly string[]; readonly document: string } {
  const before = text.slice(0, offset);
  const start = Math.max(0, before.lastIndexOf('\n---') + 1);
  const end = text.indexOf('\n---', offset);
  const lines = before.slice(start).split('\n');
  const current = lines.pop() ?? '';
  return {
    path: keysAbove(lines, /^[ -]*/.exec(current)?.[0].length ?? 0),
    document: text.slice(start, end < 0 ? undefined : end),
  };
}

/** The keys of the lines above that are indented less, each less than the one below it. */
function keysAbove(lines: readonly string[], from: number): readonly string[] {
  const path: string[] = [];
  let indent = from;
  for (const line of lines.toReversed()) {
    const [, lead = '', key] = /^((?: |- )*)([\w./-]+):/.exec(line) ?? [];
    if (key === undefined || lead.length >= indent) continue;
    path.unshift(key);
    indent = lead.endsWith('- ') ? lead.length - 2 : lead.length;
  }
  return path;
}

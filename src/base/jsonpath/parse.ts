import { isClosed, Scanner, TemplateError } from './scanner.ts';

/** A template as kubectl's `-o jsonpath=` takes it: text with actions in braces. */
export type Template = readonly TemplatePart[];

/** Text is printed as it is, a path prints the values that it finds, and a range prints its body once for each of them. */
export type TemplatePart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'path'; readonly path: Path }
  | { readonly is: 'range'; readonly over: Path; readonly body: Template };

/** Steps from a value to others. */
export type Path = readonly Step[];

/** One step; a literal leads from anything to itself. */
export type Step =
  | { readonly is: 'field'; readonly name: string }
  | { readonly is: 'wildcard' }
  | { readonly is: 'recursive' }
  | { readonly is: 'index'; readonly at: number }
  | { readonly is: 'slice'; readonly slice: Slice }
  | { readonly is: 'union'; readonly paths: readonly Path[] }
  | { readonly is: 'filter'; readonly filter: Filter }
  | { readonly is: 'literal'; readonly value: string | number | boolean };

/** `[from:to:step]`. */
export interface Slice {
  readonly from?: number;
  readonly to?: number;
  readonly step?: number;
}

/** `[?(left operator right)]`; without an operator, items in which `left` finds something pass. */
export interface Filter {
  readonly left: Path;
  readonly compare?: { readonly operator: Operator; readonly right: Path };
}

/** The operators of a filter. */
export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** Parses a template; throws TemplateError when the text is not one. */
export function parseTemplate(text: string): Template {
  const scanner = new Scanner(text);
  const { parts, ended } = parsePartsOf(scanner);
  if (ended) throw new TemplateError('{end} without {range}');
  return parts;
}

/** Parses the path of a printer column, without braces: `.spec.replicas` or `$.spec.replicas`. Throws TemplateError. */
export function parseJsonPath(text: string): Path {
  const trimmed = text.trim();
  if (!/^[.$[]/.test(trimmed)) throw new TemplateError(`${text} does not begin with a dot`);
  return parsePath(new Scanner(trimmed));
}

interface ParsedParts {
  readonly parts: Template;
  /** True when the parts ended with {end}. */
  readonly ended: boolean;
}

function parsePartsOf(scanner: Scanner): ParsedParts {
  const parts: TemplatePart[] = [];
  while (!scanner.isAtEnd) {
    const text = scanner.until('{');
    if (text !== '') parts.push({ is: 'text', text });
    if (scanner.isAtEnd) break;
    scanner.skip('{'.length);
    const action = parseAction(scanner);
    if (action === 'end') return { parts, ended: true };
    if (action.is === 'path') parts.push(action);
    else {
      const { parts: body, ended } = parsePartsOf(scanner);
      if (!ended) throw new TemplateError('{range} without {end}');
      parts.push({ ...action, body });
    }
  }
  return { parts, ended: false };
}

type Action = 'end' | { readonly is: 'path'; readonly path: Path } | { readonly is: 'range'; readonly over: Path };

function parseAction(scanner: Scanner): Action {
  scanner.skipBlanks();
  const word = scanner.matched(/(?:range|end)(?![A-Za-z0-9_])/y);
  const path = parsePath(scanner, '}');
  scanner.skip('}'.length);
  if (word === 'end') return 'end';
  return word === 'range' ? { is: 'range', over: path } : { is: 'path', path };
}

/** Steps up to `end`, or to the end of the text where there is none. */
function parsePath(scanner: Scanner, end?: string): Path {
  const steps: Step[] = [];
  for (;;) {
    scanner.skipBlanks();
    if (end === undefined ? scanner.isAtEnd : scanner.isAt(end)) return steps;
    if (scanner.isAtEnd) throw new TemplateError('a brace is not closed');
    // The current and the whole object are where a path begins anyway.
    if (scanner.matched(/[@$]/y) === undefined) steps.push(...parseSteps(scanner));
  }
}

const forms: readonly {
  readonly starts: RegExp;
  readonly read: (found: string, scanner: Scanner) => readonly Step[];
}[] = [
  { starts: /\[\?\(/y, read: (_, scanner) => [parseFilter(scanner)] },
  { starts: /\.\.(?=[A-Za-z0-9_])/y, read: (_, scanner) => [{ is: 'recursive' }, ...parseField(scanner)] },
  { starts: /\.\./y, read: () => [{ is: 'recursive' }] },
  { starts: /\./y, read: (_, scanner) => parseField(scanner) },
  { starts: /\[[^\]\n]*\]/y, read: (found) => [parseBrackets(found.slice(1, -1))] },
  { starts: /(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/y, read: (found) => [{ is: 'literal', value: unquoted(found) }] },
  { starts: /[-+]?\d+(?:\.\d+)?/y, read: (found) => [{ is: 'literal', value: Number(found) }] },
  { starts: /(?:true|false)\b/y, read: (found) => [{ is: 'literal', value: found === 'true' }] },
];

function parseSteps(scanner: Scanner): readonly Step[] {
  for (const { starts, read } of forms) {
    const found = scanner.matched(starts);
    if (found !== undefined) return read(found, scanner);
  }
  throw new TemplateError(`${JSON.stringify(scanner.rest)} is not a path such as .metadata.name`);
}

/** A name ends where another step begins; a backslash takes the meaning away from a sign. */
function parseField(scanner: Scanner): readonly Step[] {
  const name = scanner.matched(/(?:\\.|[^\s.,[\]$@{}\\])*/y) ?? '';
  if (name === '') return [];
  return [name === '*' ? { is: 'wildcard' } : { is: 'field', name: name.replaceAll(/\\(.)/g, '$1') }];
}

function parseBrackets(text: string): Step {
  const parts = text.split(',');
  if (parts.length > 1) return { is: 'union', paths: parts.map((part) => [parseBrackets(part.trim())]) };
  if (text === '*') return { is: 'slice', slice: {} };
  const key = /^'([^']*)'$/.exec(text)?.[1];
  if (key === undefined) return parseIndex(text);
  return { is: 'union', paths: [parsePath(new Scanner(`.${key}`))] };
}

function parseIndex(text: string): Step {
  if (/^-?\d+$/.test(text)) return { is: 'index', at: Number(text) };
  const found = /^(-?\d*):(-?\d*)(?::(-?\d*))?$/.exec(text);
  if (!found) throw new TemplateError(`[${text}] is not an index such as [0], [1:3] or ['name']`);
  const [, from, to, step] = found;
  const slice = {
    ...(from && { from: Number(from) }),
    ...(to && { to: Number(to) }),
    ...(step && { step: Number(step) }),
  };
  return { is: 'slice', slice };
}

function parseFilter(scanner: Scanner): Step {
  const text = scanner.untilOutsideQuotes(')]');
  const found = /^(?<left>[^!<>=]+)(?<operator>[!<>=]+)(?<right>.+)$/s.exec(text)?.groups;
  if (!found) return { is: 'filter', filter: { left: parseWhole(text) } };
  const { left = '', operator = '', right = '' } = found;
  if (!isOperator(operator)) throw new TemplateError(`${operator} is not an operator: use == != < <= > >=`);
  return { is: 'filter', filter: { left: parseWhole(left), compare: { operator, right: parseWhole(right) } } };
}

const operators: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const isOperator = (text: string): text is Operator => operators.has(text);

function parseWhole(text: string): Path {
  if (!isClosed(text)) throw new TemplateError(`${text}: a quote is not closed`);
  return parsePath(new Scanner(text));
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign);
}

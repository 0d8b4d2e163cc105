import { lookup } from '../../base/index.ts';
/** One step of a path: from each value found so far to the values below it. */
type Step = (value: unknown) => readonly unknown[];

/** A compiled JSONPath: all values that it finds in an object, none if a part of the way is missing. */
export type JsonPath = (object: unknown) => readonly unknown[];

/**
 * Compiles the JSONPath of a printer column or a field: `.a.b`, `['a.b']`, `.a\.b`, `[0]`, `[-1]`, `[1:3]`, `[*]`,
 * `.*`, `[0,2]` and `[?(@.type=="Ready")]`. Undefined if the text is none; recursive descent (`..`) is not known.
 */
export function compileJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  let rest = text.trim().replace(/^\$/, '');
  while (rest !== '') {
    const token = nextToken(rest);
    const step = token && stepOf(token);
    if (!step) return undefined;
    steps.push(step);
    rest = rest.slice(token.length);
  }
  return (object) => steps.reduce<readonly unknown[]>((found, step) => found.flatMap((value) => step(value)), [object]);
}

/** `.name` with backslashes before dots, or everything between a bracket and its end. */
function nextToken(text: string): string | undefined {
  if (text.startsWith('.[')) return `.${bracketed(text.slice(1)) ?? ''}`;
  if (text.startsWith('[')) return bracketed(text);
  return /^\.(?:\\.|[^.[\]\\])+/.exec(text)?.[0];
}

function bracketed(text: string): string | undefined {
  let quote = '';
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote) quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else depth += Number(char === '[') - Number(char === ']');
    if (depth === 0) return text.slice(0, i + 1);
  }
  return undefined;
}

function stepOf(token: string): Step | undefined {
  if (token.startsWith('.[')) return bracketStep(token.slice(2, -1));
  if (token.startsWith('[')) return bracketStep(token.slice(1, -1));
  const name = token.slice(1).replaceAll(/\\(.)/g, '$1');
  return name === '*' ? everything : member(name);
}

function bracketStep(inner: string): Step | undefined {
  const text = inner.trim();
  if (text === '*') return everything;
  if (text.startsWith('?(')) return text.endsWith(')') ? filter(text.slice(2, -1)) : undefined;
  if (/^-?\d*:-?\d*$/.test(text)) return slice(text);
  const steps = splitUnion(text).map(elementStep);
  if (steps.length === 0 || steps.includes(undefined)) return undefined;
  return (value) => steps.flatMap((step) => step?.(value) ?? []);
}

function splitUnion(text: string): readonly string[] {
  return [...text.matchAll(/'[^']*'|"[^"]*"|[^,\s]+/g)].map(([part]) => part);
}

function elementStep(text: string): Step | undefined {
  if (/^'[^']*'$|^"[^"]*"$/.test(text)) return member(text.slice(1, -1));
  return /^-?\d+$/.test(text) ? index(Number(text)) : undefined;
}

function everything(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function member(name: string): Step {
  return (value) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
    const found = (value as Record<string, unknown>)[name];
    return found === undefined ? [] : [found];
  };
}

function index(position: number): Step {
  return (value) => {
    const found: unknown = Array.isArray(value) ? value.at(position) : undefined;
    return found === undefined ? [] : [found];
  };
}

function slice(text: string): Step {
  const [start, end] = text.split(':').map((part) => (part === '' ? undefined : Number(part)));
  return (value) => (Array.isArray(value) ? value.slice(start, end) : []);
}

const comparisons: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = lookup({
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => order(left, right) < 0,
  '<=': (left, right) => order(left, right) <= 0,
  '>': (left, right) => order(left, right) > 0,
  '>=': (left, right) => order(left, right) >= 0,
});

/** NaN where the two cannot be ordered, so that no comparison of it holds. */
function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  return left < right ? -1 : Number(left > right);
}

/** `@.type=="Ready"`, or a bare path that must lead somewhere. */
function filter(condition: string): Step | undefined {
  const match = /^\s*@?(.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*$/.exec(condition);
  const path = compileJsonPath(match?.[1] ?? '');
  if (!match || !path) return undefined;
  const compare = comparisons[match[2] ?? ''];
  const operand = match[3] === undefined ? undefined : literal(match[3]);
  return (value) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.filter((item) => {
      const found = path(item);
      return found.length > 0 && (!compare || found.some((one) => compare(one, operand)));
    });
  };
}

function literal(text: string): unknown {
  if (/^(['"]).*\1$/.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

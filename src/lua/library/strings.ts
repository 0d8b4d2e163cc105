import { call } from '../compile/frame.ts';
import { Table } from '../table.ts';
import { isTrue, textOf, typeOf } from '../value.ts';
import type { LuaFunction, Value } from '../value.ts';
import type { Arguments, Native } from './arguments.ts';
import { format } from './format.ts';
import { matchPattern, PatternError } from './pattern.ts';
import type { Match } from './pattern.ts';

/** The longest text that the library works on. */
const longest = 1_000_000;

/** A place in a text as an argument says it: from 1, or from the end when negative; as an index from 0. */
const placeIn = (length: number, place: number): number =>
  place > 0 ? place - 1 : place === 0 ? 0 : Math.max(0, length + place);

function search(args: Arguments, from: number): Match | undefined {
  const { budget } = args.run;
  return matchIn(args, args.text(0), { pattern: args.text(1), from, spend: budget.spend.bind(budget) });
}

function matchIn(
  args: Arguments,
  text: string,
  {
    pattern,
    from,
    spend,
  }: { readonly pattern: string; readonly from: number; readonly spend: (steps: number) => void },
): Match | undefined {
  if (text.length > longest) throw args.error('the text is too long');
  try {
    return matchPattern(text, pattern, { from, spend });
  } catch (error) {
    if (error instanceof PatternError) throw args.error(error.message);
    throw error;
  }
}

/** The captures of a match; all of it when there are none. */
function captured(text: string, { captures, start, end }: Match): readonly Value[] {
  return captures.length > 0 ? captures : [text.slice(start, end)];
}

function find(args: Arguments): readonly Value[] {
  const [text, pattern] = [args.text(0), args.text(1)];
  const from = placeIn(text.length, args.whole(2, 1));
  if (from > text.length) return [undefined];
  if (isTrue(args.at(3)) || !/[\^$*+?.([%-]/.test(pattern)) {
    const found = text.indexOf(pattern, from);
    return found === -1 ? [undefined] : [found + 1, found + pattern.length];
  }
  const match = search(args, from);
  return match ? [match.start + 1, match.end, ...match.captures] : [undefined];
}

function firstMatch(args: Arguments): readonly Value[] {
  const text = args.text(0);
  const match = search(args, placeIn(text.length, args.whole(2, 1)));
  return match ? captured(text, match) : [undefined];
}

function eachMatch(args: Arguments): readonly Value[] {
  const [text, pattern] = [args.text(0), args.text(1)];
  const { budget } = args.run;
  let from = 0;
  const next: LuaFunction = () => {
    const match = matchIn(args, text, { pattern, from, spend: budget.spend.bind(budget) });
    if (!match) return [undefined];
    from = match.end > match.start ? match.end : match.end + 1;
    return captured(text, match);
  };
  return [next];
}

function substitute(args: Arguments): readonly Value[] {
  const [text, pattern] = [args.text(0), args.text(1)];
  const replace = replacer(args);
  const most = args.number(3, Infinity);
  const { budget } = args.run;
  let [result, from, count] = ['', 0, 0];
  while (count < most) {
    const match = matchIn(args, text, { pattern, from, spend: budget.spend.bind(budget) });
    if (!match) break;
    count++;
    const put = text.slice(from, match.start) + replace(match);
    budget.take(put.length);
    result += put;
    from = match.end;
    if (match.end === match.start) result += text[from++] ?? '';
    if (from > text.length || pattern.startsWith('^')) break;
  }
  return [result + text.slice(from), count];
}

type Replace = (match: Match) => string;

/** The replacement of a match: a text with `%1`, what a table has under the first capture, or what a function says. */
function replacer(args: Arguments): Replace {
  const text = args.text(0);
  const by = args.at(2);
  if (typeof by === 'string' || typeof by === 'number') return (match) => filled(args, textOf(by), { text, match });
  if (by instanceof Table) return (match) => instead(args, by.get(captured(text, match)[0]), { text, match });
  if (typeof by !== 'function') return args.reject(2, 'string/function/table expected');
  return (match) => instead(args, call(args.run, by, captured(text, match))[0], { text, match });
}

interface MatchedText {
  readonly text: string;
  readonly match: Match;
}

function filled(args: Arguments, template: string, { text, match }: MatchedText): string {
  return template.replace(/%(.?)/gs, (_, sign: string) => {
    if (sign === '0') return text.slice(match.start, match.end);
    if (!/[1-9]/.test(sign)) return sign;
    const value = captured(text, match)[Number(sign) - 1];
    if (value === undefined) throw args.error('invalid capture index');
    return textOf(value);
  });
}

function instead(args: Arguments, value: Value, { text, match }: MatchedText): string {
  if (!isTrue(value)) return text.slice(match.start, match.end);
  if (typeof value === 'string' || typeof value === 'number') return textOf(value);
  throw args.error(`invalid replacement value (a ${typeOf(value)})`);
}

function repeat(args: Arguments): readonly Value[] {
  const [text, count] = [args.text(0), Math.max(0, args.whole(1))];
  args.run.budget.take(text.length * count);
  return [text.repeat(count)];
}

function bytesOf(args: Arguments): readonly Value[] {
  const text = args.text(0);
  const first = args.whole(1, 1);
  const [start, end] = range(text.length, first, args.whole(2, first));
  args.run.budget.spend(Math.max(0, end - start));
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => text.charCodeAt(start + index));
}

/** `sub(2, -1)` as indexes from 0. */
function range(length: number, first: number, last: number): readonly [number, number] {
  return [placeIn(length, first), last < 0 ? Math.max(0, length + last + 1) : Math.min(last, length)];
}

function part(args: Arguments): readonly Value[] {
  const text = args.text(0);
  const [start, end] = range(text.length, args.whole(1, 1), args.whole(2, -1));
  return [start < end ? text.slice(start, end) : ''];
}

const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** A text made of others, whose memory counts. */
const made =
  (make: (args: Arguments) => string): Native =>
  (args) => {
    const text = make(args);
    args.run.budget.take(text.length);
    return [text];
  };

/** The library `string`, whose functions are methods of strings too. */
export const stringFunctions: Readonly<Record<string, Native>> = {
  byte: bytesOf,
  char: made((args) => String.fromCharCode(...args.values.map((_, index) => args.whole(index) & 0xff))),
  find,
  format: made(format),
  gfind: eachMatch,
  gmatch: eachMatch,
  gsub: substitute,
  len: (args) => [args.text(0).length],
  lower: made((args) => lower(args.text(0))),
  match: firstMatch,
  rep: repeat,
  reverse: made((args) => args.text(0).split('').reverse().join('')),
  sub: part,
  upper: made((args) => upper(args.text(0))),
};

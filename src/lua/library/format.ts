import { textOf } from '../value.ts';
import type { Arguments } from './arguments.ts';

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

type Print = (args: Arguments, index: number, directive: Directive) => string;

const digitsOf =
  (radix: number): Print =>
  (args, index, { precision }) =>
    Math.trunc(args.number(index))
      .toString(radix)
      .padStart(precision ?? 0, '0');

const exponent = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2');

function general(number: number, precision: number): string {
  const size = number === 0 ? 0 : Math.floor(Math.log10(Math.abs(number)));
  if (size < -4 || size >= precision)
    return exponent(number.toExponential(Math.max(0, precision - 1)).replace(/\.?0+e/, 'e'));
  const text = number.toFixed(Math.min(100, Math.max(0, precision - 1 - size)));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const quote: Print = (args, index) =>
  `"${args
    .text(index)
    .replace(/["\\\n]/g, '\\$&')
    .replace(/\r/g, '\\r')
    .replaceAll('\0', '\\000')}"`;

const directives: Readonly<Record<string, Print>> = {
  d: digitsOf(10),
  i: digitsOf(10),
  u: digitsOf(10),
  o: digitsOf(8),
  x: digitsOf(16),
  X: (...all) => digitsOf(16)(...all).toUpperCase(),
  c: (args, index) => String.fromCharCode(args.whole(index) & 0xff),
  e: (args, index, { precision = 6 }) => exponent(args.number(index).toExponential(precision)),
  E: (args, index, { precision = 6 }) => exponent(args.number(index).toExponential(precision)).toUpperCase(),
  f: (args, index, { precision = 6 }) => args.number(index).toFixed(precision),
  F: (args, index, { precision = 6 }) => args.number(index).toFixed(precision),
  g: (args, index, { precision = 6 }) => general(args.number(index), precision || 1),
  G: (args, index, { precision = 6 }) => general(args.number(index), precision || 1).toUpperCase(),
  q: quote,
  s: (args, index, { precision }) => textOf(args.any(index)).slice(0, precision),
  v: (args, index) => textOf(args.any(index)),
};

const directive = /%([-+ #0]*)(\d{0,2})(?:\.(\d{0,2}))?(.?)/gs;

/** `string.format`. */
export function format(args: Arguments): string {
  const text = args.text(0);
  let [result, from, index] = ['', 0, 0];
  for (const found of text.matchAll(directive)) {
    const [all, flags = '', width, precision, letter = ''] = found;
    result += text.slice(from, found.index);
    from = found.index + all.length;
    if (letter === '%') result += '%';
    else {
      const parsed = {
        flags,
        width: Number(width),
        precision: precision === undefined ? undefined : Number(precision),
      };
      result += printed(args, ++index, { all, letter, parsed });
    }
  }
  return result + text.slice(from);
}

function printed(
  args: Arguments,
  index: number,
  { all, letter, parsed }: { readonly all: string; readonly letter: string; readonly parsed: Directive },
): string {
  const print = directives[letter];
  if (!print) throw args.error(`invalid option '${all}' to 'format'`);
  const text = print(args, index, parsed);
  if ('sqcv'.includes(letter))
    return parsed.flags.includes('-') ? text.padEnd(parsed.width) : text.padStart(parsed.width);
  return padded(text, parsed, 'diuoxX'.includes(letter));
}

function padded(text: string, { flags, width, precision }: Directive, isInteger: boolean): string {
  const sign = text.startsWith('-') ? '-' : (/[+ ]/.exec(flags)?.[0] ?? '');
  const digits = text.replace(/^-/, '');
  if (flags.includes('-')) return (sign + digits).padEnd(width);
  const isFilled = flags.includes('0') && !(isInteger && precision !== undefined);
  return isFilled ? sign + digits.padStart(width - sign.length, '0') : (sign + digits).padStart(width);
}

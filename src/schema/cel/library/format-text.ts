import { fail } from '../failure.ts';

/** `"%s is %d".format([a, b])`: the verbs %s %d %f %e %b %x %X %o %%, with a precision for %f and %e. */
export function formatText(template: string, values: unknown[]): string {
  let next = 0;
  return template.replaceAll(/%(?:%|(?:\.(\d+))?([a-zA-Z])|.?)/g, (whole: string, precision?: string, verb = '') => {
    if (whole === '%%') return '%';
    if (!'sdfebxXo'.includes(verb) || verb === '') {
      throw fail(`could not parse formatting clause: unrecognized formatting clause "${whole.slice(1)}"`);
    }
    if (next >= values.length) throw fail(`index ${next} out of range`);
    return clause(verb, values[next++], precision === undefined ? 6 : Number(precision));
  });
}

function clause(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      return integer(value, verb).toString();
    case 'f':
      return number(value, verb).toFixed(precision);
    case 'e':
      return number(value, verb)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integer(value, verb).toString(2);
    case 'o':
      return integer(value, verb).toString(8);
    default:
      return hexOf(value, verb);
  }
}

function hexOf(value: unknown, verb: string): string {
  const hex = typeof value === 'string' ? Buffer.from(value).toString('hex') : integer(value, verb).toString(16);
  return verb === 'X' ? hex.toUpperCase() : hex;
}

function integer(value: unknown, verb: string): bigint {
  if (typeof value === 'bigint') return value;
  throw fail(`error during formatting: only integers can be formatted with %${verb}`);
}

function number(value: unknown, verb: string): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw fail(`error during formatting: only numbers can be formatted with %${verb}`);
}

/** A value as %s prints it. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (typeof value !== 'object' || value === null) return String(value);
  const named = value as { toString(this: void): string };
  // Durations, addresses and their like know how they are written; plain objects do not.
  if (value.toString !== Object.prototype.toString) return Reflect.apply(named.toString, value, []);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${key}: ${textOf(one)}`).join(', ')}}`;
}

import type { Table } from './table.ts';

/** A function of a script or of the library: takes and returns any number of values. */
export type LuaFunction = (args: readonly Value[]) => readonly Value[];

/** A value of a script. Strings are texts of bytes, one character for each; `undefined` is nil. */
export type Value = undefined | boolean | number | string | Table | LuaFunction;

/** An error that a script raises, or that ends it; scripts can catch it with `pcall`. */
export class LuaError extends Error {
  override readonly name = 'LuaError';
  /** The argument of `error`. */
  readonly value: Value;
  /** The line of the script, where it is known. */
  readonly line: number | undefined;

  constructor(message: string, line?: number, value?: Value) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.line = line;
    this.value = value ?? this.message;
  }
}

/** A script that does too much; it is ended, and cannot catch this. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** The rest of the limits of a script. The budgets are counted, not timed, so that every run ends at the same place. */
export class Budget {
  steps: number;
  bytes: number;
  depth = 0;

  constructor({ steps, bytes }: { readonly steps: number; readonly bytes: number }) {
    this.steps = steps;
    this.bytes = bytes;
  }

  /** Counts work. */
  spend(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) throw new LimitError('the script does too much: it was ended');
  }

  /** Counts memory that a value takes; what is freed is not given back. */
  take(bytes: number): void {
    this.bytes -= bytes;
    if (this.bytes < 0) throw new LimitError('the script needs too much memory: it was ended');
  }
}

/** Everything but nil and false is true. */
export const isTrue = (value: Value): boolean => value !== undefined && value !== false;

/** The name of the type of a value, as `type` returns it. */
export function typeOf(value: Value): 'nil' | 'boolean' | 'number' | 'string' | 'function' | 'table' {
  if (value === undefined) return 'nil';
  const type = typeof value;
  return type === 'object' ? 'table' : (type as 'boolean' | 'number' | 'string' | 'function');
}

/** The text of a number: whole numbers without a point, others as short as they can be. */
export function numberText(number: number): string {
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(number);
  if (Number.isInteger(number) && size < 1e21) return String(number === 0 ? 0 : number);
  if (size >= 1e-4 && size < 1e21) return String(number);
  return number.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The text of a value, as `tostring` returns it. Tables and functions have no address, so that runs are alike. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (value === undefined) return 'nil';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return typeof value === 'function' ? 'function: builtin' : 'table: 0x0';
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]+)$/;

/** The number that a value is or that its text says; undefined when it is neither. */
export function numberIn(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (decimal.test(text)) return Number(text);
  const found = hexadecimal.exec(text);
  return found ? Number.parseInt(found[2] ?? '', 16) * (found[1] === '-' ? -1 : 1) : undefined;
}

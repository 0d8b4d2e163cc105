import type { Run } from '../compile/frame.ts';
import { Table } from '../table.ts';
import { LuaError, numberIn, textOf, typeOf } from '../value.ts';
import type { Value } from '../value.ts';

/** A function of the library. */
export type Native = (args: Arguments) => readonly Value[];

/** The arguments of a function of the library; errors name the function and the line of the call. */
export class Arguments {
  readonly run: Run;
  readonly values: readonly Value[];
  readonly #name: string;

  constructor(name: string, run: Run, values: readonly Value[]) {
    this.#name = name;
    this.run = run;
    this.values = values;
  }

  get count(): number {
    return this.values.length;
  }

  at(index: number): Value {
    return this.values[index];
  }

  error(message: string): LuaError {
    return new LuaError(message, this.run.line);
  }

  #wrong(index: number, message: string): LuaError {
    return this.error(`bad argument #${index + 1} to '${this.#name}' (${message})`);
  }

  #expected(index: number, type: string): LuaError {
    const found = index < this.values.length ? typeOf(this.values[index]) : 'no value';
    return this.#wrong(index, `${type} expected, got ${found}`);
  }

  any(index: number): Value {
    if (index >= this.values.length) throw this.#wrong(index, 'value expected');
    return this.values[index];
  }

  number(index: number, otherwise?: number): number {
    const value = this.values[index];
    if (value === undefined && otherwise !== undefined) return otherwise;
    const number = numberIn(value);
    if (number === undefined) throw this.#expected(index, 'number');
    return number;
  }

  /** A whole number: fractions are cut off. */
  whole(index: number, otherwise?: number): number {
    return Math.trunc(this.number(index, otherwise));
  }

  text(index: number, otherwise?: string): string {
    const value = this.values[index];
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return textOf(value);
    if (value === undefined && otherwise !== undefined) return otherwise;
    throw this.#expected(index, 'string');
  }

  table(index: number): Table {
    const value = this.values[index];
    if (value instanceof Table) return value;
    throw this.#expected(index, 'table');
  }

  /** Says that an argument has a value that cannot be used. */
  reject(index: number, message: string): never {
    throw this.#wrong(index, message);
  }
}

/** A table of functions of the library. */
export function libraryOf(run: Run, functions: Readonly<Record<string, Native>>, into = new Table(run.budget)): Table {
  for (const [name, native] of Object.entries(functions))
    into.set(name, (values) => native(new Arguments(name, run, values)));
  return into;
}

import type { Block } from '../ast.ts';
import type { Table } from '../table.ts';
import { LimitError, LuaError } from '../value.ts';
import type { Budget, Value } from '../value.ts';

/** The state of one run of a script: nothing outlives it, so that no run depends on another. */
export interface Run {
  readonly budget: Budget;
  readonly globals: Table;
  /** The library `string`, in which methods of strings are found. */
  readonly strings: Table;
  /** The line of the call that was made last; the library names it in its errors. */
  line: number;
  /** The time that `os` tells, in seconds. */
  readonly now: () => number;
  /** Compiles the block of a function, when it is called for the first time. */
  readonly compile: (block: Block) => Execute;
}

/** A variable that functions share. */
export interface Box {
  value: Value;
}

/** One call of a function of a script. A slot has a value, or the box of a captured variable. */
export interface Frame {
  readonly run: Run;
  readonly slots: (Value | Box)[];
  readonly outer: readonly Box[];
  readonly varargs: readonly Value[];
  /** The values of `return`. */
  results: readonly Value[];
  /** Where `goto` wants to go. */
  label: string;
}

/** Computes one value. */
export type Evaluate = (frame: Frame) => Value;
/** Computes all values of an expression. */
export type EvaluateAll = (frame: Frame) => readonly Value[];

/** How a statement ended. */
export type Flow = 0 | 1 | 2 | 3;
export const [onward, broken, returned, jumping] = [0, 1, 2, 3] as const;
/** Runs a statement. */
export type Execute = (frame: Frame) => Flow;

/** The most calls inside one another. */
const deepest = 180;

/** Calls a value with these arguments. */
export function call(run: Run, callee: Value, args: readonly Value[]): readonly Value[] {
  if (typeof callee !== 'function') throw new LuaError('attempt to call a value that is no function', run.line);
  const { budget } = run;
  if (++budget.depth > deepest) throw new LimitError(`line ${run.line}: stack overflow`);
  const results = callee(args);
  budget.depth--;
  return results;
}

import type { BinaryOperator, Expression } from '../ast.ts';
import { Table } from '../table.ts';
import { LuaError, numberIn, numberText, typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import type { Run } from './frame.ts';

/** Where in the script something is done, for its errors. */
export interface Position {
  readonly line: number;
  readonly run: Run;
}

type Arithmetic = (a: number, b: number) => number;

const arithmetic: Readonly<Record<string, Arithmetic>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a - Math.floor(a / b) * b,
  '^': (a, b) => a ** b,
};

type Compare = (a: number | string, b: number | string) => boolean;

const comparisons: Readonly<Record<string, Compare>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** The function that an operator with two sides computes. */
export function binaryOf(operator: BinaryOperator): (a: Value, b: Value, place: Position) => Value {
  if (operator === '==') return (a, b) => a === b;
  if (operator === '~=') return (a, b) => a !== b;
  if (operator === '..') return concatenate;
  const compute = arithmetic[operator];
  if (compute) return (a, b, place) => compute(operand(a, place), operand(b, place));
  const compares = comparisons[operator] as Compare;
  return (a, b, place) => compared(compares, [a, b], place);
}

/** A number, or text that says one. */
export function operand(value: Value, { line }: Position): number {
  if (typeof value === 'number') return value;
  const number = numberIn(value);
  if (number === undefined) throw new LuaError(`attempt to perform arithmetic on a ${typeOf(value)} value`, line);
  return number;
}

function compared(compares: Compare, [a, b]: readonly [Value, Value], { line }: Position): boolean {
  if (typeof a === 'number' && typeof b === 'number') return compares(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compares(a, b);
  throw new LuaError(`attempt to compare ${typeOf(a)} with ${typeOf(b)}`, line);
}

function concatenate(a: Value, b: Value, place: Position): Value {
  const text = joinable(a, place) + joinable(b, place);
  place.run.budget.take(text.length);
  return text;
}

function joinable(value: Value, { line }: Position): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  throw new LuaError(`attempt to concatenate a ${typeOf(value)} value`, line);
}

/** The length of a text or of the list of a table. */
export function lengthOf(value: Value, { line }: Position): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Table) return value.length;
  throw new LuaError(`attempt to get length of a ${typeOf(value)} value`, line);
}

/** ` 'spec'`: how the script calls what it could not use; nothing when it has no name. */
export function nameOf(expression: Expression): string {
  if (expression.type === 'variable') {
    const { variable } = expression;
    return variable.type === 'local' ? ` '${variable.local.name}'` : ` '${variable.name}'`;
  }
  if (expression.type !== 'index') return '';
  const { key } = expression;
  return key.type === 'constant' && key.value !== undefined ? ` '${String(key.value)}'` : '';
}

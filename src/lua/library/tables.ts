import { call } from '../compile/frame.ts';
import type { Table } from '../table.ts';
import { isTrue, numberText, typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import type { Arguments, Native } from './arguments.ts';
import { unpack } from './base.ts';

function insert(args: Arguments): readonly Value[] {
  const table = args.table(0);
  const { length } = table;
  if (args.count === 2) table.set(length + 1, args.at(1));
  else if (args.count === 3) insertAt(table, args.whole(1), args);
  else throw args.error("wrong number of arguments to 'insert'");
  return [];
}

function insertAt(table: Table, position: number, { run, values }: Arguments): void {
  run.budget.spend(Math.max(0, table.length - position));
  for (let index = table.length; index >= position; index--) table.set(index + 1, table.get(index));
  table.set(position, values[2]);
}

function remove(args: Arguments): readonly Value[] {
  const table = args.table(0);
  const { length } = table;
  const position = args.whole(1, length);
  if (length === 0 || position < 1 || position > length) return [];
  const removed = table.get(position);
  args.run.budget.spend(length - position);
  for (let index = position; index < length; index++) table.set(index, table.get(index + 1));
  table.set(length, undefined);
  return [removed];
}

function concat(args: Arguments): readonly Value[] {
  const table = args.table(0);
  const separator = args.text(1, '');
  const [first, last] = [args.whole(2, 1), args.whole(3, table.length)];
  const parts: string[] = [];
  for (let index = first; index <= last; index++) {
    args.run.budget.spend(1);
    parts.push(joinable(args, table.get(index), index));
  }
  const text = parts.join(separator);
  args.run.budget.take(text.length);
  return [text];
}

function joinable(args: Arguments, value: Value, index: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  throw args.error(`invalid value (${typeOf(value)}) at index ${index} in table for 'concat'`);
}

/** An order that contradicts itself gives some order, and no error. */
function sort(args: Arguments): readonly Value[] {
  const table = args.table(0);
  const before = args.at(1) === undefined ? plainOrder(args) : givenOrder(args);
  const values = Array.from({ length: table.length }, (_, index) => table.get(index + 1));
  if (values.includes(undefined)) throw args.error('attempt to compare nil with a value');
  values.sort((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0));
  for (const [index, value] of values.entries()) table.set(index + 1, value);
  return [];
}

type Before = (a: Value, b: Value) => boolean;

function plainOrder(args: Arguments): Before {
  return (a, b) => {
    args.run.budget.spend(1);
    if (typeof a === 'number' && typeof b === 'number') return a < b;
    if (typeof a === 'string' && typeof b === 'string') return a < b;
    throw args.error(`attempt to compare ${typeOf(a)} with ${typeOf(b)}`);
  };
}

function givenOrder(args: Arguments): Before {
  const compare = args.at(1);
  return (a, b) => {
    args.run.budget.spend(1);
    return isTrue(call(args.run, compare, [a, b])[0]);
  };
}

function largestKey(args: Arguments): readonly Value[] {
  const table = args.table(0);
  let largest = 0;
  for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
    args.run.budget.spend(1);
    if (typeof entry[0] === 'number') largest = Math.max(largest, entry[0]);
  }
  return [largest];
}

/** The library `table`. */
export const tableFunctions: Readonly<Record<string, Native>> = {
  insert,
  remove,
  concat,
  sort,
  maxn: largestKey,
  getn: (args) => [args.table(0).length],
  unpack,
};

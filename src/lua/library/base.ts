import { call } from '../compile/frame.ts';
import type { Run } from '../compile/frame.ts';
import { isTrue, LuaError, numberIn, textOf, typeOf } from '../value.ts';
import type { LuaFunction, Value } from '../value.ts';
import type { Arguments, Native } from './arguments.ts';

/** Functions that could leave the sandbox, or that only serve to build other languages; Karmada refuses them as well. */
const refused = [
  'collectgarbage',
  'dofile',
  'getfenv',
  'getmetatable',
  'load',
  'loadfile',
  'loadstring',
  'rawequal',
  'rawget',
  'rawset',
  'setfenv',
  'setmetatable',
  'module',
  'newproxy',
];

const step = (args: Arguments): readonly Value[] => {
  const table = args.table(0);
  try {
    return table.next(args.at(1)) ?? [undefined];
  } catch {
    throw args.error("invalid key to 'next'");
  }
};

/** A script must not see an error that ends it. */
function protect(run: Run, body: () => readonly Value[], handle: (error: Value) => readonly Value[]): readonly Value[] {
  const { depth } = run.budget;
  try {
    return [true, ...body()];
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    run.budget.depth = depth;
    run.budget.spend(1000);
    return [false, ...handle(error.value)];
  }
}

function toNumber(args: Arguments): readonly Value[] {
  const base = args.whole(1, 10);
  const value = args.any(0);
  if (base === 10) return [numberIn(value)];
  if (base < 2 || base > 36) args.reject(1, 'base out of range');
  const text = args.text(0).trim().toLowerCase();
  const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, base);
  return [new RegExp(`^-?[${digits}]+$`).test(text) ? Number.parseInt(text, base) : undefined];
}

function select(args: Arguments): readonly Value[] {
  if (args.at(0) === '#') return [args.count - 1];
  const index = args.whole(0);
  if (index < 0) return args.values.slice(Math.max(1, args.count + index));
  if (index === 0) args.reject(0, 'index out of range');
  return args.values.slice(index);
}

/** An error says the line of its `error`, unless its value is not a text or its level is 0. */
function raise(args: Arguments): never {
  const value = args.at(0);
  const isPlaced = typeof value === 'string' && args.whole(1, 1) > 0;
  if (isPlaced) throw args.error(value);
  throw new LuaError(typeof value === 'string' ? value : textOf(value), undefined, value);
}

/** The list of a table from one index to another. */
export function unpack(args: Arguments): readonly Value[] {
  const table = args.table(0);
  const [first, last] = [args.whole(1, 1), args.whole(2, table.length)];
  if (last - first >= 10_000) throw args.error('too many results to unpack');
  const values: Value[] = [];
  for (let index = first; index <= last; index++) values.push(table.get(index));
  return values;
}

/** The functions that need no name of a library before them. */
export const baseFunctions: Readonly<Record<string, Native>> = {
  assert: (args) => {
    if (isTrue(args.any(0))) return args.values;
    throw args.error(args.text(1, 'assertion failed!'));
  },
  error: raise,
  next: step,
  pairs: (args) => [pairsStep(args), args.table(0), undefined],
  ipairs: (args) => {
    const table = args.table(0);
    return [(values) => indexed(table, values[1] as number), table, 0];
  },
  pcall: (args) =>
    protect(
      args.run,
      () => call(args.run, args.any(0), args.values.slice(1)),
      (error) => [error],
    ),
  xpcall: (args) =>
    protect(
      args.run,
      () => call(args.run, args.any(0), []),
      (error) => call(args.run, args.any(1), [error]),
    ),
  print: () => [],
  select,
  tonumber: toNumber,
  tostring: (args) => [textOf(args.any(0))],
  type: (args) => [typeOf(args.any(0))],
  unpack,
  ...Object.fromEntries(
    refused.map((name): [string, Native] => [
      name,
      (args) => {
        throw args.error(`the function ${name} is not available to interpreters`);
      },
    ]),
  ),
};

/** The step of `pairs`: the table is not to be checked again at each step. */
function pairsStep(args: Arguments): LuaFunction {
  const table = args.table(0);
  return (values) => table.next(values[1]) ?? [undefined];
}

function indexed(table: { get(key: Value): Value }, last: number): readonly Value[] {
  const value = table.get(last + 1);
  return value === undefined ? [undefined] : [last + 1, value];
}

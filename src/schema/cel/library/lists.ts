import type { Environment } from '@marcbachmann/cel-js';
import { fail } from '../failure.ts';
import { celEqual, compareValues } from '../values.ts';
import { registerNamespace } from './namespace.ts';

const sync = { async: false } as const;

/** Lists: isSorted, sum, min, max, indexOf, lastIndexOf; and sets.contains, sets.equivalent, sets.intersects. */
export function registerLists(env: Environment): void {
  env.registerFunction('list<A>.isSorted(): bool', isSorted, sync);
  env.registerFunction('list<int>.sum(): int', (list: bigint[]) => list.reduce((a, b) => a + b, 0n), sync);
  env.registerFunction('list<double>.sum(): double', (list: number[]) => list.reduce((a, b) => a + b, 0), sync);
  env.registerFunction('list<A>.min(): A', (list: unknown[]) => extreme(list, 'min'), sync);
  env.registerFunction('list<A>.max(): A', (list: unknown[]) => extreme(list, 'max'), sync);
  env.registerFunction(
    'list<A>.indexOf(A): int',
    (list: unknown[], item: unknown) => BigInt(list.findIndex((one) => celEqual(one, item))),
    sync,
  );
  env.registerFunction(
    'list<A>.lastIndexOf(A): int',
    (list: unknown[], item: unknown) => BigInt(list.findLastIndex((one) => celEqual(one, item))),
    sync,
  );
  registerSets(env);
}

function isSorted(list: unknown[]): boolean {
  return list.every((item, i) => i === 0 || compareValues(list[i - 1], item) <= 0);
}

function extreme(list: unknown[], which: 'min' | 'max'): unknown {
  if (list.length === 0) throw fail(`${which} called on empty list`);
  const sign = which === 'min' ? 1 : -1;
  return list.reduce((best, item) => (compareValues(item, best) * sign < 0 ? item : best));
}

const includes = (list: unknown[], item: unknown): boolean => list.some((one) => celEqual(one, item));

const contains = (_: unknown, list: unknown[], sub: unknown[]): boolean => sub.every((item) => includes(list, item));
const intersects = (_: unknown, a: unknown[], b: unknown[]): boolean => a.some((item) => includes(b, item));
const equivalent = (_: unknown, a: unknown[], b: unknown[]): boolean => contains(_, a, b) && contains(_, b, a);

function registerSets(env: Environment): void {
  const sets = registerNamespace(env, 'sets');
  env.registerFunction(`${sets}.contains(list<A>, list<A>): bool`, contains, sync);
  env.registerFunction(`${sets}.intersects(list<A>, list<A>): bool`, intersects, sync);
  env.registerFunction(`${sets}.equivalent(list<A>, list<A>): bool`, equivalent, sync);
}

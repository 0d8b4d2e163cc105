import type { Environment } from '@marcbachmann/cel-js';
import { fail } from '../failure.ts';
import { compareValues } from '../values.ts';
import { registerNamespace } from './namespace.ts';

const sync = { async: false } as const;

/** math.greatest, least, abs, ceil, floor, round, trunc, sign, isNaN, isInf. */
export function registerNumbers(env: Environment): void {
  const math = registerNamespace(env, 'math');
  const fn = (signature: string, handler: (_: unknown, ...values: never[]) => unknown): void => {
    env.registerFunction(`${math}.${signature}`, handler, sync);
  };
  registerExtremes(env, math);
  fn('abs(int): int', (_, a: bigint) => (a < 0n ? -a : a));
  fn('abs(double): double', (_, a: number) => Math.abs(a));
  fn('ceil(double): double', (_, a: number) => Math.ceil(a));
  fn('floor(double): double', (_, a: number) => Math.floor(a));
  fn('trunc(double): double', (_, a: number) => Math.trunc(a));
  fn('round(double): double', (_, a: number) => Math.sign(a) * Math.round(Math.abs(a)));
  fn('sign(int): int', (_, a: bigint) => (a > 0n ? 1n : a < 0n ? -1n : 0n));
  fn('sign(double): double', (_, a: number) => Math.sign(a));
  fn('isNaN(double): bool', (_, a: number) => Number.isNaN(a));
  fn('isInf(double): bool', (_, a: number) => Math.abs(a) === Infinity);
}

const pick = (name: string, sign: 1 | -1) => (values: readonly unknown[]) => {
  if (values.length === 0) throw fail(`math.${name}(list) argument must not be empty`);
  return values.reduce((best, one) => (compareValues(one, best) * sign > 0 ? one : best));
};

function registerExtremes(env: Environment, math: string): void {
  for (const [name, sign] of [['greatest', 1] as const, ['least', -1] as const]) {
    const chosen = pick(name, sign);
    const several = (_: unknown, ...values: unknown[]): unknown => chosen(values);
    env.registerFunction(`${math}.${name}(list<A>): A`, (_: unknown, list: unknown[]) => chosen(list), sync);
    for (const type of ['int', 'double']) {
      env.registerFunction(`${math}.${name}(${type}): ${type}`, several, sync);
      env.registerFunction(`${math}.${name}(${type}, ${type}): ${type}`, several, sync);
      env.registerFunction(`${math}.${name}(${type}, ${type}, ${type}): ${type}`, several, sync);
    }
  }
}

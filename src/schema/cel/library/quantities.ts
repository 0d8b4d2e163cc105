import type { Environment } from '@marcbachmann/cel-js';
import {
  addQuantities,
  approximate,
  compareQuantities,
  integerOf,
  isQuantity,
  quantityOf,
} from '../../../api/index.ts';
import type { Quantity } from '../../../api/index.ts';
import { fail } from '../failure.ts';

const sync = { async: false } as const;
const type = 'kubernetes.Quantity';

/** An amount as a value of CEL. */
class CelQuantity {
  readonly amount: Quantity;
  constructor(amount: Quantity) {
    this.amount = amount;
  }
}

function parse(text: string): CelQuantity {
  const amount = quantityOf(text);
  if (amount) return new CelQuantity(amount);
  throw fail("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

const whole = (value: bigint): Quantity => ({ digits: value, exponent: 0 });

/** Quantities: quantity, isQuantity, their order, sums and conversions. */
export function registerQuantities(env: Environment): void {
  const method = (signature: string, handler: (q: CelQuantity, other: CelQuantity) => unknown): void => {
    env.registerFunction(`${type}.${signature}`, handler, sync);
  };
  env.registerType(type, CelQuantity);
  env.registerFunction(`quantity(string): ${type}`, parse, sync);
  env.registerFunction('isQuantity(string): bool', isQuantity, sync);
  env.registerOperator(`${type} == ${type}`, (a: CelQuantity, b: CelQuantity) => compare(a, b) === 0);
  method('sign(): int', (q) => BigInt(compareQuantities(q.amount, whole(0n))));
  method('isInteger(): bool', (q) => integerOf(q.amount) !== undefined);
  method('asInteger(): int', asInteger);
  method('asApproximateFloat(): double', (q) => approximate(q.amount));
  method(`isGreaterThan(${type}): bool`, (q, other) => compare(q, other) > 0);
  method(`isLessThan(${type}): bool`, (q, other) => compare(q, other) < 0);
  method(`compareTo(${type}): int`, (q, other) => BigInt(compare(q, other)));
  method(`add(${type}): ${type}`, (q, other) => new CelQuantity(addQuantities(q.amount, other.amount)));
  method(`sub(${type}): ${type}`, (q, other) => new CelQuantity(addQuantities(q.amount, other.amount, -1)));
  const withInteger = (sign: 1 | -1) => (q: CelQuantity, n: bigint) =>
    new CelQuantity(addQuantities(q.amount, whole(n), sign));
  env.registerFunction(`${type}.add(int): ${type}`, withInteger(1), sync);
  env.registerFunction(`${type}.sub(int): ${type}`, withInteger(-1), sync);
}

function compare(a: CelQuantity, b: CelQuantity): number {
  return compareQuantities(a.amount, b.amount);
}

function asInteger(q: CelQuantity): bigint {
  const value = integerOf(q.amount);
  if (value === undefined) throw fail('cannot convert value to integer');
  return value;
}

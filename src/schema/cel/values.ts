import type { Members } from '../../base/index.ts';
import { fail } from './failure.ts';

/** CEL's equality over values of our making: numbers by amount, lists and objects by their members. */
export function celEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return Array.isArray(a) ? Array.isArray(b) && equalLists(a, b) : equalObjects(a, b);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => celEqual(item, b[i]));
}

function equalObjects(a: object, b: object): boolean {
  if (a.constructor !== b.constructor) return false;
  if (hasValue(a) && hasValue(b)) return a.valueOf() === b.valueOf();
  return equalMembers(a as Members, b as Members);
}

function equalMembers(a: Members, b: Members): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && celEqual(a[key], b[key]));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Timestamps and durations are numbers underneath. */
function hasValue(value: object): boolean {
  return typeof value.valueOf() !== 'object';
}

/** The order of two values of one type. */
export function compareValues(a: unknown, b: unknown): number {
  const comparable = (typeof a === typeof b || (isNumber(a) && isNumber(b))) && a !== null && b !== null;
  if (!comparable) throw fail('no such overload: values of different types have no order');
  const [left, right] = [a as number, b as number];
  return left < right ? -1 : left > right ? 1 : 0;
}

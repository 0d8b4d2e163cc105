import { fromBytes } from './bytes.ts';
import { Table } from './table.ts';
import { LuaError, textOf } from './value.ts';
import type { Value } from './value.ts';

const deepest = 200;

/**
 * The JSON of a value. Lua knows one empty table: it becomes a list or a map as where it came from, or as what stands
 * at its place in one of the references; one that a script made is left out.
 */
export function toJson(value: Value, references: readonly unknown[] = []): unknown {
  return convert(value, references, 0);
}

function convert(value: Value, references: readonly unknown[], depth: number): unknown {
  if (typeof value === 'string') return fromBytes(value);
  if (typeof value === 'number') return finite(value);
  if (typeof value === 'function') throw new LuaError('a function cannot be part of the result');
  if (!(value instanceof Table)) return value;
  if (!value.isOpened) return value.origin;
  if (depth > deepest) throw new LuaError('the result is nested too deeply, or contains itself');
  return value.length > 0 ? list(value, references, depth) : map(value, references, depth);
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new LuaError(`the result contains a number that JSON does not know: ${value}`);
  return value;
}

function list(table: Table, references: readonly unknown[], depth: number): unknown {
  const items: unknown[] = [];
  let isSame = !table.isWritten;
  for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
    const [key, value] = entry;
    if (typeof key !== 'number') throw new LuaError(`the result mixes a list with the key ${textOf(key)}`);
    const item = convert(value, parts(references, items.length), depth + 1);
    isSame &&= Array.isArray(table.origin) && item === table.origin[items.length];
    if (item !== undefined) items.push(item);
  }
  return isSame ? table.origin : items;
}

function map(table: Table, references: readonly unknown[], depth: number): unknown {
  const object: Record<string, unknown> = {};
  let isSame = !table.isWritten;
  for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
    const key = keyText(entry[0]);
    const part = convert(entry[1], parts(references, key), depth + 1);
    isSame &&= (table.origin as Readonly<Record<string, unknown>> | undefined)?.[key] === part;
    if (part !== undefined) Object.defineProperty(object, key, { value: part, ...plain });
  }
  if (isSame && table.origin !== undefined) return table.origin;
  if (Object.keys(object).length > 0) return object;
  return empty(table, references);
}

const plain = { enumerable: true, configurable: true, writable: true };

function keyText(key: Value): string {
  if (typeof key === 'string') return fromBytes(key);
  if (typeof key === 'number') return String(key);
  throw new LuaError('a key of the result is not a text');
}

function empty(table: Table, references: readonly unknown[]): unknown {
  if (table.origin !== undefined) return Array.isArray(table.origin) ? [] : {};
  const known = references.find((one) => typeof one === 'object' && one !== null);
  return known === undefined ? undefined : Array.isArray(known) ? [] : {};
}

function parts(references: readonly unknown[], key: string | number): readonly unknown[] {
  if (references.length === 0) return references;
  return references.map((one) =>
    typeof one === 'object' && one !== null ? (one as Readonly<Record<string | number, unknown>>)[key] : undefined,
  );
}

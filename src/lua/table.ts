import { toBytes } from './bytes.ts';
import type { Budget, Value } from './value.ts';

/** The JSON that a table was made of, so that an unchanged one becomes the same object again, and an empty one stays a list or a map. */
export type Origin = Readonly<Record<string, unknown>> | readonly unknown[];

/** The list of tables that have none; it stays empty. */
const none: Value[] = [];

/**
 * A table: a list of values from 1 on, and all other keys in the order in which they came. A table of a JSON object is
 * filled when it is first looked at, since most scripts look at a small part of the object.
 */
export class Table {
  readonly budget: Budget;
  readonly origin: Origin | undefined;
  #list: Value[] = none;
  #keys: Value[] = none;
  #values: Value[] = none;
  #slots: Map<Value, number> | undefined;
  #isFilled: boolean;
  /** True after a write. Its parts may have been all the same. */
  isWritten = false;

  constructor(budget: Budget, origin?: Origin) {
    this.budget = budget;
    this.origin = origin;
    this.#isFilled = origin === undefined;
    budget.take(200);
  }

  /** True after a script has read inside. */
  get isOpened(): boolean {
    return this.#isFilled;
  }

  get(key: Value): Value {
    if (!this.#isFilled) this.#fill();
    if (typeof key === 'number') {
      const value = this.#list[key - 1];
      if (value !== undefined) return value;
    }
    const slot = this.#slots?.get(key);
    return slot === undefined ? undefined : this.#values[slot];
  }

  set(key: Value, value: Value): void {
    if (!this.#isFilled) this.#fill();
    this.isWritten = true;
    this.#put(key, value);
  }

  #put(key: Value, value: Value): void {
    const list = this.#list;
    if (typeof key === 'number' && Number.isInteger(key) && key >= 1 && key <= list.length + 1) {
      if (key <= list.length) this.#replace(key, value);
      else if (value !== undefined) this.#append(value);
      else this.#putKey(key, value);
      return;
    }
    this.#putKey(key, value);
  }

  #replace(key: number, value: Value): void {
    const list = this.#list;
    list[key - 1] = value;
    while (list.length > 0 && list[list.length - 1] === undefined) list.pop();
  }

  #append(value: Value): void {
    let list = this.#list;
    this.budget.take(16);
    if (this.#slots?.has(list.length + 1)) this.#putKey(list.length + 1, undefined);
    if (list === none) this.#list = list = [];
    list.push(value);
    // Keys that follow without a gap move into the list.
    for (let next = this.#taken(list.length + 1); next !== undefined; next = this.#taken(list.length + 1))
      list.push(next);
  }

  #taken(key: number): Value {
    const slot = this.#slots?.get(key);
    if (slot === undefined) return undefined;
    const value = this.#values[slot];
    this.#values[slot] = undefined;
    return value;
  }

  #putKey(key: Value, value: Value): void {
    if (!this.#slots) [this.#slots, this.#keys, this.#values] = [new Map(), [], []];
    const slot = this.#slots.get(key);
    if (slot !== undefined) {
      this.#values[slot] = value;
      return;
    }
    if (value === undefined) return;
    this.budget.take(48);
    this.#slots.set(key, this.#keys.length);
    this.#keys.push(key);
    this.#values.push(value);
  }

  /** Makes these the list; nils among them leave gaps, as in a constructor. */
  setList(values: readonly Value[]): void {
    this.isWritten = true;
    this.budget.take(16 * values.length);
    this.#list = [...values];
    while (this.#list.length > 0 && this.#list[this.#list.length - 1] === undefined) this.#list.pop();
    for (let index = 1; index <= this.#list.length; index++) this.#taken(index);
  }

  /** The number of values of the list. */
  get length(): number {
    if (!this.#isFilled) this.#fill();
    return this.#list.length;
  }

  /** The entry after a key, undefined at the end; without a key, the first. Throws for a key that was never there. */
  next(key: Value): readonly [Value, Value] | undefined {
    if (!this.#isFilled) this.#fill();
    const inList = this.#indexIn(key);
    if (inList !== undefined) {
      for (let index = inList; index < this.#list.length; index++) {
        if (this.#list[index] !== undefined) return [index + 1, this.#list[index]];
      }
      return this.#nextKey(0);
    }
    const slot = this.#slots?.get(key);
    if (slot === undefined) throw new RangeError('unknown key');
    return this.#nextKey(slot + 1);
  }

  /** Where the list goes on after this key; undefined for keys that are not in it. */
  #indexIn(key: Value): number | undefined {
    if (key === undefined) return 0;
    if (typeof key !== 'number' || this.#slots?.has(key)) return undefined;
    return Number.isInteger(key) && key >= 1 ? key : undefined;
  }

  #nextKey(from: number): readonly [Value, Value] | undefined {
    for (let slot = from; slot < this.#keys.length; slot++) {
      if (this.#values[slot] !== undefined) return [this.#keys[slot], this.#values[slot]];
    }
    return undefined;
  }

  #fill(): void {
    this.#isFilled = true;
    const { origin, budget } = this;
    if (Array.isArray(origin)) {
      for (let index = 0; index < origin.length; index++) this.#put(index + 1, toValue(origin[index], budget));
      return;
    }
    const object = origin as Readonly<Record<string, unknown>>;
    // Objects that are equal give tables that are equal, whatever the order of their keys.
    for (const key of Object.keys(object).sort()) this.#putKey(toBytes(key), toValue(object[key], budget));
  }
}

/** The value of a script for one of JSON. */
export function toValue(json: unknown, budget: Budget): Value {
  if (typeof json === 'string') return toBytes(json);
  if (typeof json === 'number' || typeof json === 'boolean') return json;
  return json === null || typeof json !== 'object' ? undefined : new Table(budget, json as Origin);
}

import { equal, isObject } from '../base/index.ts';
import { memberSchema } from './defaults.ts';
import { invalidValue, notSupported, required, tooLong, tooMany } from './field.ts';
import type { FieldError } from './field.ts';
import type { Schema } from './schema.ts';

/**
 * Checks a value against its schema, and returns the errors in the words of the API server. Types, enums, required
 * members and limits only: formats, CEL rules and unknown fields are for the server that stores the object.
 */
export function shapeErrors(value: unknown, schema: Schema, path = ''): readonly FieldError[] {
  const mismatch = typeError(value, schema, path);
  if (mismatch) return [mismatch];
  if (value === null) return [];
  const errors = enumErrors(value, schema, path);
  if (typeof value === 'string') return [...errors, ...textErrors(value, schema, path)];
  if (typeof value === 'number') return [...errors, ...numberErrors(value, schema, path)];
  if (Array.isArray(value)) return [...errors, ...listErrors(value, schema, path)];
  return isObject(value) ? [...errors, ...objectErrors(value, schema, path)] : errors;
}

/** The path of a member; the root is ''. */
export function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function typeError(value: unknown, schema: Schema, path: string): FieldError | undefined {
  const actual = typeOf(value);
  if (actual === 'null' && schema.nullable === true) return undefined;
  const expected = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : schema.type;
  if (expected === undefined || expected.split(',').includes(actual)) return undefined;
  if (expected === 'number' && actual === 'integer') return undefined;
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  return { type: 'typeInvalid', field: path, value: actual, detail };
}

function enumErrors(value: unknown, { enum: allowed }: Schema, path: string): readonly FieldError[] {
  if (!allowed || allowed.some((one) => equal(one, value))) return [];
  return [notSupported(path, value, allowed.map(String))];
}

function textErrors(value: string, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const length = Array.from(value).length;
  if (schema.maxLength !== undefined && length > schema.maxLength) errors.push(tooLong(path, schema.maxLength));
  if (schema.minLength !== undefined && length < schema.minLength) {
    errors.push(invalidValue(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
  }
  if (schema.pattern !== undefined && errors.length === 0 && !patternOf(schema.pattern).test(value)) {
    errors.push(invalidValue(path, value, `${path} in body should match '${schema.pattern}'`));
  }
  return errors;
}

const patterns = new Map<string, RegExp>();

/** The patterns come from our own schemas, which are few. */
function patternOf(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source);
  patterns.set(source, known);
  return known;
}

function numberErrors(value: number, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const says = (rule: string): void => void errors.push(invalidValue(path, value, `${path} in body should be ${rule}`));
  if (schema.minimum !== undefined && value < schema.minimum) says(`greater than or equal to ${schema.minimum}`);
  if (schema.maximum !== undefined && value > schema.maximum) says(`less than or equal to ${schema.maximum}`);
  return errors;
}

function listErrors(value: readonly unknown[], schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { minItems, maxItems, items } = schema;
  if (minItems !== undefined && value.length < minItems) {
    errors.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(path, value.length, maxItems));
  if (items)
    for (const [i, item] of value.entries())
      for (const error of shapeErrors(item, items, `${path}[${i}]`)) errors.push(error);
  return errors;
}

function objectErrors(value: Readonly<Record<string, unknown>>, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const has = (name: string): boolean => Object.hasOwn(value, name) && value[name] !== undefined;
  for (const name of schema.required ?? []) if (!has(name)) errors.push(required(memberPath(path, name)));
  const names = Object.keys(value).filter(has);
  if (schema.minProperties !== undefined && names.length < schema.minProperties) {
    errors.push(invalidValue(path, value, `${path} in body should have at least ${schema.minProperties} properties`));
  }
  for (const name of names) {
    const member = memberSchema(schema, name);
    if (member) for (const error of shapeErrors(value[name], member, memberPath(path, name))) errors.push(error);
  }
  return errors;
}

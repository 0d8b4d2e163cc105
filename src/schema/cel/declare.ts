import type { Environment } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import type { Schema } from '../../api/index.ts';
import { isObject, lookup } from '../../base/index.ts';
import { celEqual } from './values.ts';

/** How the values of a schema look to CEL: the name of their type, and how JSON becomes one. */
export interface Declared {
  readonly type: string;
  readonly convert: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const integer = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;

/** JSON without a schema: whole numbers are integers. */
export function anything(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(anything);
  if (!isObject(value)) return integer(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, anything(one)]));
}

const dynamic: Declared = { type: 'dyn', convert: anything };
const text: Declared = { type: 'string', convert: same };
const scalars: Readonly<Record<string, Declared>> = lookup({
  boolean: { type: 'bool', convert: same },
  integer: { type: 'int', convert: integer },
  number: { type: 'double', convert: same },
});

const timestamp: Declared = {
  type: 'google.protobuf.Timestamp',
  convert: (value) => (typeof value === 'string' ? new Date(value) : value),
};
const formatted: Readonly<Record<string, Declared>> = lookup({
  date: timestamp,
  'date-time': timestamp,
  duration: { type: 'google.protobuf.Duration', convert: (value) => durationOf(String(value)) },
  byte: { type: 'bytes', convert: (value) => Buffer.from(String(value), 'base64') },
});

const nanoseconds: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 };

function durationOf(value: string): Duration {
  const sum = Array.from(value.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)).reduce(
    (total, [, amount, unit]) => total + Number(amount) * (nanoseconds[unit ?? ''] ?? 0),
    0,
  );
  const signed = value.startsWith('-') ? -sum : sum;
  return new Duration(BigInt(Math.trunc(signed / 1e9)), signed % 1e9);
}

/** Where a schema stands: the environment that learns its types, and the name for its own. */
export interface Declaration {
  readonly env: Environment;
  readonly name: string;
  /** The root of an object has apiVersion, kind and metadata, whatever its schema says. */
  readonly root?: boolean;
}

/** Declares the type of a schema and of all that is inside it. */
export function declare(schema: Schema, place: Declaration): Declared {
  if (schema['x-kubernetes-int-or-string']) return dynamic;
  const declared = declaredType(schema, place);
  return schema.nullable ? { type: 'dyn', convert: (v) => (v === null ? null : declared.convert(v)) } : declared;
}

function declaredType(schema: Schema, place: Declaration): Declared {
  switch (schema.type) {
    case 'object':
      return declareObject(schema, place);
    case 'array':
      return declareList(schema, place);
    case 'string':
      return formatted[schema.format ?? ''] ?? text;
    case undefined:
      return dynamic;
    default:
      return scalars[schema.type] ?? dynamic;
  }
}

function declareList({ items = {} }: Schema, { env, name }: Declaration): Declared {
  const item = declare(items, { env, name: `${name}.items` });
  const convert = (value: unknown): unknown => (Array.isArray(value) ? value.map(item.convert) : value);
  return { type: `list<${item.type}>`, convert };
}

function declareObject(schema: Schema, place: Declaration): Declared {
  const { properties, additionalProperties } = schema;
  const whole = place.root || schema['x-kubernetes-embedded-resource'];
  if (properties || whole) return declareStruct(withMeta(schema, whole ?? false), place);
  if (typeof additionalProperties !== 'object') return dynamic;
  const one = declare(additionalProperties, { env: place.env, name: `${place.name}.values` });
  return { type: `map<string, ${one.type}>`, convert: (value) => mapped(value, one.convert) };
}

function mapped(value: unknown, convert: (value: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, convert(one)]));
}

/** The metadata that a rule sees: name and generateName, as in Kubernetes. */
const meta: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};

function withMeta(schema: Schema, whole: boolean): Schema {
  if (!whole) return schema;
  const own = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: meta } as const;
  return { ...schema, properties: { ...schema.properties, ...own } };
}

interface DeclaredField {
  readonly name: string;
  readonly declared: Declared;
}

/** A value with fields; its instances are told apart by their class. */
abstract class Struct {
  [field: string]: unknown;
}

function declareStruct(schema: Schema, { env, name }: Declaration): Declared {
  const fields = new Map<string, DeclaredField>();
  for (const [key, sub] of Object.entries(schema.properties ?? {})) {
    const escaped = escapedName(key);
    if (escaped) fields.set(key, { name: escaped, declared: declare(sub, { env, name: `${name}.${escaped}` }) });
  }
  const Own = class extends Struct {};
  const types = Array.from(fields.values(), (field) => [field.name, field.declared.type]);
  env.registerType(name, { ctor: Own, fields: Object.fromEntries(types) as Record<string, string> });
  env.registerOperator(`${name} == ${name}`, celEqual);
  return { type: name, convert: (value) => (isObject(value) ? filled(new Own(), value, fields) : value) };
}

function filled(struct: Struct, value: Record<string, unknown>, fields: ReadonlyMap<string, DeclaredField>): Struct {
  for (const key in value) {
    const field = fields.get(key);
    if (field && value[key] !== undefined) struct[field.name] = field.declared.convert(value[key]);
  }
  return struct;
}

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const parts: readonly (readonly [RegExp, string])[] = [
  [/__/g, '__underscores__'],
  [/\./g, '__dot__'],
  [/-/g, '__dash__'],
  [/\//g, '__slash__'],
];

/** The name by which a rule reaches a field; undefined where no name can. */
function escapedName(field: string): string | undefined {
  if (reserved.has(field)) return `__${field}__`;
  const name = parts.reduce((text, [from, to]) => text.replaceAll(from, to), field);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : undefined;
}

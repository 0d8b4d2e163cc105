import { clone, isObject } from '../base/index.ts';
import type { Json } from '../base/index.ts';
import type { Definitions, Schema } from './schema.ts';

/** The schema behind a `$ref`, or the schema itself. */
export function resolved(schema: Schema, definitions: Definitions): Schema {
  return schema.$ref === undefined ? schema : (definitions[schema.$ref] ?? {});
}

/** The schema of a member by its own name; names as `constructor` are no accident here. */
export function memberSchema(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/**
 * Fills in the defaults of a schema as Kubernetes does for custom resources: an absent member gets its
 * default, and so does a null that may not be null; such a null without a default is dropped. Defaults
 * apply inside what is there, never to make a parent. Returns the very value when nothing changes.
 */
export function applyDefaults<T>(value: T, schema: Schema, definitions: Definitions = {}): T {
  const known = resolved(schema, definitions);
  if (Array.isArray(value)) return listWithDefaults(value, known.items, definitions) as T;
  return isObject(value) ? (objectWithDefaults(value, known, definitions) as T) : value;
}

function listWithDefaults(
  list: readonly unknown[],
  items: Schema | undefined,
  definitions: Definitions,
): readonly unknown[] {
  if (!items) return list;
  const filled = list.map((item) =>
    applyDefaults(item ?? replacementOf(items, definitions) ?? item, items, definitions),
  );
  return filled.every((item, index) => item === list[index]) ? list : filled;
}

function objectWithDefaults(
  object: Readonly<Record<string, unknown>>,
  schema: Schema,
  definitions: Definitions,
): Readonly<Record<string, unknown>> {
  const changes = absentMembers(object, schema, definitions);
  for (const name of Object.keys(object)) {
    const member = memberSchema(schema, name);
    if (!member || changes.has(name)) continue;
    const before = object[name];
    const after = before === null ? nullReplaced(member, definitions) : applyDefaults(before, member, definitions);
    if (after !== before) changes.set(name, after);
  }
  return changes.size === 0 ? object : changed(object, changes);
}

function absentMembers(
  object: Readonly<Record<string, unknown>>,
  schema: Schema,
  definitions: Definitions,
): Map<string, unknown> {
  const absent = new Map<string, unknown>();
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(object, name) && object[name] !== undefined) continue;
    const fallback = resolved(member, definitions).default;
    if (fallback !== undefined) absent.set(name, applyDefaults(clone(fallback), member, definitions));
  }
  return absent;
}

/** What a null becomes: itself where it may be, else the default, else nothing. */
function nullReplaced(schema: Schema, definitions: Definitions): unknown {
  if (resolved(schema, definitions).nullable === true) return null;
  const fallback = replacementOf(schema, definitions);
  return fallback === undefined ? undefined : applyDefaults(fallback, schema, definitions);
}

function replacementOf(schema: Schema, definitions: Definitions): Json | undefined {
  const known = resolved(schema, definitions);
  return known.nullable === true ? undefined : clone(known.default);
}

function changed(
  object: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = { ...object };
  for (const [name, value] of changes) {
    if (value === undefined) delete copy[name];
    else Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

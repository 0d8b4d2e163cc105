import type { Members } from '../base/index.ts';
import { clone, isObject } from '../base/index.ts';
import type { Definitions, Schema } from './schema.ts';

/** The schema behind a `$ref`, or the schema itself. */
export function resolved(schema: Schema, definitions: Definitions): Schema {
  return schema.$ref === undefined ? schema : (definitions[schema.$ref] ?? {});
}

/** The schema of a member by its own name; a name such as `constructor` finds nothing of the prototype. */
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
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const before = list[index];
    const after =
      before === null ? (nullReplaced(items, definitions) ?? null) : applyDefaults(before, items, definitions);
    if (after !== before) (copy ??= [...list])[index] = after;
  }
  return copy ?? list;
}

// This runs on every write: an object that needs no default costs no allocation.
function objectWithDefaults(object: Readonly<Members>, schema: Schema, definitions: Definitions): Readonly<Members> {
  let result = object;
  for (const name in object) {
    const member = memberSchema(schema, name);
    if (!member) continue;
    const before = object[name];
    const after = before === null ? nullReplaced(member, definitions) : applyDefaults(before, member, definitions);
    if (after !== before) result = replaced(result, name, after);
  }
  return withAbsent(result, schema.properties ?? {}, definitions);
}

function withAbsent(object: Readonly<Members>, properties: Definitions, definitions: Definitions): Readonly<Members> {
  let result = object;
  for (const name in properties) {
    if (Object.hasOwn(object, name) && object[name] !== undefined) continue;
    const fallback = defaultOf(properties[name] ?? {}, definitions);
    if (fallback !== undefined) result = replaced(result, name, fallback);
  }
  return result;
}

/** A default with the defaults inside it; a copy, for schemas are shared. */
function defaultOf(schema: Schema, definitions: Definitions): unknown {
  const fallback = resolved(schema, definitions).default;
  return fallback === undefined ? undefined : applyDefaults(clone(fallback), schema, definitions);
}

/** Replaces a null: it stays where it is allowed, else becomes the default, else is removed. */
function nullReplaced(schema: Schema, definitions: Definitions): unknown {
  return resolved(schema, definitions).nullable === true ? null : defaultOf(schema, definitions);
}

function replaced(object: Readonly<Members>, name: string, value: unknown): Readonly<Members> {
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _, ...rest } = object;
  return rest;
}

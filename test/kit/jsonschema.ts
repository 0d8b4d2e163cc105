import { isObject } from '../../src/base/index.ts';
import type { Schema } from '../../tools/schemas.ts';

/** Where a value is not what a schema says, in words; empty when it is. Knows what our schemas use, and no more. */
export function faultsOf(value: unknown, schema: Schema): readonly string[] {
  return new Judge(schema).faults(value, schema, '$');
}

class Judge {
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  faults(value: unknown, schema: Schema, path: string): readonly string[] {
    if (schema.$ref !== undefined) return this.faults(value, this.#shared(schema.$ref), path);
    if (schema.anyOf) return this.#faultsOfAny(value, schema.anyOf, path);
    const wrong = faultOf(value, schema);
    if (wrong !== undefined) return [`${path} ${wrong}`];
    if (Array.isArray(value)) return value.flatMap((item, i) => this.faults(item, schema.items ?? {}, `${path}[${i}]`));
    return isObject(value) ? this.#faultsOfObject(value, schema, path) : [];
  }

  #shared(ref: string): Schema {
    const found = this.#root.$defs?.[ref.replace('#/$defs/', '')];
    if (!found) throw new Error(`${ref} leads nowhere`);
    return found;
  }

  #faultsOfAny(value: unknown, schemas: readonly Schema[], path: string): readonly string[] {
    const all = schemas.map((schema) => this.faults(value, schema, path));
    return all.some((faults) => faults.length === 0) ? [] : all.flat();
  }

  #faultsOfObject(value: Readonly<Record<string, unknown>>, schema: Schema, path: string): readonly string[] {
    const { properties = {}, required = [], additionalProperties = true } = schema;
    const missing = required.filter((name) => value[name] === undefined).map((name) => `${path}.${name} is missing`);
    const wrong = Object.entries(value).flatMap(([name, inner]) => {
      const own = properties[name] ?? additionalProperties;
      if (own === false) return [`${path}.${name} is not in the schema`];
      return own === true ? [] : this.faults(inner, own, `${path}.${name}`);
    });
    return [...missing, ...wrong];
  }
}

/** The fault of a value itself, whatever its parts are. */
function faultOf(value: unknown, schema: Schema): string | undefined {
  if (schema.const !== undefined && value !== schema.const) return `is not ${schema.const}`;
  if (schema.enum && !schema.enum.includes(value as string)) return `is none of ${schema.enum.join(', ')}`;
  return schema.type !== undefined && !isOfType(value, schema.type) ? `is no ${String(schema.type)}` : undefined;
}

function isOfType(value: unknown, type: string | readonly string[]): boolean {
  const is = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const names = typeof type === 'string' ? [type] : type;
  return names.includes(is) || (names.includes('integer') && Number.isInteger(value));
}

import { lookup, ownMember } from '../base/index.ts';
import type { Definitions, Schema } from '../api/index.ts';

/** A field as Go's decoder names it when a value does not fit. */
export interface GoField {
  /** The innermost struct and the path from the object: `DeploymentSpec.spec.replicas`. */
  readonly name: string;
  /** The type that Go would have read: `int32`. */
  readonly type: string;
}

const scalars: Readonly<Record<string, string>> = lookup({ boolean: 'bool', number: 'float64', string: 'string' });

/** The field of a built-in kind that a path of the validation leads to; indices and keys of maps are not part of it. */
export function goFieldOf(field: string, definition: string, definitions: Definitions): GoField {
  const steps = field.split('.');
  const passed: string[] = [];
  let schema: Schema = { $ref: definition };
  let struct = structOf(schema);
  for (const step of steps) {
    const whole = resolved(schema, definitions);
    const [property = '', ...indices] = step.split('[');
    const next = ownMember(whole.properties, property);
    // The rest is a key of a map, and may itself contain dots.
    if (!next) return { name: nameOf(struct, passed), type: goTypeOf(valueOf(whole) ?? whole, definitions) };
    struct = structOf(schema) || struct;
    passed.push(property);
    schema = indices.reduce((list: Schema) => resolved(list, definitions).items ?? list, next);
  }
  return { name: nameOf(struct, passed), type: goTypeOf(schema, definitions) };
}

const nameOf = (struct: string, path: readonly string[]): string => [struct, ...path].join('.');

const structOf = ({ $ref = '' }: Schema): string => $ref.slice($ref.lastIndexOf('.') + 1);

function resolved(schema: Schema, definitions: Definitions): Schema {
  return schema.$ref === undefined ? schema : (definitions[schema.$ref] ?? schema);
}

function valueOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function goTypeOf(schema: Schema, definitions: Definitions): string {
  const { type = 'object', items, format, properties, ...rest } = resolved(schema, definitions);
  if (schema.$ref !== undefined && properties) return schema.$ref.split('.').slice(-2).join('.');
  if (rest['x-kubernetes-int-or-string'] || type === 'integer') return format === 'int64' ? format : 'int32';
  if (items) return `[]${goTypeOf(items, definitions)}`;
  const value = valueOf(rest);
  if (value) return `map[string]${goTypeOf(value, definitions)}`;
  return scalars[type] ?? 'map[string]interface {}';
}

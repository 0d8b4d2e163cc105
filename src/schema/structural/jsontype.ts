import type { Schema } from '../../api/index.ts';

const bits = { null: 1, boolean: 2, integer: 4, number: 8, string: 16, array: 32, object: 64 } as const;
type TypeName = keyof typeof bits;

/** The bit of a value's JSON type; a number without a fraction is an integer. */
export function bitOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return bits.string;
    case 'number':
      return Number.isInteger(value) ? bits.integer : bits.number;
    case 'boolean':
      return bits.boolean;
    default:
      return value === null ? bits.null : Array.isArray(value) ? bits.array : bits.object;
  }
}

/** The JSON type of a value by name. */
export function typeNameOf(value: unknown): TypeName {
  const bit = bitOf(value);
  return (Object.keys(bits) as TypeName[]).find((name) => bits[name] === bit) ?? 'null';
}

/** The types that a schema allows, as bits; 0 where it names none. */
export function maskOf(schema: Schema): number {
  return typesOf(schema).reduce((mask, name) => mask | bits[name] | (name === 'number' ? bits.integer : 0), 0);
}

/** The types that a schema allows, as Kubernetes prints them: `integer,string`. */
export function typeTextOf(schema: Schema): string {
  return typesOf(schema).join(',');
}

function typesOf(schema: Schema): readonly TypeName[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  if (schema.type) return [schema.type];
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  const names = alternatives.map((one) => (Object.keys(one).length === 1 ? one.type : undefined));
  return names.every((name) => name !== undefined) ? names : [];
}

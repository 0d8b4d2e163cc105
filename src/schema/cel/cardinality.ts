import type { Schema } from '../../api/index.ts';

/** Bytes of the largest request; no value of an object can be larger. */
export const mostBytes = 3 * 1024 * 1024;

/** The schema of the items of a list or of the values of a map. */
export function itemsIn(schema: Schema | undefined): Schema | undefined {
  if (schema?.type === 'array') return schema.items;
  const { additionalProperties } = schema ?? {};
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The most characters, items or entries that a value of this schema can have; 1 for a scalar. */
export function sizeOf(schema: Schema): number {
  const items = itemsIn(schema);
  if (schema.type === 'array') return schema.maxItems ?? Math.floor((mostBytes - 2) / (smallest(items) + 1));
  if (schema.type === 'object') {
    return items ? (schema.maxProperties ?? Math.floor((mostBytes - 2) / (smallest(items) + 6))) : 0;
  }
  return schema.type === 'string' ? lengthOf(schema) : 1;
}

const formats: ReadonlyMap<string | undefined, number> = new Map([
  ['duration', 32],
  ['date', 12],
  ['date-time', 41],
]);

function lengthOf({ maxLength, format, enum: values }: Schema): number {
  const fixed = formats.get(format);
  if (fixed !== undefined) return fixed;
  // A character takes up to four bytes.
  if (maxLength !== undefined) return format === 'byte' ? maxLength : maxLength * 4;
  return values ? Math.max(0, ...values.map((value) => (typeof value === 'string' ? value.length : 0))) : mostBytes - 2;
}

const scalars: ReadonlyMap<string | undefined, number> = new Map([
  ['string', 2],
  ['boolean', 4],
]);

/** The fewest bytes that a value of this schema takes in JSON. */
export function smallest(schema: Schema | undefined): number {
  if (schema?.type === 'array') return 2;
  if (schema?.type !== 'object') return scalars.get(schema?.type) ?? 1;
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .filter(([name, one]) => required.has(name) && one.default === undefined)
    .reduce((sum, [name, one]) => sum + name.length + smallest(one) + 4, 2);
}

/** How often a value can stand inside one of this schema; undefined when nothing bounds it. */
export function repetitionsIn(schema: Schema): number | undefined {
  if (schema.type === 'array') return schema.maxItems;
  return schema.type === 'object' && schema.additionalProperties ? schema.maxProperties : 1;
}

import { memberOf } from '../base/index.ts';
import type { Definitions, Schema } from '../api/index.ts';

/** A schema together with the definitions that its references point into. */
export interface SchemaScope {
  readonly schema: Schema;
  readonly definitions: Definitions;
}

const unknownSchema: Schema = {};

/** Follows references until a schema that says something itself; a reference to nothing describes anything. */
export function resolved(schema: Schema, definitions: Definitions): Schema {
  let current = schema;
  for (let hops = 0; hops < 16; hops++) {
    const reference = referenceOf(current);
    if (reference === undefined) return current;
    current = (memberOf(definitions, reference) as Schema | undefined) ?? unknownSchema;
  }
  return unknownSchema;
}

/** OpenAPI v3 wraps a reference that has siblings into an `allOf` of one. */
function referenceOf(schema: Schema): string | undefined {
  if (schema.$ref !== undefined) return schema.$ref;
  return schema.allOf?.length === 1 && schema.properties === undefined ? schema.allOf[0]?.$ref : undefined;
}

/** The bare name of the type that a schema describes, as messages print it. */
export function typeNameOf(schema: Schema): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return reference.slice(reference.lastIndexOf('.') + 1);
  return schema['x-kubernetes-group-version-kind']?.[0]?.kind ?? '';
}

import type { Definitions, Schema } from '../api/index.ts';

/** The type that a path begins in. */
export interface PlaceScope {
  readonly kind: string;
  readonly schema: Schema;
  readonly definitions: Definitions;
}

/**
 * How Go's decoder calls the place of a field: the innermost struct, then the whole path without indices and without
 * keys of maps, as in `DeploymentSpec.spec.replicas`.
 */
export function goPlace(field: string, { kind, schema, definitions }: PlaceScope): string {
  let struct = kind;
  let current: Schema | undefined = schema;
  const shown: string[] = [];
  for (const step of field.replaceAll(/\[\d+\]/g, '').split('.')) {
    const { name, content } = resolved(current, definitions);
    if (name) struct = name;
    if (!content?.properties?.[step] && content?.additionalProperties) break;
    shown.push(step);
    current = itemOf(content?.properties?.[step], definitions);
  }
  return `${struct}.${shown.join('.')}`;
}

interface Named {
  readonly name?: string;
  readonly content: Schema | undefined;
}

/** The schema that a reference leads to, and the bare name of what it leads to. */
function resolved(schema: Schema | undefined, definitions: Definitions): Named {
  const reference = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
  if (reference === undefined) return { content: schema };
  return { name: reference.slice(reference.lastIndexOf('.') + 1), content: definitions[reference] };
}

function itemOf(schema: Schema | undefined, definitions: Definitions): Schema | undefined {
  const { content } = resolved(schema, definitions);
  return content?.type === 'array' ? content.items : schema;
}

import { ApiError } from '../../../api/index.ts';
import { isObject } from '../../../base/index.ts';
import type { Sight } from '../sight.ts';

/** A schema as the editor needs it for completion. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly values?: readonly string[];
}

type SchemaFields = Readonly<Record<string, unknown>>;

const documents = new WeakMap<Sight, Map<string, Promise<SchemaFields>>>();
const deepest = 12;

/** The schema of a kind from the OpenAPI document of the hub; null where it has none. */
export async function schemaOf(sight: Sight, apiVersion: string, kind: string): Promise<SchemaNode | null> {
  const known = documents.get(sight) ?? new Map<string, Promise<SchemaFields>>();
  documents.set(sight, known);
  const slash = apiVersion.indexOf('/');
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  const place = group === '' ? `api/${version}` : `apis/${apiVersion}`;
  if (!/^[\w./-]+$/.test(place)) return null;
  let document = known.get(place);
  if (!document) known.set(place, (document = fetchDocument(sight, place)));
  const schemas = componentsIn(await document);
  const found = Object.values(schemas).find((schema) => isKind(schema, { group, version, kind }));
  return found === undefined ? null : node(found, schemas, 0);
}

async function fetchDocument({ hub }: Sight, place: string): Promise<SchemaFields> {
  try {
    const { body } = await hub.client.raw({ method: 'GET', path: `/openapi/v3/${place}` });
    return isObject(body) ? body : {};
  } catch (error) {
    if (error instanceof ApiError) return {};
    throw error;
  }
}

function componentsIn(document: SchemaFields): Readonly<Record<string, unknown>> {
  const { components } = document;
  return isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function isKind(schema: unknown, wanted: Kind): boolean {
  const kinds = isObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
  if (!Array.isArray(kinds)) return false;
  return kinds.some(
    (one: Partial<Kind>) =>
      one.kind === wanted.kind && one.version === wanted.version && (one.group ?? '') === wanted.group,
  );
}

function node(schema: unknown, schemas: Readonly<Record<string, unknown>>, depth: number): SchemaNode {
  if (!isObject(schema) || depth > deepest) return {};
  const whole = resolved(schema, schemas);
  const { type, description, properties, items } = whole;
  const values = whole['enum'];
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof description === 'string' && { description: description.slice(0, 300) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, node(inner, schemas, depth + 1)]),
      ),
    }),
    ...(isObject(items) && { items: node(items, schemas, depth + 1) }),
    ...(Array.isArray(values) && { values: values.filter((value) => typeof value === 'string') }),
  };
}

/** Follows a reference, also one that stands alone in `allOf`. */
function resolved(schema: SchemaFields, schemas: Readonly<Record<string, unknown>>): SchemaFields {
  const { allOf } = schema;
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? (allOf as readonly unknown[]) : [];
  const reference = schema['$ref'] ?? (isObject(only) ? only['$ref'] : undefined);
  if (typeof reference !== 'string') return schema;
  const target = schemas[reference.slice(reference.lastIndexOf('/') + 1)];
  return isObject(target)
    ? { ...target, ...(typeof schema['description'] === 'string' && { description: schema['description'] }) }
    : schema;
}

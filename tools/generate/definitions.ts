import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GroupVersionKind, Schema } from '../../src/api/schema.ts';
import { servedVersions } from './scope.ts';
import { readJson } from './sources.ts';

type Source = Readonly<Record<string, unknown>>;
type Sources = Readonly<Record<string, Source>>;
type Out = Record<string, unknown>;

const copied = [
  'type',
  'format',
  'enum',
  'required',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'oneOf',
];

/** Types that can have any JSON: their published schema is empty or a bare object. */
const anyJson = /\.(RawExtension|FieldsV1|JSON|JSONSchemaPropsOr(Array|Bool|StringArray))$/;

/** All schemas of the served versions' OpenAPI v3 documents. */
export function readSources(kubernetes: string): Sources {
  const all: Record<string, Source> = {};
  for (const version of servedVersions) Object.assign(all, readDocument(kubernetes, version));
  return all;
}

function readDocument(kubernetes: string, version: string): Sources {
  const name = version === 'v1' ? 'api__v1' : `apis__${version.replace('/', '__')}`;
  const file = join(kubernetes, 'api/openapi-spec/v3', `${name}_openapi.json`);
  if (!existsSync(file)) throw new Error(`no OpenAPI document for ${version}`);
  return (readJson(file) as { readonly components: { readonly schemas: Sources } }).components.schemas;
}

/** The definitions that the roots need, without descriptions and in our shape of a schema. */
export function compactDefinitions(sources: Sources, roots: readonly string[]): Record<string, Schema> {
  const done: Record<string, Schema> = {};
  const open = [...roots];
  const keys = listMapKeys(sources);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (done[name]) continue;
    const source = sources[name];
    if (!source) throw new Error(`no definition ${name}`);
    const schema = compactDefinition(name, source, keys.get(name) ?? new Set());
    done[name] = schema;
    open.push(...refsIn(schema));
  }
  return Object.fromEntries(Object.entries(done).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function compactDefinition(name: string, source: Source, keys: ReadonlySet<string>): Schema {
  const schema = compact(source);
  if (anyJson.test(name)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (schema['format'] === 'int-or-string') schema['x-kubernetes-int-or-string'] = true;
  const kinds = (source['x-kubernetes-group-version-kind'] as readonly GroupVersionKind[] | undefined)?.filter(
    isServed,
  );
  if (kinds?.length) schema['x-kubernetes-group-version-kind'] = kinds;
  restoreKeyDefaults(schema, source, keys);
  return schema;
}

function isServed({ group, version }: GroupVersionKind): boolean {
  return servedVersions.includes(group ? `${group}/${version}` : version);
}

function compact(source: Source): Out {
  const out: Out = {};
  const ref = refOf(source);
  if (ref) out['$ref'] = ref;
  for (const key of copied) if (source[key] !== undefined) out[key] = source[key];
  if (!isGoZero(source['default'])) out['default'] = source['default'];
  const properties = source['properties'] as Sources | undefined;
  if (properties) out['properties'] = mapValues(properties, compact);
  const items = source['items'] as Source | undefined;
  if (items) out['items'] = compact(items);
  const values = source['additionalProperties'];
  if (values !== undefined)
    out['additionalProperties'] = typeof values === 'object' ? compact(values as Source) : values;
  return out;
}

/** OpenAPI v3 wraps a reference that has siblings in `allOf`; ours stands beside them. */
function refOf(source: Source): string | undefined {
  const wrapped = (source['allOf'] as readonly Source[] | undefined)?.[0];
  const ref = (source['$ref'] ?? wrapped?.['$ref']) as string | undefined;
  return ref?.slice(ref.lastIndexOf('/') + 1);
}

/** Go's zero values are published as defaults of every non-pointer field, and say nothing. */
function isGoZero(value: unknown): boolean {
  if (value === undefined || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A key of a list map that is not required needs its default, be it zero: it identifies items that lack the key. */
function restoreKeyDefaults(schema: Out, source: Source, keys: ReadonlySet<string>): void {
  const properties = schema['properties'] as Record<string, Out> | undefined;
  const required = new Set(source['required'] as readonly string[] | undefined);
  for (const key of keys) {
    const value = (source['properties'] as Sources)[key]?.['default'];
    if (properties?.[key] && value !== undefined && !required.has(key)) properties[key]['default'] = value;
  }
}

function listMapKeys(sources: Sources): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const source of Object.values(sources)) {
    for (const property of Object.values((source['properties'] ?? {}) as Sources)) {
      const keys = property['x-kubernetes-list-map-keys'] as readonly string[] | undefined;
      const item = keys && refOf(property['items'] as Source);
      if (item) found.set(item, new Set([...(found.get(item) ?? []), ...keys]));
    }
  }
  return found;
}

function refsIn(schema: Schema): string[] {
  const refs: string[] = [];
  const nested = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  if (schema.$ref) refs.push(schema.$ref);
  for (const part of nested) if (typeof part === 'object') refs.push(...refsIn(part));
  return refs;
}

function mapValues(values: Sources, change: (value: Source) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

import type { Catalog, Definitions, GroupVersionKind, KindInfo, Schema } from '../../api/index.ts';
import { perOwner } from '../../base/index.ts';
import { operationsOf } from './operations.ts';

/** The definition of an object's metadata. */
export const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
/** The definition of a list's metadata. */
export const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
/** The definition of the body of a deletion. */
export const deleteOptions = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
/** The definition of a Status. */
export const status = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
/** The definition of the body of a patch. */
export const patch = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';

/** The name under which a kind is published: `io.karmada.policy.v1alpha1.PropagationPolicy`. */
export function definitionName(kind: KindInfo): string {
  if (kind.definition) return kind.definition;
  return [...kind.group.split('.').reverse(), kind.version, kind.kind].join('.');
}

/** The name under which the list of a kind is published. */
export function listName(kind: KindInfo): string {
  const name = definitionName(kind);
  return name.slice(0, name.length - kind.kind.length) + kind.listKind;
}

/** `group/version/Kind` → the name of the definition that says so. */
const namesByKind = perOwner((definitions: Definitions): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(definitions)) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    if (kinds.length === 1) for (const kind of kinds) names.set(kindKey(kind), name);
  }
  return names;
});

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

/** The definition of any kind that an operation speaks of; undefined where it has none. */
export function definitionOfKind(catalog: Catalog, gvk: GroupVersionKind): string | undefined {
  const served = catalog.byKind(gvk.group ? `${gvk.group}/${gvk.version}` : gvk.version, gvk.kind);
  return served ? definitionName(served) : namesByKind(catalog.definitions, '').get(kindKey(gvk));
}

/** The schemas of these kinds, of their lists, of what operations take and answer, and of all they refer to. */
export function definitionsFor(catalog: Catalog, kinds: readonly KindInfo[]): Definitions {
  const found: Record<string, Schema> = {};
  const collect = collector(catalog.definitions, found);
  for (const kind of kinds) {
    collect(definitionName(kind), published(kind));
    const list = listName(kind);
    if (kind.verbs.includes('list')) collect(list, catalog.definitions[list] ?? listSchema(kind));
  }
  const spokenOf = kinds.flatMap(operationsOf).flatMap(({ operations }) => operations.map(({ kind }) => kind));
  const foreign = spokenOf.map((kind) => definitionOfKind(catalog, kind) ?? '');
  for (const name of [deleteOptions, status, objectMeta, listMeta, ...foreign])
    collect(name, catalog.definitions[name]);
  collect(patch, { type: 'object' });
  return sorted(found);
}

/** Adds a definition and, once each, all that it refers to. */
function collector(
  definitions: Definitions,
  found: Record<string, Schema>,
): (name: string, schema: Schema | undefined) => void {
  const collect = (name: string, schema: Schema | undefined): void => {
    if (!schema || found[name]) return;
    found[name] = schema;
    for (const ref of refsOf(schema)) collect(ref, definitions[ref]);
  };
  return collect;
}

function sorted(definitions: Record<string, Schema>): Definitions {
  return Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The fields of every object; a definition of a custom resource must not describe them. */
const common: Readonly<Record<string, Schema>> = {
  apiVersion: {
    type: 'string',
    description: 'APIVersion defines the group and version of the kind, for example apps/v1.',
  },
  kind: { type: 'string', description: 'Kind names the type of the object, which defines its other fields.' },
  metadata: {
    $ref: objectMeta,
    description: 'Metadata is the same for all kinds: name, namespace, labels, annotations and more.',
  },
};

/** The schema of a kind as clients see it: a custom one gets what every object has. */
function published(kind: KindInfo): Schema {
  const { group, version, schema } = kind;
  const gvk = [{ group, kind: kind.kind, version }];
  if (!kind.custom) return { ...schema, 'x-kubernetes-group-version-kind': gvk };
  return {
    ...schema,
    type: 'object',
    properties: { ...schema.properties, ...common },
    'x-kubernetes-group-version-kind': gvk,
  };
}

function listSchema(kind: KindInfo): Schema {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { $ref: definitionName(kind) } },
      kind: { type: 'string' },
      metadata: { $ref: listMeta },
    },
    'x-kubernetes-group-version-kind': [{ group: kind.group, kind: kind.listKind, version: kind.version }],
  };
}

/** All names that a schema refers to. */
function refsOf(schema: Schema): readonly string[] {
  const refs: string[] = [];
  eachSchema(schema, (one) => {
    if (one.$ref !== undefined) refs.push(one.$ref);
  });
  return refs;
}

function eachSchema(schema: Schema, visit: (schema: Schema) => void): void {
  visit(schema);
  for (const child of childrenOf(schema)) eachSchema(child, visit);
}

/** The schemas directly inside a schema. A property may be called `$ref` or `items`: only the structure tells. */
function childrenOf(schema: Schema): readonly Schema[] {
  const { properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema;
  return [
    ...Object.values(properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items ? [items] : []),
    ...(not ? [not] : []),
    ...(allOf ?? []),
    ...(anyOf ?? []),
    ...(oneOf ?? []),
  ];
}

/** The schema with every part changed, from the leaves up. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const map = (one: Schema): Schema => mapSchema(one, change);
  const { properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema;
  return change({
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, sub]) => [name, map(sub)])),
    }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties) }),
    ...(items && { items: map(items) }),
    ...(not && { not: map(not) }),
    ...(allOf && { allOf: allOf.map(map) }),
    ...(anyOf && { anyOf: anyOf.map(map) }),
    ...(oneOf && { oneOf: oneOf.map(map) }),
  });
}

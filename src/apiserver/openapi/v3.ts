import type { Catalog, KindInfo, Schema } from '../../api/index.ts';
import { definitionOfKind, definitionsFor, deleteOptions, listName, mapSchema, patch, status } from './definitions.ts';
import { operationsOf } from './operations.ts';
import type { Operation, PathOperations } from './operations.ts';

const media = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const patches = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

/** The OpenAPI v3 document of the kinds of one group version. */
export function documentV3(catalog: Catalog, kinds: readonly KindInfo[]): object {
  const paths = kinds.flatMap(operationsOf).sort((a, b) => (a.path < b.path ? -1 : 1));
  const schemas = Object.entries(definitionsFor(catalog, kinds)).map(([name, schema]) => [name, schemaV3(schema)]);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(paths.map((path) => [path.path, pathItem(catalog, path)])),
    components: {
      schemas: Object.fromEntries(schemas) as Record<string, Schema>,
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  };
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** In v3 nothing may stand beside a reference, so it is wrapped where something does. */
function schemaV3(schema: Schema): Schema {
  return mapSchema(schema, (one) => {
    if (one.$ref === undefined) return one;
    const { $ref, ...beside } = one;
    return Object.keys(beside).length === 0 ? ref($ref) : { allOf: [ref($ref)], ...beside };
  });
}

function pathItem(catalog: Catalog, { parameters, operations, resource }: PathOperations): object {
  const item: Record<string, unknown> = {};
  for (const operation of operations) item[operation.method] = operationV3(catalog, operation, resource);
  if (parameters.length > 0) {
    item['parameters'] = parameters.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  }
  return item;
}

function operationV3(catalog: Catalog, operation: Operation, resource: KindInfo): object {
  const { group, version } = resource;
  const body = bodyOf(catalog, operation, resource);
  const answer = { description: 'OK', content: contentOf(media, answerOf(catalog, operation, resource)) };
  const created = operation.body === 'object' || operation.body === 'patch';
  return {
    tags: [`${group ? group.replace(/\.k8s\.io$/, '').replaceAll('.', '') : 'core'}_${version}`],
    operationId: operation.id,
    parameters: operation.query.map(({ name, type }) => ({ name, in: 'query', schema: { type } })),
    ...(body && { requestBody: body }),
    responses: { 200: answer, ...(created && { 201: { ...answer, description: 'Created' } }) },
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': operation.kind,
  };
}

function contentOf(types: readonly string[], schema: Schema): object {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function bodyOf(catalog: Catalog, operation: Operation, resource: KindInfo): object | undefined {
  switch (operation.body) {
    case undefined:
      return undefined;
    case 'options':
      return { content: contentOf(['*/*'], ref(deleteOptions)) };
    case 'object':
      return { content: contentOf(['*/*'], objectOf(catalog, operation)), required: true };
    case 'patch':
      return { content: contentOf(resource.custom ? patches.slice(0, 3) : patches, ref(patch)), required: true };
    default:
      return operation.body satisfies never;
  }
}

function answerOf(catalog: Catalog, operation: Operation, resource: KindInfo): Schema {
  if (operation.answer === 'object') return objectOf(catalog, operation);
  return ref(operation.answer === 'list' ? listName(resource) : status);
}

/** The kind of a subresource may have no definition of its own, as what pods/exec takes. */
function objectOf(catalog: Catalog, { kind }: Operation): Schema {
  const name = definitionOfKind(catalog, kind);
  return name ? ref(name) : { type: 'object' };
}

import type { Catalog, KindInfo, Schema } from '../../api/index.ts';
import { definitionOfKind, definitionsFor, deleteOptions, listName, mapSchema, patch, status } from './definitions.ts';
import { operationsOf } from './operations.ts';
import type { Operation, PathOperations } from './operations.ts';

const media = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const patches = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
  'application/strategic-merge-patch+json',
];

/** The OpenAPI v2 document of all kinds, which clients before Kubernetes 1.29 read. */
export function documentV2(catalog: Catalog): DocumentV2 {
  const paths = catalog.kinds.flatMap(operationsOf).sort((a, b) => (a.path < b.path ? -1 : 1));
  const definitions = Object.entries(definitionsFor(catalog, catalog.kinds));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(paths.map((path) => [path.path, pathItem(catalog, path)])),
    definitions: Object.fromEntries(definitions.map(([name, schema]) => [name, mapSchema(schema, schemaV2)])),
  };
}

/** A document as far as the encoder must know it. */
export interface DocumentV2 {
  readonly swagger: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

const beyondV2 = ['nullable', 'anyOf', 'oneOf', 'not', 'x-kubernetes-validations'] as const;

/**
 * What v2 cannot say is left open rather than said wrongly: a client that checks objects by it must never
 * refuse what the hub accepts.
 */
function schemaV2(schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const { default: _default, ...rest } = schema;
    return { ...rest, $ref: `#/definitions/${schema.$ref}` };
  }
  if (schema['x-kubernetes-int-or-string']) return { type: 'string', format: 'int-or-string' };
  const { nullable, oneOf, anyOf, not: _not, 'x-kubernetes-validations': _rules, ...rest } = schema;
  if (!beyondV2.some((key) => schema[key] !== undefined)) return rest;
  if (nullable) return openSchema(rest);
  return rest.type === undefined && (oneOf || anyOf) ? { ...rest, type: 'string' } : rest;
}

function openSchema(schema: Schema): Schema {
  const { type: _type, format: _format, properties: _p, items: _i, additionalProperties: _a, ...rest } = schema;
  return rest;
}

const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

function pathItem(catalog: Catalog, { parameters, operations, resource }: PathOperations): object {
  const item: Record<string, unknown> = {};
  for (const operation of operations) item[operation.method] = operationV2(catalog, operation, resource);
  if (parameters.length > 0) {
    item['parameters'] = parameters.map((name) => ({ name, in: 'path', required: true, type: 'string' }));
  }
  return item;
}

function operationV2(catalog: Catalog, operation: Operation, resource: KindInfo): object {
  const { group, version } = resource;
  const body = bodyOf(catalog, operation);
  const query = operation.query.map(({ name, type }) => ({ name, in: 'query', type }));
  const answer = { description: 'OK', schema: answerOf(catalog, operation, resource) };
  return {
    tags: [`${group ? group.replace(/\.k8s\.io$/, '').replaceAll('.', '') : 'core'}_${version}`],
    operationId: operation.id,
    consumes: operation.body === 'patch' ? patches.slice(0, resource.custom ? 3 : 4) : ['*/*'],
    produces: media,
    schemes: ['https'],
    parameters: body ? [body, ...query] : query,
    responses: { 200: answer },
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': operation.kind,
  };
}

function bodyOf(catalog: Catalog, operation: Operation): object | undefined {
  switch (operation.body) {
    case undefined:
      return undefined;
    case 'options':
      return { name: 'body', in: 'body', schema: ref(deleteOptions) };
    case 'object':
      return { name: 'body', in: 'body', required: true, schema: objectOf(catalog, operation) };
    case 'patch':
      return { name: 'body', in: 'body', required: true, schema: ref(patch) };
    default:
      return operation.body satisfies never;
  }
}

function answerOf(catalog: Catalog, operation: Operation, resource: KindInfo): Schema {
  if (operation.answer === 'object') return objectOf(catalog, operation);
  return ref(operation.answer === 'list' ? listName(resource) : status);
}

function objectOf(catalog: Catalog, { kind }: Operation): Schema {
  const name = definitionOfKind(catalog, kind);
  return name ? ref(name) : { type: 'object' };
}

import type { Catalog, KindInfo, Schema } from '../../api/index.ts';
import { definitionsFor, deleteOptions, mapSchema, patch } from './definitions.ts';
import type { Operation } from './operations.ts';
import { answerSchema, commonOf, info, media, objectSchema, pathItem, pathsOf } from './paths.ts';

const patches = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
  'application/strategic-merge-patch+json',
];

/** The OpenAPI v2 document of all kinds, which clients before Kubernetes 1.29 read. */
export function documentV2(catalog: Catalog): DocumentV2 {
  const definitions = Object.entries(definitionsFor(catalog, catalog.kinds));
  return {
    swagger: '2.0',
    info,
    paths: pathsOf(catalog.kinds, (path) => pathItem(path, (...of) => operationV2(catalog, ...of), parameterV2)),
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
 * Leaves open what v2 cannot express instead of describing it wrongly: a client that checks objects by it must never
 * refuse what the hub accepts.
 */
function schemaV2(schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const { default: _default, ...rest } = schema;
    return { ...rest, $ref: `#/definitions/${schema.$ref}` };
  }
  if (schema['x-kubernetes-int-or-string']) {
    const { description } = schema;
    return { type: 'string', format: 'int-or-string', ...(description !== undefined && { description }) };
  }
  if (schema['x-kubernetes-preserve-unknown-fields']) return unknownFieldsSchema(schema);
  const { nullable, oneOf, anyOf, not: _not, 'x-kubernetes-validations': _rules, ...rest } = schema;
  if (!beyondV2.some((key) => schema[key] !== undefined)) return rest;
  if (nullable) return openSchema(rest);
  return rest.type === undefined && (oneOf || anyOf) ? { ...rest, type: 'string' } : rest;
}

/** Any object: where fields are unknown, a client of v2 must not hold an object to those that are known. */
function unknownFieldsSchema({ type, description, 'x-kubernetes-group-version-kind': kinds }: Schema): Schema {
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(kinds && { 'x-kubernetes-group-version-kind': kinds }),
  };
}

function openSchema(schema: Schema): Schema {
  const { type: _type, format: _format, properties: _p, items: _i, additionalProperties: _a, ...rest } = schema;
  return rest;
}

const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

const parameterV2 = (name: string): object => ({ name, in: 'path', required: true, type: 'string' });

function operationV2(catalog: Catalog, operation: Operation, resource: KindInfo): object {
  const object = objectSchema(ref, catalog, operation);
  const body = bodyOf(operation, object);
  const query = operation.query.map(({ name, type }) => ({ name, in: 'query', type }));
  return {
    ...commonOf(operation, resource),
    consumes: operation.body === 'patch' ? patches.slice(0, resource.custom ? 3 : 4) : ['*/*'],
    produces: media,
    schemes: ['https'],
    parameters: body ? [body, ...query] : query,
    responses: { 200: { description: 'OK', schema: answerSchema(ref, operation, { resource, object }) } },
  };
}

function bodyOf(operation: Operation, object: Schema): object | undefined {
  switch (operation.body) {
    case undefined:
      return undefined;
    case 'options':
      return { name: 'body', in: 'body', schema: ref(deleteOptions) };
    case 'object':
      return { name: 'body', in: 'body', required: true, schema: object };
    case 'patch':
      return { name: 'body', in: 'body', required: true, schema: ref(patch) };
    default:
      return operation.body satisfies never;
  }
}

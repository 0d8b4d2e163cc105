import type { Catalog, Definitions, KindInfo, Schema } from '../../api/index.ts';
import { definitionsFor, deleteOptions, mapSchema, patch } from './definitions.ts';
import type { Operation } from './operations.ts';
import { answerSchema, commonOf, info, media, objectSchema, pathItem, pathsOf } from './paths.ts';
import { createHash } from 'node:crypto';
import { perOwner } from '../../base/index.ts';

const patches = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

/** The OpenAPI v3 document of the kinds of one group version. */
export function documentV3(catalog: Catalog, kinds: readonly KindInfo[]): object {
  const schemas = Object.entries(definitionsFor(catalog, kinds)).map(([name, schema]) => [name, schemaV3(schema)]);
  return {
    openapi: '3.0.0',
    info,
    paths: pathsOf(kinds, (path) => pathItem(path, (...of) => operationV3(catalog, ...of), parameterV3)),
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

const parameterV3 = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });

function operationV3(catalog: Catalog, operation: Operation, resource: KindInfo): object {
  const object = objectSchema(ref, catalog, operation);
  const body = bodyOf(operation, resource, object);
  const answer = { description: 'OK', content: contentOf(media, answerSchema(ref, operation, { resource, object })) };
  const created = operation.body === 'object' || operation.body === 'patch';
  return {
    ...commonOf(operation, resource),
    parameters: operation.query.map(({ name, type }) => ({ name, in: 'query', schema: { type } })),
    ...(body && { requestBody: body }),
    responses: { 200: answer, ...(created && { 201: { ...answer, description: 'Created' } }) },
  };
}

function contentOf(types: readonly string[], schema: Schema): object {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function bodyOf(operation: Operation, resource: KindInfo, object: Schema): object | undefined {
  switch (operation.body) {
    case undefined:
      return undefined;
    case 'options':
      return { content: contentOf(['*/*'], ref(deleteOptions)) };
    case 'object':
      return { content: contentOf(['*/*'], object), required: true };
    case 'patch':
      return { content: contentOf(resource.custom ? patches.slice(0, 3) : patches, ref(patch)), required: true };
    default:
      return operation.body satisfies never;
  }
}

/** Raise it when the documents change for the same kinds, so that no client keeps an old one. */
const edition = 2;

const digest = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

const ofDefinitions = perOwner((definitions: Definitions) => digest(`${edition}${JSON.stringify(definitions)}`));
const ofKind = perOwner((kind: KindInfo) => digest(JSON.stringify(kind)));

/** The hash of a document by what it is made of: the index tells it without making the document. */
export function hashOfKinds(catalog: Catalog, kinds: readonly KindInfo[]): string {
  return digest([ofDefinitions(catalog.definitions, ''), ...kinds.map((kind) => ofKind(kind, ''))].join());
}

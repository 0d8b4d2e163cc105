import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { builtinCatalog, catalogWith } from '../../api/index.ts';
import type { KindInfo, Schema } from '../../api/index.ts';
import type { HubResponse } from '../http.ts';
import { openapiResponse } from './openapi.ts';

const base = builtinCatalog();
const spec: Schema = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 0, default: 3 },
    port: { 'x-kubernetes-int-or-string': true, description: 'Where it listens.' },
    none: { type: 'string', nullable: true },
    kind: { type: 'string', enum: ['a', 'b'], description: 'What it is.' },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    one: { type: 'object', oneOf: [{ required: ['a'] }] },
  },
};
const { definition: _definition, ...config } = base.byKind('v1', 'ConfigMap')!;
const widget: KindInfo = {
  ...config,
  group: 'shop.example.com',
  kind: 'Widget',
  listKind: 'WidgetList',
  plural: 'widgets',
  schema: { type: 'object', properties: { spec } },
  custom: true,
};
const catalog = catalogWith(base, [widget]);
const name = 'com.example.shop.v1.Widget';

function get(accept: string, more: Record<string, string> = {}): HubResponse | undefined {
  return openapiResponse(catalog, { method: 'GET', path: '/openapi/v2', query: '', headers: { accept, ...more } });
}

/** As much of the published protocol definition as the tests look at. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Document { string swagger = 1; Paths paths = 8; Schemas definitions = 9; }
  message Paths { repeated NamedPath path = 2; }
  message NamedPath { string name = 1; PathItem value = 2; }
  message PathItem { Operation get = 2; Operation put = 3; Operation post = 4; Operation delete = 5; Operation patch = 8; repeated ParametersItem parameters = 9; }
  message Operation { string operation_id = 5; repeated string consumes = 7; repeated ParametersItem parameters = 8; repeated NamedAny vendor_extension = 13; }
  message ParametersItem { Parameter parameter = 1; }
  message Parameter { Body body = 1; NonBody other = 2; }
  message Body { string name = 2; string in = 3; bool required = 4; Schema schema = 5; }
  message NonBody { Query query = 3; Path path = 4; }
  message Query { string in = 2; string name = 4; string type = 6; }
  message Path { bool required = 1; string name = 4; string type = 5; }
  message Schemas { repeated NamedSchema all = 1; }
  message NamedSchema { string name = 1; Schema value = 2; }
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message Schema { string ref = 1; string format = 2; string description = 4; Any default = 5; double minimum = 9; repeated string required = 19; repeated Any enum = 20; More more = 21; Type type = 22; Items items = 23; Schemas properties = 25; repeated NamedAny vendor_extension = 31; }
  message More { Schema schema = 1; bool boolean = 2; }
  message Type { repeated string value = 1; }
  message Items { repeated Schema schema = 1; }
`);

interface Named<T> {
  readonly name: string;
  readonly value: T;
}
interface AnySchema {
  readonly ref?: string;
  readonly type?: { readonly value: readonly string[] };
  readonly properties?: { readonly all: readonly Named<AnySchema>[] };
  readonly [key: string]: unknown;
}
interface Decoded {
  readonly swagger: string;
  readonly paths: { readonly path: readonly Named<Record<string, Record<string, unknown>>>[] };
  readonly definitions: { readonly all: readonly Named<AnySchema>[] };
}

function decoded(): Decoded {
  const body = get('application/com.github.proto-openapi.spec.v2@v1.0+protobuf')!.body!;
  const type = root.lookupType('Document');
  return type.toObject(type.decode(body)) as Decoded;
}

function propertyOf(schema: AnySchema | undefined, key: string): AnySchema | undefined {
  return schema?.properties?.all.find((one) => one.name === key)?.value;
}

describe('OpenAPI v2', () => {
  it('answers with a media type that clients can parse', () => {
    const response = get('application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
    expect(response?.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    const etag = String(response?.headers['etag']);
    expect(get('application/com.github.proto-openapi.spec.v2@v1.0+protobuf', { 'if-none-match': etag })?.status).toBe(
      304,
    );
    expect(get('application/json', { 'if-none-match': etag })?.status).toBe(200);
  });

  it('says the same in protobuf as in JSON', () => {
    const json = JSON.parse(get('application/json')!.body!.toString()) as { paths: object; definitions: object };
    const binary = decoded();
    expect(binary.swagger).toBe('2.0');
    expect(binary.paths.path.map((one) => one.name)).toEqual(Object.keys(json.paths));
    expect(binary.definitions.all.map((one) => one.name)).toEqual(Object.keys(json.definitions));
  });

  it('encodes schemas', () => {
    const schema = decoded().definitions.all.find((one) => one.name === name)?.value;
    expect(propertyOf(schema, 'metadata')).toMatchObject({
      ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      description: expect.stringMatching(/^[A-Z].*\.$/) as string,
    });
    expect(schema?.['vendorExtension']).toEqual([
      {
        name: 'x-kubernetes-group-version-kind',
        value: { yaml: '[{"group":"shop.example.com","kind":"Widget","version":"v1"}]' },
      },
    ]);
    const inner = propertyOf(schema, 'spec');
    expect(inner).toMatchObject({ type: { value: ['object'] }, required: ['size'] });
    expect(propertyOf(inner, 'size')).toMatchObject({ type: { value: ['integer'] }, default: { yaml: '3' } });
    expect(propertyOf(inner, 'kind')).toMatchObject({
      description: 'What it is.',
      enum: [{ yaml: '"a"' }, { yaml: '"b"' }],
    });
  });

  it('leaves open what it cannot say', () => {
    const schema = decoded().definitions.all.find((one) => one.name === name)?.value;
    const inner = propertyOf(schema, 'spec');
    expect(propertyOf(inner, 'port')).toEqual({
      type: { value: ['string'] },
      format: 'int-or-string',
      description: 'Where it listens.',
    });
    expect(propertyOf(inner, 'none')?.type).toBeUndefined();
    expect(propertyOf(inner, 'one')).toEqual({ type: { value: ['object'] } });
  });

  it('encodes operations', () => {
    const path = '/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}';
    const item = decoded().paths.path.find((one) => one.name === path)?.value;
    expect(item?.['patch']).toMatchObject({
      operationId: 'patchShopExampleComV1NamespacedWidget',
      consumes: ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'],
      parameters: [
        { parameter: { body: { name: 'body', in: 'body', required: true } } },
        { parameter: { other: { query: { in: 'query', name: 'dryRun', type: 'string' } } } },
        { parameter: { other: { query: { name: 'fieldManager' } } } },
        { parameter: { other: { query: { name: 'fieldValidation' } } } },
        { parameter: { other: { query: { name: 'force', type: 'boolean' } } } },
      ],
    });
    expect(item?.['parameters']).toMatchObject([
      { parameter: { other: { path: { name: 'name', required: true, type: 'string' } } } },
      { parameter: { other: { path: { name: 'namespace' } } } },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { builtinCatalog, catalogWith } from '../../api/index.ts';
import type { Catalog, KindInfo } from '../../api/index.ts';
import type { HubResponse } from '../http.ts';
import { openapiResponse } from './openapi.ts';

const base = builtinCatalog();
const widget: KindInfo = {
  ...base.byKind('v1', 'ConfigMap')!,
  group: 'shop.example.com',
  kind: 'Widget',
  listKind: 'WidgetList',
  plural: 'widgets',
  singular: 'widget',
  status: true,
  subresources: [],
  schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
  custom: true,
};
delete (widget as { definition?: string }).definition;
const catalog = catalogWith(base, [widget]);

function get(path: string, headers: Record<string, string> = {}, from: Catalog = catalog): HubResponse | undefined {
  const [name = '', query = ''] = path.split('?');
  return openapiResponse(from, { method: 'GET', path: name, query, headers });
}

interface Parameter {
  readonly name: string;
}
interface Operation {
  readonly parameters: readonly Parameter[];
  readonly [key: string]: unknown;
}
interface DocumentV3 {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}

function parsed(response: HubResponse | undefined): DocumentV3 {
  return JSON.parse(response?.body?.toString() ?? '{}') as DocumentV3;
}

function pathsOf(from: Catalog): Record<string, { serverRelativeURL: string }> {
  const index: unknown = parsed(get('/openapi/v3', {}, from)).paths;
  return index as Record<string, { serverRelativeURL: string }>;
}

const sentence = /^[A-Z].*\.$/;

describe('OpenAPI v3', () => {
  it('leads from the index to documents that can be kept forever', () => {
    const url = pathsOf(catalog)['apis/apps/v1']!.serverRelativeURL;
    const response = get(url);
    expect(response?.status).toBe(200);
    expect(response?.headers['cache-control']).toBe('public, immutable');
    expect(`"${url.split('=')[1]}"`).toBe(response?.headers['etag']);
    expect(get(url, { 'if-none-match': String(response?.headers['etag']) })?.status).toBe(304);
  });

  it('sends a client with an old hash to the new document', () => {
    const response = get('/openapi/v3/apis/apps/v1?hash=0');
    expect(response?.status).toBe(301);
    expect(response?.headers['location']).toBe(pathsOf(catalog)['apis/apps/v1']!.serverRelativeURL);
  });

  it('changes only the group that changed', () => {
    const before = pathsOf(catalog);
    const after = pathsOf(catalogWith(catalog, [{ ...widget, schema: { type: 'object' } }]));
    const changed = Object.keys(after).filter(
      (path) => after[path]?.serverRelativeURL !== before[path]?.serverRelativeURL,
    );
    expect(changed).toEqual(['apis/shop.example.com/v1']);
    expect(pathsOf(base)).not.toHaveProperty('apis/shop.example.com/v1');
  });

  it('gives kubectl what it looks for in a PATCH', () => {
    const { paths } = parsed(get('/openapi/v3/apis/apps/v1'));
    const operation = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!['patch']!;
    expect(operation['x-kubernetes-group-version-kind']).toEqual({ group: 'apps', version: 'v1', kind: 'Deployment' });
    expect(operation.parameters.map(({ name }) => name)).toEqual([
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
    ]);
    expect(operation['operationId']).toBe('patchAppsV1NamespacedDeployment');
  });

  it('refers to nothing that is not there', () => {
    for (const path of Object.keys(pathsOf(catalog))) {
      const document = parsed(get(`/openapi/v3/${path}`));
      const refs = JSON.stringify(document).match(/"#\/components\/schemas\/[^"]+"/g) ?? [];
      for (const ref of refs) expect(document.components.schemas).toHaveProperty([ref.slice(22, -1)]);
    }
  });

  it('publishes custom resources like any other', () => {
    const { paths, components } = parsed(get('/openapi/v3/apis/shop.example.com/v1'));
    expect(Object.keys(paths)).toEqual([
      '/apis/shop.example.com/v1/namespaces/{namespace}/widgets',
      '/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}',
      '/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}/status',
      '/apis/shop.example.com/v1/widgets',
    ]);
    const schema = components.schemas['com.example.shop.v1.Widget']!;
    expect(schema['x-kubernetes-group-version-kind']).toEqual([
      { group: 'shop.example.com', version: 'v1', kind: 'Widget' },
    ]);
    expect(schema['properties']).toMatchObject({
      apiVersion: { type: 'string', description: expect.stringMatching(sentence) as string },
      kind: { type: 'string', description: expect.stringMatching(sentence) as string },
      metadata: {
        allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
        description: expect.stringMatching(sentence) as string,
      },
      spec: { properties: { size: { type: 'integer' } } },
    });
    const patch = paths['/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}']!['patch']!;
    expect(JSON.stringify(patch['requestBody'])).not.toContain('strategic');
  });

  it('knows a property called $ref from a reference', () => {
    const { components } = parsed(get('/openapi/v3/apis/apiextensions.k8s.io/v1'));
    const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
    expect(components.schemas[name]?.['properties']).toHaveProperty(['$ref'], { type: 'string' });
  });

  it('knows nothing of a group that is not served', () => {
    expect(() => get('/openapi/v3/apis/nobody/v1')).toThrow('could not find the requested resource');
    expect(get('/apis')).toBeUndefined();
  });
});

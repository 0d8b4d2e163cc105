import { describe, expect, it } from 'vitest';
import { builtinCatalog, catalogWith } from '../../api/index.ts';
import type { Catalog, KindInfo } from '../../api/index.ts';
import type { HubResponse } from '../http.ts';
import { discoveryResponse } from './discovery.ts';

const base = builtinCatalog();
const widget: KindInfo = {
  ...base.byKind('v1', 'ConfigMap')!,
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  shortNames: ['wd'],
  categories: ['all'],
  status: true,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  subresources: [],
  custom: true,
  storageVersion: 'v1alpha1',
};
const catalog = catalogWith(base, [widget, { ...widget, version: 'v1' }]);
const all =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

function get(path: string, headers: Record<string, string> = {}, from: Catalog = catalog): HubResponse | undefined {
  return discoveryResponse(from, { method: 'GET', path, query: '', headers });
}

interface Named {
  readonly name: string;
  readonly [key: string]: unknown;
}
interface Body {
  readonly [key: string]: unknown;
  readonly groups?: readonly Named[];
  readonly resources?: readonly Named[];
  readonly items?: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly Record<string, unknown>[] }[];
  }[];
}

function bodyOf(response: HubResponse | undefined): Body {
  return JSON.parse(response?.body?.toString() ?? '{}') as Body;
}

describe('aggregated discovery', () => {
  it.each([
    ['v2', all],
    ['v2beta1', all.slice(all.indexOf(',') + 1)],
  ])('answers in %s with exactly the type that was asked for', (version, accept) => {
    const response = get('/apis', { accept });
    expect(response?.headers['content-type']).toBe(
      `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    );
    expect(bodyOf(response)['apiVersion']).toBe(`apidiscovery.k8s.io/${version}`);
  });

  it('keeps the core group apart', () => {
    expect(bodyOf(get('/api', { accept: all })).items?.map((item) => item.metadata.name)).toEqual([undefined]);
    expect(bodyOf(get('/apis', { accept: all })).items?.map((item) => item.metadata.name)).not.toContain(undefined);
  });

  it('shows a custom resource with its subresources, the preferred version first', () => {
    const group = bodyOf(get('/apis', { accept: all })).items?.find((item) => item.metadata.name === 'example.com');
    expect(group?.versions.map((one) => one.version)).toEqual(['v1', 'v1alpha1']);
    expect(group?.versions[0]?.resources[0]).toMatchObject({
      resource: 'widgets',
      responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
      scope: 'Namespaced',
      singularResource: 'widget',
      shortNames: ['wd'],
      categories: ['all'],
      subresources: [
        {
          subresource: 'scale',
          responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: ['get', 'patch', 'update'],
        },
        { subresource: 'status', responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' } },
      ],
    });
  });

  it('sends nothing to a client that has it', () => {
    const etag = String(get('/apis', { accept: all })?.headers['etag']);
    const again = get('/apis', { accept: all, 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304 });
    expect(again?.body).toBeUndefined();
    const fewer = get('/apis', { accept: all, 'if-none-match': etag }, base);
    expect(fewer?.status).toBe(200);
  });

  it('is not meant for who wants plain JSON', () => {
    expect(bodyOf(get('/apis', { accept: 'application/json' }))['kind']).toBe('APIGroupList');
    expect(bodyOf(get('/apis', { accept: '*/*' }))['kind']).toBe('APIGroupList');
    expect(bodyOf(get('/apis'))['kind']).toBe('APIGroupList');
  });
});

describe('legacy discovery', () => {
  it('lists versions, groups and resources', () => {
    expect(bodyOf(get('/api', { host: 'hub:6443' }))).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'hub:6443' }],
    });
    expect(bodyOf(get('/apis')).groups?.map((group) => group.name)).toContain('example.com');
    expect(bodyOf(get('/apis/autoscaling'))).toMatchObject({
      kind: 'APIGroup',
      versions: [{ version: 'v2' }, { version: 'v1' }],
      preferredVersion: { groupVersion: 'autoscaling/v2' },
    });
  });

  it('tells kinds of subresources that are not those of the resource', () => {
    const core = bodyOf(get('/api/v1'));
    expect(core['groupVersion']).toBe('v1');
    const byName = new Map(core.resources?.map((one) => [one.name, one]));
    expect(byName.get('pods/eviction')).toMatchObject({ group: 'policy', version: 'v1', kind: 'Eviction' });
    expect(byName.get('serviceaccounts/token')).toMatchObject({
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    });
    expect(byName.get('pods/status')).not.toHaveProperty('group');
    const apps = bodyOf(get('/apis/apps/v1/'));
    expect(apps.resources).toContainEqual({
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
  });

  it('hashes storage versions as Kubernetes does', () => {
    const apps = bodyOf(get('/apis/apps/v1'));
    expect(apps.resources?.find((one) => one.name === 'deployments')).toMatchObject({
      storageVersionHash: '8aSe+NMegvE=',
    });
  });

  it.each(['/apis/nobody', '/apis/apps/v9', '/api/v2'])('knows nothing of %s', (path) => {
    expect(() => get(path)).toThrow('could not find the requested resource');
  });

  it.each(['/', '/api/v1/pods', '/apis/apps/v1/deployments', '/openapi/v3'])('leaves %s to others', (path) => {
    expect(get(path)).toBeUndefined();
  });
});

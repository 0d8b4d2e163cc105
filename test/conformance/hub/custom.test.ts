import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { conformance } from './suite.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

conformance('custom resources', (hub) => {
  /** Defines a kind in two versions under a group of its own, and waits until it is served. */
  async function defined(): Promise<{ group: string; name: string }> {
    const group = `g${randomUUID().slice(0, 8)}.example.com`;
    const name = `colors.${group}`;
    const openAPIV3Schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          required: ['shade'],
          properties: { shade: { type: 'string' }, depth: { type: 'integer', default: 3 }, count: { type: 'integer' } },
        },
        status: { type: 'object', properties: { seen: { type: 'integer' } } },
      },
    };
    const subresources = {
      status: {},
      scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.seen' },
    };
    const version = (one: string, storage: boolean): object => ({
      name: one,
      served: true,
      storage,
      schema: { openAPIV3Schema },
      subresources,
    });
    const made = await hub.post(definitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'colors', singular: 'color', kind: 'Color', shortNames: ['col'] },
        versions: [version('v1', true), version('v2', false)],
      },
    });
    expect(made.status).toBe(201);
    for (const one of ['v1', 'v2']) await hub.until(`/apis/${group}/${one}/colors`, 200);
    return { group, name };
  }

  const color = (group: string, version: string, spec: object): object => ({
    apiVersion: `${group}/${version}`,
    kind: 'Color',
    metadata: { name: 'red' },
    spec,
  });

  it('get a default that their definition has learned since, wherever they are read', async () => {
    const { group, name } = await defined();
    const ns = await hub.namespace();
    const path = `/apis/${group}/v1/namespaces/${ns}/colors`;
    await hub.post(path, color(group, 'v1', { shade: 'dark' }));
    const field = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/finish';
    const change = [{ op: 'add', path: field, value: { type: 'string', default: 'matt' } }];
    expect((await hub.patch(`${definitions}/${name}`, change, 'json')).status).toBe(200);
    const shown = async (): Promise<unknown> => at((await hub.get(`${path}/red`)).body, 'spec.finish');
    while ((await shown()) !== 'matt') expect((await hub.get(`${path}/red`)).status).toBe(200);
    expect(at((await hub.get(path)).body, 'items.0.spec')).toEqual({ shade: 'dark', depth: 3, finish: 'matt' });
    const watching = await hub.watch(`${path}?watch=true&resourceVersion=0`);
    expect(at((await watching.next())?.object, 'spec.finish')).toBe('matt');
    watching.close();
    const labelled = await hub.patch(`${path}/red`, { metadata: { labels: { a: 'b' } } });
    expect(at(labelled.body, 'spec.finish')).toBe('matt');
  });

  it('are the same in every version but for its name', async () => {
    const { group, name } = await defined();
    const ns = await hub.namespace();
    const path = (version: string): string => `/apis/${group}/${version}/namespaces/${ns}/colors`;
    const made = await hub.post(path('v2'), color(group, 'v2', { shade: 'dark', bogus: 1 }));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ apiVersion: `${group}/v2`, spec: { shade: 'dark', depth: 3 } });
    expect(at(made.body, 'spec.bogus')).toBeUndefined();
    for (const version of ['v1', 'v2']) {
      const read = await hub.get(`${path(version)}/red`);
      expect(read.body).toEqual({ ...(made.body as object), apiVersion: `${group}/${version}` });
      const list = await hub.get(path(version));
      expect(list.body).toMatchObject({ kind: 'ColorList', apiVersion: `${group}/${version}`, items: [read.body] });
      const watching = await hub.watch(`${path(version)}?watch=true`);
      expect(await watching.next()).toEqual({ type: 'ADDED', object: read.body });
      watching.close();
    }
    await hub.delete(`${definitions}/${name}`);
  });

  it('are validated, scaled and given a status', async () => {
    const { group, name } = await defined();
    const ns = await hub.namespace();
    const path = `/apis/${group}/v1/namespaces/${ns}/colors`;
    const wrong = await hub.post(path, color(group, 'v1', { depth: 'deep' }));
    expect(wrong.status).toBe(422);
    expect(textAt(wrong.body, 'message')).toContain('spec.shade: Required value');
    expect(textAt(wrong.body, 'message')).toContain('spec.depth: Invalid value: "string"');
    const strict = await hub.post(`${path}?fieldValidation=Strict`, color(group, 'v1', { shade: 'x', bogus: 1 }));
    expect(strict.status).toBe(400);
    expect(textAt(strict.body, 'message')).toContain('strict decoding error: unknown field "spec.bogus"');
    await hub.post(path, color(group, 'v1', { shade: 'light', count: 2 }));
    const scaled = await hub.patch(`${path}/red/scale`, { spec: { replicas: 5 } });
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
    const seen = await hub.patch(`${path}/red/status`, { status: { seen: 4 }, spec: { count: 9 } });
    expect(seen.body).toMatchObject({ spec: { count: 5 }, status: { seen: 4 }, metadata: { generation: 2 } });
    await hub.delete(`${definitions}/${name}`);
  });

  it('may come to be stored in another version', async () => {
    const { group, name } = await defined();
    const ns = await hub.namespace();
    const path = (version: string): string => `/apis/${group}/${version}/namespaces/${ns}/colors`;
    await hub.post(path('v1'), color(group, 'v1', { shade: 'dark' }));
    const before = await hub.get(`${definitions}/${name}`);
    const versions = at(before.body, 'spec.versions') as readonly { readonly name: string }[];
    const moved = versions.map((version) => ({ ...version, storage: version.name === 'v2' }));
    const changed = await hub.patch(`${definitions}/${name}`, { spec: { versions: moved } });
    expect(changed.status).toBe(200);
    expect(at(changed.body, 'status.storedVersions')).toEqual(['v1', 'v2']);
    for (const version of ['v1', 'v2']) {
      const read = await hub.get(`${path(version)}/red`);
      expect(read.body).toMatchObject({ apiVersion: `${group}/${version}`, spec: { shade: 'dark' } });
    }
    const written = await hub.patch(`${path('v1')}/red`, { spec: { shade: 'light' } });
    expect(written.body).toMatchObject({ apiVersion: `${group}/v1`, spec: { shade: 'light' } });
    await hub.delete(`${definitions}/${name}`);
  });

  it('go with their namespace, also when the version that is stored is not served', async () => {
    const { group, name } = await defined();
    const ns = await hub.namespace();
    const path = `/apis/${group}/v2/namespaces/${ns}/colors`;
    await hub.post(path, color(group, 'v2', { shade: 'dark' }));
    const before = await hub.get(`${definitions}/${name}`);
    const versions = at(before.body, 'spec.versions') as readonly { readonly name: string }[];
    const unserved = versions.map((version) => ({ ...version, served: version.name === 'v2' }));
    await hub.patch(`${definitions}/${name}`, { spec: { versions: unserved } });
    await hub.until(`/apis/${group}/v1/colors`, 404);
    await hub.delete(`/api/v1/namespaces/${ns}`);
    await hub.until(`/api/v1/namespaces/${ns}`, 404);
    expect((await hub.get(`${path}/red`)).status).toBe(404);
    await hub.delete(`${definitions}/${name}`);
  });

  it('go with their definition', async () => {
    const { group, name } = await defined();
    const ns = await hub.namespace();
    const path = `/apis/${group}/v1/namespaces/${ns}/colors`;
    await hub.post(path, color(group, 'v1', { shade: 'light' }));
    await hub.delete(`${definitions}/${name}`);
    await hub.until(`${definitions}/${name}`, 404);
    await hub.until(path, 404);
    const again = await hub.get(`/apis/${group}/v1`);
    expect(again.status).toBe(404);
  });
});

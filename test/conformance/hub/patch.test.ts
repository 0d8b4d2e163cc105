import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { configMap, conformance, deployment } from './suite.ts';

conformance('patch', (hub) => {
  async function web(): Promise<string> {
    const ns = await hub.namespace();
    await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, deployment('web'));
    return `/apis/apps/v1/namespaces/${ns}/deployments/web`;
  }

  it('applies JSON patches, and says when one does not fit', async () => {
    const path = await web();
    const reply = await hub.patch(
      path,
      [
        { op: 'test', path: '/spec/replicas', value: 1 },
        { op: 'replace', path: '/spec/replicas', value: 2 },
        { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
      ],
      'json',
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ spec: { replicas: 2 }, metadata: { labels: { a: 'b' } } });
    const misfit = await hub.patch(path, [{ op: 'test', path: '/spec/replicas', value: 9 }], 'json');
    expect(misfit.status).toBe(422);
  });

  it('merges lists of containers by name in strategic patches', async () => {
    const path = await web();
    const side = { name: 'side', image: 'busybox' };
    const added = await hub.patch(path, { spec: { template: { spec: { containers: [side] } } } }, 'strategic');
    expect((at(added.body, 'spec.template.spec.containers') as object[]).map((one) => textAt(one, 'name'))).toEqual([
      'side',
      'main',
    ]);
    const gone = { $patch: 'delete', name: 'side' };
    const removed = await hub.patch(path, { spec: { template: { spec: { containers: [gone] } } } }, 'strategic');
    expect((at(removed.body, 'spec.template.spec.containers') as object[]).map((one) => textAt(one, 'name'))).toEqual([
      'main',
    ]);
  });

  it('replaces lists in merge patches, and removes what is null', async () => {
    const path = await web();
    const reply = await hub.patch(path, {
      metadata: { annotations: { a: 'b' } },
      spec: { template: { spec: { containers: [{ name: 'only', image: 'x' }] } } },
    });
    expect((at(reply.body, 'spec.template.spec.containers') as object[]).length).toBe(1);
    const cleared = await hub.patch(path, { metadata: { annotations: { a: null } } });
    expect(at(cleared.body, 'metadata.annotations.a')).toBeUndefined();
  });

  it('refuses a patch of an older state, and of the name', async () => {
    const path = await web();
    const before = await hub.get(path);
    await hub.patch(path, { spec: { replicas: 2 } });
    const stale = await hub.patch(path, {
      metadata: { resourceVersion: textAt(before.body, 'metadata.resourceVersion') },
      spec: { replicas: 3 },
    });
    expect(stale.status).toBe(409);
    const renamed = await hub.patch(path, { metadata: { name: 'other' } });
    expect(renamed.status).toBe(400);
    expect(textAt(renamed.body, 'message')).toBe(
      'the name of the object (other) does not match the name on the URL (web)',
    );
  });

  it('refuses strategic patches of custom resources, and types of patches that it does not know', async () => {
    const ns = await hub.namespace();
    const policy = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'p' },
      spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] },
    };
    const path = `/apis/policy.karmada.io/v1alpha1/namespaces/${ns}/propagationpolicies`;
    expect((await hub.post(path, policy)).status).toBe(201);
    const reply = await hub.patch(`${path}/p`, { metadata: { labels: { a: 'b' } } }, 'strategic');
    expect(reply.status).toBe(415);
    expect(textAt(reply.body, 'message')).toContain('accepted media types include: application/json-patch+json');
    expect((await hub.patch(`${path}/p`, { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    expect((await hub.send('PATCH', `${path}/p`, {})).status).toBe(415);
  });

  it('lets concurrent patches all through', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps/a`;
    await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    const keys = Array.from({ length: 8 }, (_, i) => `k${i}`);
    const replies = await Promise.all(keys.map((key) => hub.patch(path, { data: { [key]: 'v' } })));
    expect(replies.map((reply) => reply.status)).toEqual(keys.map(() => 200));
    expect(Object.keys(at((await hub.get(path)).body, 'data') as object).sort()).toEqual(keys);
  });

  it('records who changed what', async () => {
    const ns = await hub.namespace();
    const made = await hub.post(
      `/api/v1/namespaces/${ns}/configmaps?fieldManager=first`,
      configMap('a', { one: '1', two: '2' }),
    );
    expect(at(made.body, 'metadata.managedFields')).toMatchObject([
      {
        manager: 'first',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:one': {}, 'f:two': {} } },
      },
    ]);
    const changed = await hub.patch(`/api/v1/namespaces/${ns}/configmaps/a?fieldManager=second`, {
      data: { two: '3' },
    });
    const owners = at(changed.body, 'metadata.managedFields') as { manager: string; fieldsV1: object }[];
    expect(owners.find(({ manager }) => manager === 'second')?.fieldsV1).toEqual({ 'f:data': { 'f:two': {} } });
    expect(owners.find(({ manager }) => manager === 'first')?.fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:one': {} } });
  });
});

conformance('server-side apply', (hub) => {
  it('creates, then changes, then conflicts, then forces', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps/a`;
    const made = await hub.patch(`${path}?fieldManager=one`, configMap('a', { k: '1', l: '1' }), 'apply');
    expect(made.status).toBe(201);
    expect(at(made.body, 'metadata.managedFields.0')).toMatchObject({ manager: 'one', operation: 'Apply' });
    const dropped = await hub.patch(`${path}?fieldManager=one`, configMap('a', { k: '2' }), 'apply');
    expect(dropped.status).toBe(200);
    expect(at(dropped.body, 'data')).toEqual({ k: '2' });
    const same = await hub.patch(`${path}?fieldManager=one`, configMap('a', { k: '2' }), 'apply');
    expect(textAt(same.body, 'metadata.resourceVersion')).toBe(textAt(dropped.body, 'metadata.resourceVersion'));
    const conflict = await hub.patch(`${path}?fieldManager=two`, configMap('a', { k: '3' }), 'apply');
    expect(conflict.status).toBe(409);
    expect(conflict.body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.k',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.k' }] },
    });
    const forced = await hub.patch(`${path}?fieldManager=two&force=true`, configMap('a', { k: '3' }), 'apply');
    expect(forced.status).toBe(200);
    expect(at(forced.body, 'data')).toEqual({ k: '3' });
  });

  it('wants a manager, reads YAML, and completes what it creates', async () => {
    const ns = await hub.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments/web`;
    const nameless = await hub.patch(path, deployment('web'), 'apply');
    expect(nameless.status).toBe(422);
    expect(textAt(nameless.body, 'message')).toContain('fieldManager: Required value: is required for apply patch');
    const text = [
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: {name: web}',
      'spec:',
      '  selector: {matchLabels: {app: web}}',
      '  template:',
      '    metadata: {labels: {app: web}}',
      '    spec: {containers: [{name: main, image: nginx}]}',
    ];
    const made = await hub.patch(`${path}?fieldManager=me`, text.join('\n'), 'apply');
    expect(made.status).toBe(201);
    expect(at(made.body, 'spec.replicas')).toBe(1);
    const again = await hub.patch(`${path}?fieldManager=me`, text.join('\n'), 'apply');
    expect(again.status).toBe(200);
    expect(at(again.body, 'metadata.generation')).toBe(1);
    expect(textAt(again.body, 'metadata.resourceVersion')).toBe(textAt(made.body, 'metadata.resourceVersion'));
    const unknown = await hub.patch(`${path}?fieldManager=me`, { ...deployment('web'), nonsense: 1 }, 'apply');
    expect(unknown.status).toBeGreaterThanOrEqual(400);
    expect(textAt(unknown.body, 'message')).toContain('.nonsense: field not declared in schema');
  });
});

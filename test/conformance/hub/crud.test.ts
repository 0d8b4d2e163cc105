import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { configMap, conformance, deployment } from './suite.ts';

conformance('crud', (hub) => {
  it('creates, and fills in what the server decides', async () => {
    const ns = await hub.namespace();
    const made = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a', { k: 'v' }));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: ns },
      data: { k: 'v' },
    });
    expect(textAt(made.body, 'metadata.uid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(textAt(made.body, 'metadata.resourceVersion')).toMatch(/^\d+$/);
    expect(textAt(made.body, 'metadata.creationTimestamp')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const read = await hub.get(`/api/v1/namespaces/${ns}/configmaps/a`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(made.body);
  });

  it('refuses what exists already', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    const again = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
      details: { name: 'a', kind: 'configmaps' },
      code: 409,
    });
  });

  it('makes up a name from generateName', async () => {
    const ns = await hub.namespace();
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'job-' } };
    const names = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const made = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, body);
      expect(made.status).toBe(201);
      names.add(textAt(made.body, 'metadata.name'));
    }
    expect(names.size).toBe(5);
    for (const name of names) expect(name).toMatch(/^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('updates, and refuses an update of an older state', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps/a`;
    const first = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a', { k: '1' }));
    const second = await hub.put(path, { ...(first.body as object), data: { k: '2' } });
    expect(second.status).toBe(200);
    expect(at(second.body, 'data')).toEqual({ k: '2' });
    expect(Number(textAt(second.body, 'metadata.resourceVersion'))).toBeGreaterThan(
      Number(textAt(first.body, 'metadata.resourceVersion')),
    );
    const stale = await hub.put(path, { ...(first.body as object), data: { k: '3' } });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  it('writes nothing when an update changes nothing', async () => {
    const ns = await hub.namespace();
    const first = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a', { k: '1' }));
    const same = await hub.put(`/api/v1/namespaces/${ns}/configmaps/a`, first.body);
    expect(same.status).toBe(200);
    expect(textAt(same.body, 'metadata.resourceVersion')).toBe(textAt(first.body, 'metadata.resourceVersion'));
  });

  it('keeps uid and creationTimestamp whatever an update says, and refuses another uid', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps/a`;
    const first = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    const changed = await hub.put(path, configMap('a', { k: '1' }, { creationTimestamp: '2001-01-01T00:00:00Z' }));
    expect(textAt(changed.body, 'metadata.uid')).toBe(textAt(first.body, 'metadata.uid'));
    expect(textAt(changed.body, 'metadata.creationTimestamp')).toBe(textAt(first.body, 'metadata.creationTimestamp'));
    const other = await hub.put(path, configMap('a', { k: '2' }, { uid: 'other' }));
    expect(other.status).toBe(409);
    expect(textAt(other.body, 'message')).toContain('Precondition failed: UID in precondition: other');
  });

  it('deletes', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps/a`;
    const made = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    const gone = await hub.delete(path);
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: textAt(made.body, 'metadata.uid') },
    });
    const missing = await hub.get(path);
    expect(missing.status).toBe(404);
    expect(missing.body).toMatchObject({ reason: 'NotFound', message: 'configmaps "a" not found' });
    expect((await hub.delete(path)).status).toBe(404);
  });

  it('counts generations of the spec alone, and lets status be written only through its subresource', async () => {
    const ns = await hub.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments/web`;
    const made = await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, {
      ...deployment('web'),
      status: { replicas: 7 },
    });
    expect(made.status).toBe(201);
    expect(at(made.body, 'metadata.generation')).toBe(1);
    expect(at(made.body, 'status')).toEqual({});
    const labelled = await hub.patch(path, { metadata: { labels: { a: 'b' } }, status: { replicas: 7 } });
    expect(at(labelled.body, 'metadata.generation')).toBe(1);
    expect(at(labelled.body, 'status')).toEqual({});
    const scaled = await hub.patch(path, { spec: { replicas: 3 } });
    expect(at(scaled.body, 'metadata.generation')).toBe(2);
    const status = await hub.patch(`${path}/status`, { spec: { replicas: 9 }, status: { replicas: 2 } });
    expect(status.status).toBe(200);
    expect(at(status.body, 'spec.replicas')).toBe(3);
    expect(at(status.body, 'status.replicas')).toBe(2);
    expect(at(status.body, 'metadata.generation')).toBe(2);
  });
});

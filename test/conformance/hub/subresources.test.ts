import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { conformance, deployment } from './suite.ts';

const pod = (name: string, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});

conformance('subresources', (hub) => {
  it('scales', async () => {
    const ns = await hub.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments/web`;
    await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, deployment('web'));
    const read = await hub.get(`${path}/scale`);
    expect(read.body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: ns },
      spec: { replicas: 1 },
      status: { replicas: 0, selector: 'app=web' },
    });
    const patched = await hub.patch(`${path}/scale`, { spec: { replicas: 4 } });
    expect(patched.status).toBe(200);
    expect(at(patched.body, 'spec.replicas')).toBe(4);
    const object = await hub.get(path);
    expect(at(object.body, 'spec.replicas')).toBe(4);
    expect(at(object.body, 'metadata.generation')).toBe(2);
    const put = await hub.put(`${path}/scale`, { ...(patched.body as object), spec: { replicas: 5 } });
    expect(at(put.body, 'spec.replicas')).toBe(5);
    const stale = await hub.put(`${path}/scale`, { ...(patched.body as object), spec: { replicas: 6 } });
    expect(stale.status).toBe(409);
    const negative = await hub.patch(`${path}/scale`, { spec: { replicas: -1 } });
    expect(negative.status).toBe(422);
  });

  it('shows a scale as a table', async () => {
    const ns = await hub.namespace();
    await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, deployment('web', { replicas: 3 }));
    const path = `/apis/apps/v1/namespaces/${ns}/deployments/web/scale`;
    const { body } = await hub.get(path, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(at(body, 'kind')).toBe('Table');
    expect((at(body, 'columnDefinitions') as { name: string }[]).map(({ name }) => name)).toEqual([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(at(body, 'rows.0.cells')).toEqual(['web', 3, 0, expect.stringMatching(/^\d+s$/)]);
  });

  it('adds ephemeral containers to a pod', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/pods`, pod('a', { app: 'a' }));
    const debug = { name: 'debugger', image: 'busybox', targetContainerName: 'main' };
    const patch = { metadata: { labels: { not: 'taken' } }, spec: { ephemeralContainers: [debug] } };
    const path = `/api/v1/namespaces/${ns}/pods/a/ephemeralcontainers`;
    const patched = await hub.patch(path, patch, 'strategic');
    expect(patched.status).toBe(200);
    expect(at(patched.body, 'spec.ephemeralContainers.0.name')).toBe('debugger');
    expect(at(patched.body, 'metadata.labels')).toEqual({ app: 'a' });
  });

  it('binds a pod to a node once', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/pods`, pod('p'));
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'n1' },
    };
    const bound = await hub.post(`/api/v1/namespaces/${ns}/pods/p/binding`, binding);
    expect(bound.status).toBe(201);
    expect(textAt((await hub.get(`/api/v1/namespaces/${ns}/pods/p`)).body, 'spec.nodeName')).toBe('n1');
    const again = await hub.post(`/api/v1/namespaces/${ns}/pods/p/binding`, binding);
    expect(again.status).toBe(409);
    expect(textAt(again.body, 'message')).toContain('is already assigned to node "n1"');
  });

  it('evicts a pod unless a budget forbids it', async () => {
    const ns = await hub.namespace();
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: ns } };
    await hub.post(`/api/v1/namespaces/${ns}/pods`, pod('p', { app: 'a' }));
    await hub.patch(`/api/v1/namespaces/${ns}/pods/p/status`, { status: { phase: 'Running' } });
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
    };
    await hub.post(`/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets`, budget);
    const refused = await hub.post(`/api/v1/namespaces/${ns}/pods/p/eviction`, eviction);
    expect(refused.status).toBe(429);
    expect(textAt(refused.body, 'message')).toBe("Cannot evict pod as it would violate the pod's disruption budget.");
    await hub.delete(`/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets/b`);
    const evicted = await hub.post(`/api/v1/namespaces/${ns}/pods/p/eviction`, eviction);
    expect(evicted.status).toBe(201);
    await hub.until(`/api/v1/namespaces/${ns}/pods/p`, 404);
  });

  it('writes the status of custom resources through their subresource alone', async () => {
    const ns = await hub.namespace();
    const path = `/apis/work.karmada.io/v1alpha1/namespaces/${ns}/works`;
    const work = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name: 'w' },
      spec: { workload: { manifests: [] } },
      status: { conditions: [] },
    };
    const made = await hub.post(path, work);
    expect(made.status).toBe(201);
    expect(at(made.body, 'status')).toBeUndefined();
    expect(at(made.body, 'metadata.generation')).toBe(1);
    const condition = {
      type: 'Applied',
      status: 'True',
      reason: 'Done',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const written = await hub.patch(`${path}/w/status`, {
      metadata: { labels: { not: 'taken' } },
      spec: { suspendDispatching: true },
      status: { conditions: [condition] },
    });
    expect(written.status).toBe(200);
    expect(at(written.body, 'status.conditions.0.type')).toBe('Applied');
    expect(at(written.body, 'metadata.labels')).toBeUndefined();
    expect(at(written.body, 'spec.suspendDispatching')).toBeUndefined();
    expect(at(written.body, 'metadata.generation')).toBe(1);
    const unversioned = await hub.put(`${path}/w`, work);
    expect(unversioned.status).toBe(422);
    expect(textAt(unversioned.body, 'message')).toContain('metadata.resourceVersion: Invalid value: 0');
    expect(textAt(unversioned.body, 'message')).toContain('must be specified for an update');
  });

  it('does not know subresources that a kind does not have', async () => {
    const ns = await hub.namespace();
    expect((await hub.get(`/api/v1/namespaces/${ns}/configmaps/a/scale`)).status).toBe(404);
  });
});

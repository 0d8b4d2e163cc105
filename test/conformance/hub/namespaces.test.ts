import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { configMap, conformance } from './suite.ts';

conformance('namespaces', (hub) => {
  it.each(['default', 'kube-system', 'kube-public', 'kube-node-lease'])('has %s from the start', async (name) => {
    const reply = await hub.get(`/api/v1/namespaces/${name}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  it('gives every namespace a service account, again and again', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/serviceaccounts/default`;
    const first = await hub.until(path, 200);
    await hub.delete(path);
    const watching = await hub.watch(
      `/api/v1/namespaces/${ns}/serviceaccounts?watch=true&fieldSelector=metadata.name%3Ddefault`,
    );
    const event = await watching.next();
    watching.close();
    expect(textAt(event?.object, 'metadata.uid')).not.toBe(textAt(first.body, 'metadata.uid'));
  });

  it('puts the certificate of the API server right when somebody has changed it', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps/kube-root-ca.crt`;
    // A hub without an authority of its own has none to tell.
    await hub.until(`/api/v1/namespaces/${ns}/serviceaccounts/default`, 200);
    const first = await hub.get(path);
    if (first.status === 404) return;
    const shown = async (): Promise<unknown> => at((await hub.get(path)).body, 'data');
    await hub.patch(path, { data: { 'ca.crt': 'another' } });
    while (JSON.stringify(await shown()) !== JSON.stringify(at(first.body, 'data'))) await hub.get(path);
    expect(await shown()).toEqual(at(first.body, 'data'));
  });

  it('creates nothing in a namespace that does not exist', async () => {
    const reply = await hub.post('/api/v1/namespaces/nowhere/configmaps', configMap('a'));
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({
      message: 'namespaces "nowhere" not found',
      details: { name: 'nowhere', kind: 'namespaces' },
    });
  });

  it('empties a namespace that is deleted, then removes it', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    const begun = await hub.delete(`/api/v1/namespaces/${ns}`);
    expect(begun.status).toBe(200);
    expect(begun.body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    await hub.until(`/api/v1/namespaces/${ns}`, 404);
    expect((await hub.get(`/api/v1/namespaces/${ns}/configmaps/a`)).status).toBe(404);
  });

  it('waits for what has finalizers, says so, and takes nothing new meanwhile', async () => {
    const ns = await hub.namespace();
    const blocked = `/api/v1/namespaces/${ns}/configmaps/held`;
    await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('held', {}, { finalizers: ['example.com/hold'] }));
    await hub.delete(`/api/v1/namespaces/${ns}`);
    const watching = await hub.watch(`/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3D${ns}`);
    for (;;) {
      const event = await watching.next();
      const conditions = at(event?.object, 'status.conditions');
      if (conditions === undefined) continue;
      expect(conditions).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            message: 'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
          }),
        ]),
      );
      break;
    }
    watching.close();
    const refused = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('new'));
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      reason: 'Forbidden',
      message: `configmaps "new" is forbidden: unable to create new content in namespace ${ns} because it is being terminated`,
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    });
    await hub.patch(blocked, { metadata: { finalizers: null } });
    await hub.until(`/api/v1/namespaces/${ns}`, 404);
  });
});
